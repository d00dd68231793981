import FoundationGaps

/// Converts an archived predicate or expression to a format and its arguments, which are then
/// parsed. An archive can therefore not express more than a format.
struct ArchivedPredicate {
    var arguments: [Any] = []

    /// Why an archived predicate could not be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The predicate in an archive.
    static func predicate(_ object: ArchivedObject) throws -> NSPredicate {
        var reader = ArchivedPredicate()
        let format = try reader.format(ofPredicate: object)
        return try NSPredicate._parsing(format, reader.arguments)
    }

    /// The expression in an archive.
    static func expression(_ object: ArchivedObject) throws -> NSExpression {
        var reader = ArchivedPredicate()
        let format = try reader.format(ofExpression: object)
        return try NSExpression._parsing(format, reader.arguments)
    }

    // MARK: - Predicates

    mutating func format(ofPredicate object: ArchivedObject) throws -> String {
        guard let format = try object.reading({ try contents(ofPredicate: object) }) else {
            throw Failure(description: "it contains itself")
        }
        return format
    }

    private mutating func contents(ofPredicate object: ArchivedObject) throws -> String {
        switch object.className {
        case "NSTruePredicate": return "TRUEPREDICATE"
        case "NSFalsePredicate": return "FALSEPREDICATE"
        case "NSCompoundPredicate":
            var parts: [String] = []
            for part in object.objects("NSSubpredicates") {
                parts.append("(" + (try format(ofPredicate: part)) + ")")
            }
            switch object.integer("NSCompoundPredicateType") {
            case 0: return "NOT " + (parts.first ?? "FALSEPREDICATE")
            case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.joined(separator: " AND ")
            case 2: return parts.isEmpty ? "FALSEPREDICATE" : parts.joined(separator: " OR ")
            default: throw Failure(description: "it is a compound of an unknown type")
            }
        case "NSComparisonPredicate":
            return try format(ofComparison: object)
        default:
            throw Failure(description: "\(object.className) is not a known predicate")
        }
    }

    private mutating func format(ofComparison object: ArchivedObject) throws -> String {
        guard let operation = object.object("NSPredicateOperator"),
            let name = operation.integer("NSOperatorType").flatMap({ Self.operators[$0] }),
            let left = object.object("NSLeftExpression"),
            let right = object.object("NSRightExpression")
        else {
            throw Failure(description: "a comparison lacks a side or a known operator")
        }
        let flags = operation.integer("NSFlags") ?? operation.integer("NSOptions") ?? 0
        let letters = (flags & 1 != 0 ? "c" : "") + (flags & 2 != 0 ? "d" : "")
        let options = letters.isEmpty ? "" : "[\(letters)]"
        let modifiers = [0: "", 1: "ALL ", 2: "ANY "]
        guard let modifier = modifiers[operation.integer("NSModifier") ?? 0] else {
            throw Failure(description: "a comparison has an unknown modifier")
        }
        let leftFormat = try format(ofExpression: left)
        let rightFormat = try format(ofExpression: right)
        return "\(modifier)\(leftFormat) \(name)\(options) \(rightFormat)"
    }

    private static let operators: [Int: String] = [
        0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE",
        8: "BEGINSWITH", 9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]
}
