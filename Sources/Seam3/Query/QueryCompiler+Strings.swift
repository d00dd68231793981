import CoreData

extension QueryCompiler {
    /// BEGINSWITH, ENDSWITH, CONTAINS, LIKE, MATCHES, and IN where its right side is a text.
    func match(
        _ left: QueryOperand, _ type: Operator, _ right: QueryOperand, _ options: Options
    ) throws -> SQL {
        if case .constant(let left) = left, case .constant(let right) = right {
            return constantCondition(left, type, right, options)
        }
        let (text, textKind) = try scalar(left)
        let (pattern, patternKind) = try scalar(right)
        if textKind == .opaque || patternKind == .opaque {
            throw Inexpressible("a search in a transformed value")
        }
        // As in memory: what is no text has no prefix and matches no pattern.
        guard textKind == .string, patternKind == .string else { return .zero }
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

    /// A comparison of texts that is done in memory, by a comparison predicate, from within SQL: so
    /// there is one definition of what case, diacritics and patterns mean.
    func matchFunction(_ text: SQL, _ type: Operator, _ pattern: SQL, _ options: Options) -> SQL {
        let type = SQLiteValue.integer(Int64(type.rawValue))
        let options = SQLiteValue.integer(Int64(options.rawValue))
        let arguments: SQL = "\(text), \(bind: type), \(bind: options), \(pattern)"
        return "\(verbatim: QueryFunctions.match)(\(arguments))"
    }

    /// The texts with a prefix, as a range that an index can find.
    private static func prefixRange(_ text: SQL, _ prefix: String) -> SQL {
        // In memory, too, no text begins with an empty one.
        if prefix.isEmpty { return .zero }
        var upper: SQL = ""
        if let successor = successor(of: prefix) {
            upper = " AND \(text) < \(bind: .text(successor))"
        }
        return "(\(text) >= \(bind: .text(prefix))\(upper) AND \(text) IS NOT NULL)"
    }

    /// The first text behind all texts with a prefix, in the order of code points, which is that of
    /// their UTF-8 bytes; nil if there is none.
    static func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The code points of surrogates are none of a text's.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                scalars.append(scalar)
                return String(String.UnicodeScalarView(scalars))
            }
        }
        return nil
    }
}
