import CoreData

extension QueryCompiler {
    /// BEGINSWITH, ENDSWITH, CONTAINS, LIKE, MATCHES, and IN if its right side is a string.
    func match(
        _ left: QueryOperand, _ type: Operator, _ right: QueryOperand, _ options: Options
    ) throws -> SQL {
        // What Apple's frameworks do here is an assumption: FG-1.
        if case .constant(let left) = left, case .constant(let right) = right {
            return constantCondition(left, type, right, options)
        }
        let (text, textKind) = try scalar(left)
        let (pattern, patternKind) = try scalar(right)
        if textKind == .opaque || patternKind == .opaque {
            throw Inexpressible("a search in a transformed value")
        }
        // As in memory: a value that is not a string has no prefix and matches no pattern.
        guard textKind == .string, patternKind == .string else { return .zero }
        if type == .matches, case .constant(let value) = right, let pattern = value as? String,
            !TextMatcher.isPattern(pattern)
        {
            throw SMStoreError.invalidRequest(
                "a search with MATCHES for \(pattern), which is no pattern")
        }
        if options.isEmpty, case .constant(let value) = right, let part = value as? String {
            switch type {
            case .beginsWith: return Self.prefixRange(text, part)
            case .contains where !part.contains("\0"):
                return part.isEmpty
                    ? .zero : "COALESCE(instr(\(text), \(bind: .text(part))), 0) > 0"
            default: break
            }
        }
        return matchFunction(text, type, pattern, options)
    }

    /// A comparison of strings that SQL delegates to a comparison predicate in memory, so that
    /// case, diacritics and patterns have one definition.
    func matchFunction(_ text: SQL, _ type: Operator, _ pattern: SQL, _ options: Options) -> SQL {
        let type = SQLiteValue.integer(Int64(type.rawValue))
        let options = SQLiteValue.integer(Int64(options.rawValue))
        let arguments: SQL = "\(text), \(bind: type), \(bind: options), \(pattern)"
        return "\(verbatim: QueryFunctions.match)(\(arguments))"
    }

    /// The strings with a prefix, as a range for which an index can be used.
    private static func prefixRange(_ text: SQL, _ prefix: String) -> SQL {
        // As in memory, no string begins with an empty one.
        if prefix.isEmpty { return .zero }
        var upper: SQL = ""
        if let successor = successor(of: prefix) {
            upper = " AND \(text) < \(bind: .text(successor))"
        }
        return "(\(text) >= \(bind: .text(prefix))\(upper) AND \(text) IS NOT NULL)"
    }

    /// The first string after all strings with a prefix, in code point order, which is also the
    /// order of UTF-8 bytes; nil if there is none.
    static func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // Strings contain no surrogate code points.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                scalars.append(scalar)
                return String(String.UnicodeScalarView(scalars))
            }
        }
        return nil
    }
}
