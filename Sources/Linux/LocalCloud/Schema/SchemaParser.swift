import CloudKitService

/// Reads CloudKit's schema language.
struct SchemaParser {
    /// A syntax error, with its line.
    struct Failure: Error, CustomStringConvertible {
        let line: Int
        let reason: String

        var description: String { "line \(line): \(reason)" }
    }

    /// The keywords of the language.
    static let words: Set<String> = [
        "AS", "ASSET", "BYTES", "CREATE", "DEFINE", "DOUBLE", "ENCRYPTED", "GRANT", "INT64", "LIST",
        "LOCATION", "NUMBER", "PREFERRED", "QUERYABLE", "READ", "RECORD", "REFERENCE", "ROLE",
        "SCHEMA",
        "SEARCHABLE", "SORTABLE", "STRING", "TIMESTAMP", "TO", "TYPE", "WRITE",
    ]

    private static let types: [String: FieldType] = [
        "ASSET": .asset, "BYTES": .bytes, "DOUBLE": .double, "INT64": .int64,
        "LOCATION": .location, "NUMBER": .number, "REFERENCE": .reference, "STRING": .string,
        "TIMESTAMP": .timestamp,
    ]

    private let tokens: [SchemaToken]
    private var position = 0

    /// Reads a text.
    ///
    /// - Throws: ``Failure``.
    static func parse(_ text: String) throws -> SchemaDescription {
        var parser = SchemaParser(tokens: try SchemaToken.all(of: text))
        return try parser.schema()
    }

    private init(tokens: [SchemaToken]) {
        self.tokens = tokens
    }

    // MARK: - Grammar

    private mutating func schema() throws -> SchemaDescription {
        try expect("DEFINE")
        try expect("SCHEMA")
        var schema = SchemaDescription()
        while !isAtEnd {
            if takes("CREATE") {
                try expect("ROLE")
                _ = try name()
            } else {
                try expect("RECORD")
                try expect("TYPE")
                let line = line
                let name = try name()
                guard schema.recordTypes[name] == nil else {
                    throw Failure(line: line, reason: "the record type \(name) is declared twice")
                }
                schema.recordTypes[name] = try fields()
            }
            try expect(";")
        }
        return schema
    }

    private mutating func fields() throws -> [String: SchemaDescription.Field] {
        var fields: [String: SchemaDescription.Field] = [:]
        try expect("(")
        repeat {
            if takes("GRANT") {
                try permissions()
                continue
            }
            let line = line
            let name = try name()
            let field = try field()
            // System fields.
            guard !name.hasPrefix("___") else { continue }
            guard fields.updateValue(field, forKey: name) == nil else {
                throw Failure(line: line, reason: "the field \(name) is declared twice")
            }
        } while takes(",")
        try expect(")")
        return fields
    }

    private mutating func permissions() throws {
        repeat {
            guard takes("READ") || takes("CREATE") || takes("WRITE") else {
                throw failure("READ, CREATE or WRITE")
            }
        } while takes(",")
        try expect("TO")
        _ = try name()
    }

    private mutating func field() throws -> SchemaDescription.Field {
        let isEncrypted = takes("ENCRYPTED")
        var field = SchemaDescription.Field(type: try type(), isEncrypted: isEncrypted)
        while let index = SchemaDescription.Index.allCases.first(where: { takes($0.rawValue) }) {
            field.indexes.insert(index)
        }
        return field
    }

    private mutating func type() throws -> FieldType {
        guard takes("LIST") else { return try primitiveType() }
        try expect("<")
        let element = try primitiveType()
        try expect(">")
        return element.list
    }

    private mutating func primitiveType() throws -> FieldType {
        guard let word = current?.word, let type = Self.types[word.uppercased()] else {
            throw failure("a type")
        }
        position += 1
        guard type == .number, takes("PREFERRED") else { return type }
        try expect("AS")
        guard takes("INT64") || takes("DOUBLE") else { throw failure("INT64 or DOUBLE") }
        return type
    }

    // MARK: - Tokens

    private var isAtEnd: Bool { position == tokens.count }
    private var current: SchemaToken? { isAtEnd ? nil : tokens[position] }
    private var line: Int { current?.line ?? tokens.last?.line ?? 1 }

    private func failure(_ expected: String) -> Failure {
        let found = current.map { "“\($0.text)”" } ?? "the end"
        return Failure(line: line, reason: "\(expected) is expected before \(found)")
    }

    /// Consumes the next token if it is the given word or symbol.
    private mutating func takes(_ text: String) -> Bool {
        guard let current, !current.isQuoted, current.text.uppercased() == text else {
            return false
        }
        position += 1
        return true
    }

    private mutating func expect(_ text: String) throws {
        guard takes(text) else { throw failure(text) }
    }

    private mutating func name() throws -> String {
        guard let current, current.isQuoted || current.word != nil else { throw failure("a name") }
        position += 1
        return current.text
    }
}
