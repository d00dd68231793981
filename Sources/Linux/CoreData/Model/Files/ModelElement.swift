import FoundationGaps

/// An element of a model file with its place, which every error can name.
struct ModelElement {
    let node: XMLNode
    let file: URL
    /// The names of the elements on the path to this one.
    let path: [String]

    init(root: XMLNode, file: URL) {
        node = root
        self.file = file
        path = []
    }

    private init(_ node: XMLNode, in parent: ModelElement) {
        self.node = node
        file = parent.file
        path = parent.path + [[node.name, node["name"]].compactMap(\.self).joined(separator: " ")]
    }

    /// The children of a given kind, in the file's order.
    func children(_ kind: String) -> [ModelElement] {
        node.children(named: kind).map { ModelElement($0, in: self) }
    }

    /// The text of an attribute.
    func text(_ attribute: String) -> String? {
        node[attribute]
    }

    /// The text of a required attribute, which must not be empty.
    func required(_ attribute: String) throws -> String {
        guard let text = node[attribute], !text.isEmpty else {
            throw failure("a value is required", attribute: attribute)
        }
        return text
    }

    /// A Boolean, written as YES or NO.
    func flag(_ attribute: String, default value: Bool = false) throws -> Bool {
        switch node[attribute]?.lowercased() {
        case nil: return value
        case "yes", "true", "1": return true
        case "no", "false", "0": return false
        case let text?:
            throw failure("'\(text)' is neither YES nor NO", attribute: attribute)
        }
    }

    /// An integer.
    func integer(_ attribute: String) throws -> Int? {
        guard let text = node[attribute] else { return nil }
        guard let number = Int(text) else {
            throw failure("'\(text)' is not an integer", attribute: attribute)
        }
        return number
    }

    /// A number of objects, which is not negative.
    func count(_ attribute: String) throws -> Int? {
        let count = try integer(attribute)
        if let count, count < 0 {
            throw failure("'\(count)' is less than 0", attribute: attribute)
        }
        return count
    }

    /// A finite floating-point number.
    func number(_ attribute: String) throws -> Double? {
        guard let text = node[attribute] else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw failure("'\(text)' is not a number", attribute: attribute)
        }
        return number
    }

    /// The entries of a `userInfo` child; nil if there is none.
    func userInfo() throws -> [AnyHashable: Any]? {
        guard let list = children("userInfo").first else { return nil }
        var entries: [AnyHashable: Any] = [:]
        for entry in list.children("entry") {
            try entries[entry.required("key")] = entry.text("value") ?? ""
        }
        return entries
    }

    /// A name that is not among the names of earlier elements of the kind.
    func newName(_ names: inout Set<String>, of kind: String) throws -> String {
        let name = try required("name")
        guard names.insert(name).inserted else {
            throw failure("there are two \(kind) of this name", attribute: "name")
        }
        return name
    }

    func failure(_ reason: String, attribute: String? = nil) -> ManagedObjectModelFileError {
        ManagedObjectModelFileError(
            url: file, line: node.line,
            element: path.isEmpty ? node.name : path.joined(separator: ", "),
            attribute: attribute, reason: reason)
    }
}
