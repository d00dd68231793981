/// The structure of a predicate, whatever its class.
///
/// Linux-only. Foundation's `NSCompoundPredicate` and `NSPredicate` cannot compare, copy or print
/// themselves here, so all code that examines a predicate uses this.
public enum _PredicateNode {
    /// A predicate that is always true or always false.
    case constant(Bool)
    /// A comparison.
    case comparison(NSComparisonPredicate)
    /// Predicates joined by AND or OR, or one negated by NOT.
    case compound(NSCompoundPredicate.LogicalType, [NSPredicate])
    /// A Swift closure.
    case block(NSPredicate)
    /// A predicate of a class of the app.
    case unknown(NSPredicate)

    /// Determines the structure of a predicate.
    public init(_ predicate: NSPredicate) {
        switch predicate {
        case let comparison as NSComparisonPredicate:
            self = .comparison(comparison)
        case let compound as NSCompoundPredicate:
            self = .compound(compound.compoundPredicateType, compound.subpredicates)
        case _ where type(of: predicate) != NSPredicate.self:
            self = .unknown(predicate)
        case _ where predicate.isEqual(NSPredicate(value: true)):
            self = .constant(true)
        case _ where predicate.isEqual(NSPredicate(value: false)):
            self = .constant(false)
        default:
            self = .block(predicate)
        }
    }
}

/// Linux-only: structural replacements for methods that do not work for Foundation's predicates.
extension NSPredicate {
    /// The predicate as a format that can be parsed to an equal predicate, unless it contains
    /// blocks or objects.
    public final var _structuralFormat: String { PredicatePrinter.text(of: self) }

    /// Whether two predicates consist of the same parts.
    public final func _isStructurallyEqual(to other: NSPredicate) -> Bool {
        StructuralComparison.areEqual(self, other)
    }

    /// A hash value that structurally equal predicates share.
    public final var _structuralHash: Int {
        var hasher = Hasher()
        StructuralComparison.hash(self, into: &hasher)
        return hasher.finalize()
    }

    /// A copy whose compound predicates compare, copy and print themselves. Comparisons, blocks and
    /// predicates of unknown classes are shared, because they are immutable.
    public final func _structuralCopy() -> NSPredicate {
        guard case .compound(let type, let subpredicates) = _PredicateNode(self) else {
            return self
        }
        return StructuralCompoundPredicate(
            type: type, subpredicates: subpredicates.map { $0._structuralCopy() })
    }
}
