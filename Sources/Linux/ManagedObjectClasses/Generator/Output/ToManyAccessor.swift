/// The implementation of a method with the name of one of Xcode's to-many accessors.
struct ToManyAccessor {
    private enum Operation {
        case add, remove, insert, removeAt, replace
    }

    private let operation: Operation
    private let key: String
    private let types: [ManagedType]

    /// Recognizes a method by its name, labels and types; nil if it is not an accessor.
    init?(_ method: ManagedMethod, types: [ManagedType], keys: ModelKeys) {
        let labels = method.parameters.map(\.label)
        self.types = types
        let isMember = { (type: ManagedType) in Self.members("", type) != nil }
        let isPlace = { (type: ManagedType) in Self.places("", type) != nil }
        func key(after prefixes: String...) -> String? {
            prefixes.lazy.compactMap { prefix in
                method.name.hasPrefix(prefix)
                    ? keys.relationshipKey(
                        String(method.name.dropFirst(prefix.count)), of: method.owner) : nil
            }.first
        }
        switch labels {
        case [nil] where isMember(types[0]):
            if let found = key(after: "addTo", "add") {
                (self.key, operation) = (found, .add)
            } else if let found = key(after: "removeFrom", "remove") {
                (self.key, operation) = (found, .remove)
            } else {
                return nil
            }
        case [nil, "at"] where isMember(types[0]) && isPlace(types[1]):
            guard let found = key(after: "insertInto") else { return nil }
            (self.key, operation) = (found, .insert)
        case ["at"] where isPlace(types[0]):
            guard let found = key(after: "removeFrom") else { return nil }
            (self.key, operation) = (found, .removeAt)
        case ["at", "with"] where isPlace(types[0]) && isMember(types[1]):
            guard let found = key(after: "replace") else { return nil }
            (self.key, operation) = (found, .replace)
        default:
            return nil
        }
    }

    /// The implementing statement, for the names of the parameters.
    func body(_ names: [String]) -> String {
        func members(_ index: Int) -> String { Self.members(names[index], types[index]) ?? "" }
        func places(_ index: Int) -> String { Self.places(names[index], types[index]) ?? "" }
        let key = "forKey: \"\(key)\""
        return switch operation {
        case .add: "_addManagedMembers(\(members(0)), \(key))"
        case .remove: "_removeManagedMembers(\(members(0)), \(key))"
        case .insert: "_insertManagedMembers(\(members(0)), at: \(places(1)), \(key))"
        case .removeAt: "_removeManagedMembers(at: \(places(0)), \(key))"
        case .replace: "_replaceManagedMembers(at: \(places(0)), with: \(members(1)), \(key))"
        }
    }

    /// The expression for an array of the objects in a parameter.
    private static func members(_ name: String, _ type: ManagedType) -> String? {
        switch type {
        case .class("Foundation", "NSSet"): "\(name).allObjects"
        case .class("Foundation", "NSOrderedSet"): "\(name).array"
        case .set, .array: "Array(\(name))"
        case .nominal(let module, let path) where path.last?.kind == .class:
            module == "Foundation" ? nil : "[\(name)]"
        default: nil
        }
    }

    /// The expression for the index set in a parameter.
    private static func places(_ name: String, _ type: ManagedType) -> String? {
        switch type {
        case .shorthand(.int): "Foundation.IndexSet(integer: \(name))"
        case .struct("Foundation", "IndexSet"): name
        case .class("Foundation", "NSIndexSet"): "\(name)._bridgeToSwift()"
        default: nil
        }
    }
}
