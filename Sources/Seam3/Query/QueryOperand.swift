import CoreData

/// One side of a comparison, compiled.
indirect enum QueryOperand {
    /// A known value.
    case constant(Any?)
    /// An SQL expression.
    case scalar(SQL, ValueKind)
    /// An object, represented by the `pk` of its source.
    case object(RowSource)
    /// A collection: the second operand, evaluated for each row of a subselect.
    case members(MemberSelect, QueryOperand)
    /// Several expressions in braces.
    case list([QueryOperand])

    /// An expression that is nil for every row, because no value of its operand's kind has a
    /// result. It is not a constant, because the expression can only be evaluated with an object.
    static let nothing = QueryOperand.scalar("NULL", .integer)

    var isConstant: Bool {
        if case .constant = self { return true }
        return false
    }

    /// The elements of a list or of a constant collection; nil for everything else.
    var elements: [QueryOperand]? {
        switch self {
        case .list(let elements):
            return elements
        case .constant(let value):
            guard case .collection(let elements) = QueryConstant(value) else { return nil }
            return elements.map { .constant($0) }
        default:
            return nil
        }
    }
}

/// A predicate, expression or sort descriptor that SQL cannot express; the fetch then does that
/// part in memory.
struct Inexpressible: Error {
    let what: String

    init(_ what: String) {
        self.what = what
    }
}
