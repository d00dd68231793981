import CoreData

/// The contents of a `PropertyListStore`'s file.
struct PropertyListContents {
    struct Key: Hashable {
        var entity: String
        var reference: String

        init(entity: String, reference: String) {
            self.entity = entity
            self.reference = reference
        }

        init(text: String) {
            let parts = text.split(separator: "/", maxSplits: 1)
            self.init(entity: "\(parts.first ?? "")", reference: "\(parts.last ?? "")")
        }

        var text: String { "\(entity)/\(reference)" }
    }

    struct Row {
        /// Encoded attribute values, and the keys of destinations.
        var values: [String: Any]
        var version: UInt64
    }

    var metadata: [String: Any] = [:]
    var rows: [String: [String: Row]] = [:]
    var last = 0

    init() {}

    init(contentsOf url: URL) throws {
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: url), format: nil)
        guard let list = list as? [String: Any], let rows = list["rows"] as? [String: Any],
            let last = list["last"] as? Int
        else { throw CocoaError(.fileReadCorruptFile, userInfo: [NSURLErrorKey: url]) }
        metadata = list["metadata"] as? [String: Any] ?? [:]
        self.last = last
        self.rows = rows.mapValues { rows in
            (rows as? [String: [String: Any]] ?? [:]).mapValues { row in
                Row(
                    values: row["values"] as? [String: Any] ?? [:],
                    version: UInt64(row["version"] as? Int ?? 0))
            }
        }
    }

    func write(to url: URL) throws {
        let rows = rows.mapValues { rows in
            rows.mapValues { ["values": $0.values, "version": Int($0.version)] as [String: Any] }
        }
        let list: [String: Any] = ["metadata": metadata, "rows": rows, "last": last]
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: url, options: .atomic)
    }

    subscript(key: Key) -> Row? {
        get { rows[key.entity]?[key.reference] }
        set { rows[key.entity, default: [:]][key.reference] = newValue }
    }

    /// An attribute's value as a property list value.
    static func encode(_ value: Any) -> Any {
        switch value {
        case let uuid as UUID: ["uuid": uuid.uuidString]
        case let url as URL: ["url": url.absoluteString]
        case let number as NSDecimalNumber: ["decimal": number.description]
        default: value
        }
    }

    static func decode(_ value: Any) -> Any {
        guard let tagged = value as? [String: String] else { return value }
        if let text = tagged["uuid"] { return UUID(uuidString: text) ?? value }
        if let text = tagged["url"] { return URL(string: text) ?? value }
        if let text = tagged["decimal"] { return NSDecimalNumber(string: text) }
        return value
    }
}
