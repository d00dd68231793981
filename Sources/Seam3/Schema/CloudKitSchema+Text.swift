/// The schema in CloudKit's schema language, as accepted by `cktool import-schema`.
extension CloudKitSchema {
    var text: String {
        let types = recordTypes.map(Self.text).joined(separator: "\n")
        return "DEFINE SCHEMA\n\n\(types)"
    }

    /// The system fields of every record type. The index of the record's ID lets the console list
    /// the records.
    private static let systemFields = [
        #""___createTime" TIMESTAMP"#, #""___createdBy" REFERENCE"#, #""___etag" STRING"#,
        #""___modTime" TIMESTAMP"#, #""___modifiedBy" REFERENCE"#,
        #""___recordID" REFERENCE QUERYABLE"#,
    ]

    /// CloudKit's default permissions. They apply to the public database only.
    private static let grants = [
        #"GRANT WRITE TO "_creator""#, #"GRANT CREATE TO "_icloud""#, #"GRANT READ TO "_world""#,
    ]

    private static func text(_ type: RecordType) -> String {
        let fields = type.fields.map { field in
            let encrypted = field.isEncrypted ? "ENCRYPTED " : ""
            return "\(quoted(field.name)) \(encrypted)\(field.type.rawValue)"
        }
        let lines = (systemFields + fields + grants).map { "        \($0)" }
        return "    RECORD TYPE \(quoted(type.name)) (\n\(lines.joined(separator: ",\n"))\n    );\n"
    }

    /// A name that could be read as a keyword is quoted; CloudKit's names need no other escaping.
    private static func quoted(_ name: String) -> String {
        words.contains(name.uppercased()) ? "\"\(name)\"" : name
    }

    private static let words: Set<String> = [
        "AS", "ASSET", "BYTES", "CREATE", "DEFINE", "DOUBLE", "ENCRYPTED", "GRANT", "INT64", "LIST",
        "LOCATION", "NUMBER", "PREFERRED", "QUERYABLE", "READ", "RECORD", "REFERENCE", "ROLE",
        "SCHEMA",
        "SEARCHABLE", "SORTABLE", "STRING", "TIMESTAMP", "TO", "TYPE", "WRITE",
    ]
}
