import CoreData
import SeamSQLite

/// Writes a SQLite file with the layout of Core Data's own store, for any model, as far as that
/// layout is publicly known.
public struct CoreDataFileWriter {
    /// An object of the file.
    public struct Row {
        /// The entity's name.
        public var entity: String
        /// The primary key among the objects of the root entity.
        public var key: Int64
        /// Attribute, or path to an element of a composite one → the column's value.
        public var values: [String: SQLiteValue] = [:]
        /// To-one relationship → the destination's key.
        public var toOnes: [String: Int64] = [:]
        /// To-many relationship without a to-one inverse → the destinations' keys, in order.
        public var toManys: [String: [Int64]] = [:]
        /// To-one relationship → the position among the members of the ordered inverse.
        public var places: [String: Int64] = [:]

        /// - Parameters:
        ///   - entity: The entity's name.
        ///   - key: The primary key among the objects of the root entity.
        ///   - values: Attribute, or path to an element of a composite one → the column's value.
        public init(_ entity: String, _ key: Int64, _ values: [String: SQLiteValue] = [:]) {
            self.entity = entity
            self.key = key
            self.values = values
        }
    }

    let model: NSManagedObjectModel
    /// The value in the table `Z_MODELCACHE`; nil for a file of an old version, which has no such
    /// table.
    public var modelCache: Data?
    /// Makes the name of an element of a composite attribute, which follows the Z, of the path to it.
    public var elementName: ([String]) -> String = { $0.joined(separator: "_") }

    /// - Parameters:
    ///   - model: The model of the file.
    ///   - keepsModel: Whether the file contains the model.
    public init(_ model: NSManagedObjectModel, keepsModel: Bool = true) {
        self.model = model
        modelCache = keepsModel ? CompiledModelArchive(model).packed : nil
    }

    /// Writes the file.
    public func write(_ rows: [Row], to url: URL) throws {
        let connection = try SQLiteConnection(path: url.path)
        try connection.transaction(.immediate) {
            let layout = CoreDataLayout(model, elementName: elementName)
            try writeFixedTables(layout, connection)
            for statement in layout.tables { try connection.execute(statement) }
            for row in rows { try write(row, layout, connection) }
        }
    }

    private func writeFixedTables(
        _ layout: CoreDataLayout, _ connection: SQLiteConnection
    ) throws {
        try connection.execute(
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
        )
        try connection.execute(
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,"
                + " Z_MAX INTEGER)")
        let plist = try PropertyListSerialization.data(
            fromPropertyList: ["NSStoreType": "SQLite"], format: .binary, options: 0)
        try connection.execute(
            "INSERT INTO Z_METADATA VALUES (1, ?, ?)", [.text(UUID().uuidString), .blob(plist)])
        for (name, number) in layout.numbers {
            let parent = model.entitiesByName[name]?.superentity?.name
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)",
                [
                    .integer(number), .text(name),
                    .integer(parent.flatMap { layout.numbers[$0] } ?? 0),
                ])
        }
        guard let modelCache else { return }
        try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
        try connection.execute("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(modelCache)])
    }

    private func write(
        _ row: Row, _ layout: CoreDataLayout, _ connection: SQLiteConnection
    ) throws {
        guard let entity = model.entitiesByName[row.entity] else { return }
        var columns: [String: SQLiteValue] = [
            "Z_PK": .integer(row.key), "Z_ENT": .integer(layout.numbers[row.entity] ?? 0),
            "Z_OPT": .integer(1),
        ]
        for (name, value) in row.values {
            columns[layout.column(of: name, in: entity)] = value
        }
        for (name, key) in row.toOnes {
            columns[layout.column(of: name, in: entity)] = .integer(key)
        }
        for (name, place) in row.places {
            columns["Z_FOK_" + layout.column(of: name, in: entity).dropFirst()] = .integer(place)
        }
        let names = columns.keys.sorted()
        try connection.execute(
            "INSERT INTO \(layout.table(of: entity)) (\(names.map(\.sqlIdentifier).joined(separator: ", ")))"
                + " VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))",
            names.map { columns[$0] ?? .null })
        for (name, members) in row.toManys {
            guard let relationship = entity.relationshipsByName[name] else { continue }
            for (place, member) in members.enumerated() {
                try write(
                    member, of: row.key, relationship, place: Int64(place + 2) * 1024, layout,
                    connection)
            }
        }
    }

    /// Writes a member of a to-many relationship that has no to-one inverse.
    private func write(
        _ member: Int64, of owner: Int64, _ relationship: NSRelationshipDescription, place: Int64,
        _ layout: CoreDataLayout, _ connection: SQLiteConnection
    ) throws {
        if let join = layout.join(of: relationship) {
            var columns = "\(join.own), \(join.other)"
            var values: [SQLiteValue] = [.integer(owner), .integer(member)]
            if relationship.isOrdered {
                columns += ", Z_FOK_\(join.other.dropFirst(2))"
                values.append(.integer(place))
            }
            try connection.execute(
                "INSERT OR REPLACE INTO \(join.table) (\(columns))"
                    + " VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))", values)
            return
        }
        guard let destination = relationship.destinationEntity else { return }
        let column = layout.columnWithoutInverse(of: relationship)
        var assignment = "\(column) = ?"
        var values: [SQLiteValue] = [.integer(owner)]
        if relationship.isOrdered {
            assignment += ", Z_FOK_\(column.dropFirst()) = ?"
            values.append(.integer(place))
        }
        try connection.execute(
            "UPDATE \(layout.table(of: destination)) SET \(assignment) WHERE Z_PK = ?",
            values + [.integer(member)])
    }
}
