import CloudKitService

/// The record types of an environment, as described in CloudKit's schema language.
struct SchemaDescription: Equatable, Sendable {
    /// The types of indexes, in the order in which the language writes them.
    enum Index: String, CaseIterable, Sendable {
        case queryable = "QUERYABLE"
        case searchable = "SEARCHABLE"
        case sortable = "SORTABLE"

        /// The indexes of a field that was learned from a record.
        static func automatic(for type: FieldType, isEncrypted: Bool) -> Set<Index> {
            let element = type.element ?? type
            guard !isEncrypted, ![.bytes, .asset].contains(element) else { return [] }
            var indexes: Set<Index> = [.queryable]
            if type == element { indexes.insert(.sortable) }
            if element == .string { indexes.insert(.searchable) }
            return indexes
        }

        /// The keywords of the indexes in the file.
        static func text(_ indexes: Set<Index>) -> String {
            allCases.filter(indexes.contains).map(\.rawValue).joined(separator: " ")
        }

        /// Parses the keywords of indexes.
        static func indexes(in text: String) -> Set<Index> {
            Set(text.split(separator: " ").compactMap { Index(rawValue: String($0)) })
        }
    }

    struct Field: Equatable, Sendable {
        var type: FieldType
        var isEncrypted = false
        var indexes: Set<Index> = []
    }

    /// Record type → field name → field, without the fields that every record has.
    var recordTypes: [String: [String: Field]] = [:]

    /// Something that would be lost if this schema replaced another; nil if nothing would.
    func loss(from other: SchemaDescription) -> String? {
        for (type, fields) in other.recordTypes.sorted(by: { $0.key < $1.key }) {
            guard let own = recordTypes[type] else { return "the record type \(type) is missing" }
            for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
                guard let ownField = own[name] else { return "\(type).\(name) is missing" }
                guard ownField.type.columnType == field.type.columnType,
                    ownField.isEncrypted == field.isEncrypted
                else { return "\(type).\(name) has another type" }
            }
        }
        return nil
    }
}

extension SchemaDescription {
    /// The description in the schema language, as `cktool export-schema` writes it.
    var text: String {
        let types = recordTypes.sorted { $0.key < $1.key }.map { type, fields in
            let lines =
                Self.systemFields
                + fields.sorted { $0.key < $1.key }.map {
                    "\(Self.quoted($0.key)) \($0.value.text)"
                }
                + Self.grants
            return "    RECORD TYPE \(Self.quoted(type)) (\n"
                + lines.map { "        \($0)" }.joined(separator: ",\n") + "\n    );\n"
        }
        return "DEFINE SCHEMA\n\n" + types.joined(separator: "\n")
    }

    private static let systemFields = [
        #""___createTime" TIMESTAMP"#, #""___createdBy" REFERENCE"#, #""___etag" STRING"#,
        #""___modTime" TIMESTAMP"#, #""___modifiedBy" REFERENCE"#,
        #""___recordID" REFERENCE QUERYABLE"#,
    ]

    /// The default permissions of a new record type.
    private static let grants = [
        #"GRANT WRITE TO "_creator""#, #"GRANT CREATE TO "_icloud""#, #"GRANT READ TO "_world""#,
    ]

    /// A quoted name. Quotes are always allowed, and required for keywords.
    private static func quoted(_ name: String) -> String {
        SchemaParser.words.contains(name.uppercased()) ? "\"\(name)\"" : name
    }
}

extension SchemaDescription.Field {
    fileprivate var text: String {
        let name = (isEncrypted ? "ENCRYPTED " : "") + type.schemaName
        return indexes.isEmpty ? name : name + " " + SchemaDescription.Index.text(indexes)
    }
}

extension FieldType {
    /// The name in the schema language.
    fileprivate var schemaName: String {
        if let element { return "LIST<\(element.schemaName)>" }
        return self == .asset ? "ASSET" : rawValue
    }
}
