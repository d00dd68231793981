/// The names of a record's fields that belong to an object, collected while the object encodes
/// itself.
///
/// A record can have other fields as well: those of a newer version of the app, of other clients,
/// and of ignored properties. An object that does not know a field cannot decide to remove it.
final class FieldNames {
    /// The names of the properties that are not encoded.
    private(set) var ignored: Set<String>
    private var keyTypes: [ObjectIdentifier: any CodingKey.Type] = [:]
    private var used: Set<String> = []

    init(ignored: Set<String>) {
        self.ignored = ignored
    }

    /// Adds all names that have a key of a type.
    func add(_ keyType: any CodingKey.Type) {
        keyTypes[ObjectIdentifier(keyType)] = keyType
    }

    /// Adds a name for which a value was encoded. The key's type need not know it: `super` is the
    /// encoder's own name.
    func add(_ name: String) {
        used.insert(name)
    }

    /// Adds the names of another object that shares the record.
    func formUnion(_ other: FieldNames) {
        keyTypes.merge(other.keyTypes) { own, _ in own }
        used.formUnion(other.used)
        ignored.formUnion(other.ignored)
    }

    func contains(_ name: String) -> Bool {
        guard !ignored.contains(name) else { return false }
        return used.contains(name)
            || keyTypes.values.contains { $0.init(stringValue: name) != nil }
    }
}
