/// A user's edit, which is saved at once or later. Objects are named by their keys; values are
/// numbers, and nil is none.
enum ObjectEdit {
    case insert(String, [String: Int?])
    case set(String, String, Int?)
    /// Changes one element of a composite value, and nothing else.
    case setElement(String, String, Int?)
    /// Sets a to-one relationship.
    case refer(String, String, to: String?)
    case link(String, String, to: String, at: Int)
    case unlink(String, String, from: String)
    case delete(String)
    /// Deletes an object and inserts another one with its key.
    case replace(String, [String: Int?], inTwoSaves: Bool)
    case batchUpdate(String, [String], String, Int?)
    case batchDelete(String, [String])

    /// Whether it can be made in a context without a save.
    var canWait: Bool {
        switch self {
        case .batchUpdate, .batchDelete, .replace(_, _, inTwoSaves: true): false
        default: true
        }
    }

    var swift: String {
        switch self {
        case .insert(let key, let values): ".insert(\"\(key)\", \(Self.swift(values)))"
        case .set(let key, let role, let value):
            ".set(\"\(key)\", \"\(role)\", \(Self.swift(value)))"
        case .setElement(let key, let role, let value):
            ".setElement(\"\(key)\", \"\(role)\", \(Self.swift(value)))"
        case .refer(let key, let role, let other):
            ".refer(\"\(key)\", \"\(role)\", to: \(other.map { "\"\($0)\"" } ?? "nil"))"
        case .link(let key, let role, let other, let index):
            ".link(\"\(key)\", \"\(role)\", to: \"\(other)\", at: \(index))"
        case .unlink(let key, let role, let other):
            ".unlink(\"\(key)\", \"\(role)\", from: \"\(other)\")"
        case .delete(let key): ".delete(\"\(key)\")"
        case .replace(let key, let values, let inTwoSaves):
            ".replace(\"\(key)\", \(Self.swift(values)), inTwoSaves: \(inTwoSaves))"
        case .batchUpdate(let entity, let keys, let role, let value):
            ".batchUpdate(\"\(entity)\", \(keys), \"\(role)\", \(Self.swift(value)))"
        case .batchDelete(let entity, let keys): ".batchDelete(\"\(entity)\", \(keys))"
        }
    }

    private static func swift(_ value: Int?) -> String { value.map { "\($0)" } ?? "nil" }

    private static func swift(_ values: [String: Int?]) -> String {
        if values.isEmpty { return "[:]" }
        let entries = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \(swift($0.value))" }
        return "[\(entries.joined(separator: ", "))]"
    }
}
