import CoreData

/// The table `sm_entity`: the number of each entity and of each many-to-many relationship, for
/// people who inspect the file.
struct EntityTable {
    static let name = "sm_entity"

    static let statements = [
        """
        CREATE TABLE sm_entity (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, \
        parent INTEGER, root INTEGER NOT NULL)
        """
    ]

    let database: StoreDatabase

    /// Writes the entities and links of the schema.
    func write() throws {
        let (connection, schema) = (database.connection, database.schema)
        try connection.execute("DELETE FROM sm_entity")
        func add(_ number: Int64, _ name: String, parent: Int64?, root: Int64) throws {
            try connection.execute(
                "INSERT INTO sm_entity (number, name, parent, root) VALUES (?, ?, ?, ?)",
                [.integer(number), .text(name), SQLiteValue(parent), .integer(root)])
        }
        for entity in schema.entities {
            let parent = schema.entity(named: entity.description.superentity?.name)
            let root = schema.entity(named: entity.rootName) ?? entity
            try add(entity.number, entity.name, parent: parent?.number, root: root.number)
        }
        for link in schema.links {
            try add(link.number, link.recordType, parent: nil, root: link.number)
        }
    }
}
