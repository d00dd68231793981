import CloudKitService
import SeamSQLite

/// The schema of a container, as developers manage it in CloudKit's console and with `cktool`.
extension LocalCloud {
    /// Replaces the schema of the development environment with one in CloudKit's schema language.
    /// Records do not change.
    ///
    /// - Parameters:
    ///   - text: The schema, as `cktool export-schema` and `SMStore.cloudKitSchema(for:)` write it.
    ///     Roles
    ///     and permissions are read, and not kept.
    ///   - container: The container.
    /// - Throws: `badRequest` with the line of a mistake, or if the schema lacks something that
    ///   production has. Nothing is changed then.
    public func importSchema(
        _ text: String, container: String
    ) async throws(CloudKitServiceError) {
        do {
            let schema = try SchemaParser.parse(text)
            let production = try await stores.store(container: container, environment: .production)
                .read(SchemaDescription.init)
            if let loss = schema.loss(from: production) {
                throw CloudKitServiceError(
                    .badRequest, reason: "the schema would lose data of production: \(loss)")
            }
            try await stores.store(container: container, environment: .development).write {
                try $0.execute("DELETE FROM record_field")
                try $0.execute("DELETE FROM record_type")
                try schema.write(to: $0)
            }
        } catch let failure as SchemaParser.Failure {
            throw CloudKitServiceError(.badRequest, reason: "\(failure)")
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }

    /// The schema of an environment in CloudKit's schema language, with the default permissions of
    /// new record types.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - environment: The environment.
    public func exportSchema(
        container: String, environment: RequestContext.Environment = .development
    ) async throws(CloudKitServiceError) -> String {
        do {
            return try await stores.store(container: container, environment: environment)
                .read(SchemaDescription.init).text
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }

    /// Copies the record types and fields of development to production.
    ///
    /// - Parameter container: The container.
    public func deploySchema(container: String) async throws(CloudKitServiceError) {
        do {
            let schema = try await stores.store(container: container, environment: .development)
                .read(SchemaDescription.init)
            try await stores.store(container: container, environment: .production).write {
                try schema.write(to: $0)
            }
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }
}

extension SchemaDescription {
    /// Reads the schema of an environment.
    init(_ connection: SQLiteConnection) throws {
        for name in try connection.rows("SELECT name FROM record_type", [], { $0.text(at: 0) }) {
            recordTypes[name] = [:]
        }
        try connection.forEachRow(
            "SELECT record_type, name, type, is_encrypted, indexes FROM record_field"
        ) { row in
            recordTypes[row.text(at: 0), default: [:]][row.text(at: 1)] = Field(
                type: FieldType(rawValue: row.text(at: 2)), isEncrypted: row.integer(at: 3) != 0,
                indexes: Index.indexes(in: row.text(at: 4)))
        }
    }

    /// Writes the record types and fields, replacing those with the same names.
    fileprivate func write(to connection: SQLiteConnection) throws {
        for (type, fields) in recordTypes {
            try connection.execute(
                "INSERT OR IGNORE INTO record_type (name) VALUES (?)", [.text(type)])
            for (name, field) in fields {
                try connection.execute(
                    """
                    INSERT OR REPLACE INTO record_field
                        (record_type, name, type, is_encrypted, indexes)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                    [
                        .text(type), .text(name), .text(field.type.rawValue),
                        .integer(field.isEncrypted ? 1 : 0),
                        .text(Index.text(field.indexes)),
                    ])
            }
        }
    }
}
