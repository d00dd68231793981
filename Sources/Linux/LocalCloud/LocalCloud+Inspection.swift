import CloudKitService
import SeamSQLite

/// What a cloud holds, as a developer sees it in CloudKit's console. Nothing here makes a request, so no
/// fault applies and no account is needed.
extension LocalCloud {
    /// An environment of a container that has been used.
    public struct Place: Hashable, Sendable {
        /// The container's identifier.
        public let container: String
        /// The environment.
        public let environment: RequestContext.Environment

        /// Creates a place.
        public init(container: String, environment: RequestContext.Environment) {
            self.container = container
            self.environment = environment
        }
    }

    /// A user who has a private database in a container.
    public struct User: Hashable, Sendable {
        /// The name with which the user is signed in.
        public let name: String
        /// The name of the user's record in the container.
        public let recordName: String
        /// How many bytes the records and assets of the private database have.
        public let bytes: Int64
    }

    /// A record type of a schema.
    public struct RecordType: Hashable, Sendable {
        /// The type's name.
        public let name: String
        /// The fields by name, without those that every record has.
        public let fields: [Field]

        /// A field of a record type.
        public struct Field: Hashable, Sendable {
            /// The field's name.
            public let name: String
            /// The type of its values.
            public let type: FieldType
            /// Whether the values are encrypted.
            public let isEncrypted: Bool
            /// The words for its indexes: `QUERYABLE`, `SEARCHABLE`, `SORTABLE`.
            public let indexes: [String]
        }
    }

    /// A zone with the number of its records.
    public struct ZoneContents: Hashable, Sendable {
        /// The zone's name.
        public let name: String
        /// The number of records of each type that the zone has any of.
        public let recordCounts: [String: Int]
    }

    /// Who is signed in, on a device, in a container, on a device in a container, or otherwise everywhere.
    public struct AccountEntry: Hashable, Sendable {
        /// The container; nil: all that have no entry of their own.
        public let container: String?
        /// The device; nil: all that have no entry of their own.
        public let device: String?
        /// The user's name.
        public let user: String
        /// The status of the account.
        public let status: AccountStatus
    }

    /// The environments of containers that have been used, sorted.
    ///
    /// - Throws: `internalError` if the cloud's directory cannot be read.
    public func places() throws(CloudKitServiceError) -> [Place] {
        do {
            return try stores.places().map {
                Place(container: $0.container, environment: $0.environment)
            }
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }

    /// The users who have a private database, sorted.
    ///
    /// - Throws: `internalError` if the container's file cannot be read.
    public func users(in place: Place) async throws(CloudKitServiceError) -> [User] {
        try await read(place) { connection in
            try connection.rows(
                "SELECT owner, bytes FROM cloud_database WHERE scope = ? ORDER BY owner",
                [.text(RequestContext.DatabaseScope.private.rawValue)]
            ) { row in
                User(
                    name: row.text(at: 0),
                    recordName: Caller.userRecordName(
                        of: row.text(at: 0), container: place.container),
                    bytes: row.integer(at: 1))
            }
        }
    }

    /// The record types of the schema with their fields, sorted.
    ///
    /// - Throws: `internalError` if the container's file cannot be read.
    public func recordTypes(in place: Place) async throws(CloudKitServiceError) -> [RecordType] {
        let schema = try await read(place, SchemaDescription.init)
        return schema.recordTypes.sorted { $0.key < $1.key }.map { type, fields in
            let fields = fields.sorted { $0.key < $1.key }.map { name, field in
                RecordType.Field(
                    name: name, type: field.type, isEncrypted: field.isEncrypted,
                    indexes: SchemaDescription.Index.allCases.filter(field.indexes.contains)
                        .map(\.rawValue))
            }
            return RecordType(name: type, fields: fields)
        }
    }

    /// The zones of a database with the number of their records, sorted. There are none in a database that
    /// nobody has used.
    ///
    /// - Parameters:
    ///   - place: The container and its environment.
    ///   - scope: The database.
    ///   - user: Whose database it is; nil for the public one.
    /// - Throws: `internalError` if the container's file cannot be read.
    public func zones(
        in place: Place, scope: RequestContext.DatabaseScope, user: String?
    ) async throws(CloudKitServiceError) -> [ZoneContents] {
        try await read(place) { connection in
            var zones: [String: [String: Int]] = [:]
            try connection.forEachRow(
                """
                SELECT zone.name, record.type, count(record.id) FROM zone
                JOIN cloud_database ON cloud_database.id = zone.database_id
                LEFT JOIN record ON record.zone_id = zone.id AND record.is_deleted = 0
                WHERE scope = ? AND owner = ? AND deletion_reason IS NULL
                GROUP BY zone.id, record.type
                """, [.text(scope.rawValue), .text(scope == .public ? "" : user ?? "")]
            ) { row in
                let count = Int(row.integer(at: 2))
                zones[row.text(at: 0), default: [:]][row.text(at: 1)] = count > 0 ? count : nil
            }
            return zones.sorted { $0.key < $1.key }.map {
                ZoneContents(name: $0.key, recordCounts: $0.value)
            }
        }
    }

    /// Who was signed in where. A device without an entry has that of the device whose name it
    /// continues after a slash, or else that of its container or of all.
    ///
    /// - Throws: `internalError` if the cloud's file cannot be read.
    public func accountEntries() throws(CloudKitServiceError) -> [AccountEntry] {
        try accounts.entries()
    }

    /// Who is signed in on a device.
    ///
    /// - Parameters:
    ///   - device: The device's name.
    ///   - container: The container.
    /// - Throws: `internalError` if the cloud's file cannot be read.
    public func account(
        device: String, container: String
    ) throws(CloudKitServiceError) -> AccountEntry {
        let account = try accounts.account(container: container, device: device)
        return AccountEntry(
            container: container, device: device, user: account.user, status: account.status)
    }

    /// Lets a device act for a user in requests through this instance, without signing the user in: for tools that read
    /// what a cloud holds.
    ///
    /// - Parameters:
    ///   - device: The name of a device that no app has.
    ///   - user: The user's name.
    public func answer(_ device: String, as user: String) { accounts.assume(user, device: device) }

    private func read<T: Sendable>(
        _ place: Place, _ body: @escaping @Sendable (SQLiteConnection) throws -> T
    ) async throws(CloudKitServiceError) -> T {
        do {
            return try await stores.store(
                container: place.container, environment: place.environment
            ).read(body)
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }
}
