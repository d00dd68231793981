/// What one record says: the properties of an object, or the two ends of a link.
///
/// A reference is a record name, and counts whether that record is there or not.
struct Values: Hashable, CustomStringConvertible {
    /// By property; what is nil is missing.
    var fields: [String: String] = [:]

    static let kind = "kind"
    static let parent = "parent"
    static let list = "list"
    /// The place in the list: which one a move gives is the store's to choose, what follows from it
    /// is not.
    static let place = "list_order"
    /// What leads to other objects, or says where among them.
    static let references: Set = [parent, list, place]
    static let source = "source"
    static let target = "target"

    /// An object.
    init(_ kind: Kind) { self[Self.kind] = kind.rawValue }

    /// The link of an item with a tag.
    init(linking item: String, with tag: String) {
        fields = [Self.kind: Self.link, Self.source: item, Self.target: tag]
    }

    init() {}

    subscript(name: String) -> String? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    // MARK: - Links

    private static let link = "link"
    private static let linkSign: Character = "+"

    /// By which name the oracle knows the link of an item with a tag.
    static func linkName(_ item: String, _ tag: String) -> String { "\(item)\(linkSign)\(tag)" }

    /// The names of a link's ends; nil if the name is not that of a link.
    static func endsOfLink(_ name: String) -> [String]? {
        let ends = name.split(separator: linkSign).map(String.init)
        return ends.count == 2 ? ends : nil
    }

    /// Whether a name is that of a link.
    static func isLinkName(_ name: String) -> Bool { name.contains(linkSign) }

    var isLink: Bool { self[Self.kind] == Self.link }

    // MARK: - Comparing

    /// The properties in which two objects differ.
    func differences(from other: Values) -> Set<String> {
        Set(fields.keys).union(other.fields.keys).filter { fields[$0] != other.fields[$0] }
    }

    /// The values as an application sees them: without references to what is not there, and no link at
    /// all without both of its ends.
    func visible(among names: Set<String>) -> Values? {
        if isLink {
            return [Self.source, Self.target].allSatisfy { names.contains(self[$0] ?? "") }
                ? self : nil
        }
        var values = self
        for reference in [Self.parent, Self.list] {
            if let name = self[reference], !names.contains(name) { values[reference] = nil }
        }
        return values
    }

    var description: String {
        fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
    }
}
