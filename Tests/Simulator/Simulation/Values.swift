/// The values of an item. A parent is a record name, and counts whether that record is there or not.
struct Values: Hashable, CustomStringConvertible {
    /// By property; what is nil is missing.
    var fields: [String: String] = [:]

    static let parent = "parent"

    subscript(name: String) -> String? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    /// The properties in which two items differ.
    func differences(from other: Values) -> Set<String> {
        Set(fields.keys).union(other.fields.keys).filter { fields[$0] != other.fields[$0] }
    }

    /// The values with a parent that is not there taken for none, as an application sees them.
    func visible(among names: Set<String>) -> Values {
        var values = self
        if let parent = self[Self.parent], !names.contains(parent) { values[Self.parent] = nil }
        return values
    }

    var description: String {
        fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
    }
}
