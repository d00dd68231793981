/// The tables of a store file.
///
/// - `sm_metadata`: the store's metadata, the schema catalogue and all sync state, by key.
/// - `sm_object`: one row for each object, link and placeholder. `entity` is the number of the
///   entity or link type; 0 for a placeholder, a record that is referred to but has not arrived;
///   negative for an object that was deleted here while the server has not acknowledged it yet.
///   `sweep` is the number of the last full refetch that saw the record.
/// - one table for each root entity: `pk`, `entity`, row `version`, and a column for each property.
/// - one table for each many-to-many relationship: `pk`, `source`, `target` and order keys.
/// - `sm_change`: the outbox, one row for each changed object or link.
/// - `sm_sequence`: the next `pk` and the next revision; numbers are never used again.
enum StoreTables {
    /// The version of this layout, kept in the file. A higher one was written by a newer Seam3.
    static let layoutVersion: Int64 = 1

    /// "Seam", in the header of the file: it tells the file from others without opening it.
    static let applicationID: Int64 = 0x5365_616d

    static let fixed = [
        "PRAGMA application_id = \(applicationID)",
        "CREATE TABLE sm_metadata (key TEXT PRIMARY KEY, value) WITHOUT ROWID",
        """
        CREATE TABLE sm_entity (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, \
        parent INTEGER, root INTEGER NOT NULL)
        """,
        """
        CREATE TABLE sm_object (pk INTEGER PRIMARY KEY, entity INTEGER NOT NULL, \
        record_name TEXT NOT NULL UNIQUE, change_tag TEXT, system_fields BLOB, \
        sweep INTEGER NOT NULL DEFAULT 0)
        """,
        "CREATE INDEX sm_object_absent ON sm_object (entity) WHERE entity <= 0",
        """
        CREATE TABLE sm_change (pk INTEGER PRIMARY KEY, kind INTEGER NOT NULL, \
        revision INTEGER NOT NULL, changed BLOB, sent BLOB, attempts INTEGER NOT NULL DEFAULT 0, \
        parked INTEGER NOT NULL DEFAULT 0, error TEXT)
        """,
        "CREATE TABLE sm_sequence (next_pk INTEGER NOT NULL, next_revision INTEGER NOT NULL)",
        "INSERT INTO sm_sequence VALUES (1, 1)",
    ]

    /// The statements that make the tables of a schema's entities and links in an empty file.
    static func statements(for schema: StoreSchema) -> [String] {
        schema.tables.map(\.tableStatement) + schema.links.map(linkStatement)
            + indexStatements(for: schema)
    }

    /// The statements that make all indexes of a schema.
    static func indexStatements(for schema: StoreSchema) -> [String] {
        schema.tables.flatMap(\.indexStatements)
            + schema.links.map { link in
                "CREATE INDEX \("sm_index \(link.table).target".sqlIdentifier)"
                    + " ON \(link.table.sqlIdentifier) (target, source)"
            }
            + fetchIndexes(for: schema) + constraintIndexes(for: schema)
            + externalIndexes(for: schema)
    }

    /// The statement that makes the table of a many-to-many relationship.
    static func linkStatement(_ link: LinkSchema) -> String {
        """
        CREATE TABLE \(link.table.sqlIdentifier) (pk INTEGER PRIMARY KEY, \
        source INTEGER NOT NULL, target INTEGER NOT NULL, source_order TEXT, target_order TEXT, \
        UNIQUE (source, target))
        """
    }

    /// The indexes that find the rows which refer to files.
    private static func externalIndexes(for schema: StoreSchema) -> [String] {
        schema.externalColumns.map { table, column in
            "CREATE INDEX \("sm_index \(table).\(column) external".sqlIdentifier)"
                + " ON \(table.sqlIdentifier) (\(column.sqlIdentifier))"
                + " WHERE typeof(\(column.sqlIdentifier)) = 'text'"
        }
    }

    /// The indexes that find the rows which share the values of a uniqueness constraint.
    private static func constraintIndexes(for schema: StoreSchema) -> [String] {
        schema.entities.flatMap { entity in
            let own = entity.description.uniquenessConstraints.map(UniquenessConstraint.names)
            return entity.constraints.filter { own.contains($0.names) }
                .map { $0.indexStatement(entity: entity.name) }
        }
    }

    /// The indexes that the model asks for.
    private static func fetchIndexes(for schema: StoreSchema) -> [String] {
        schema.entities.flatMap { entity in
            entity.description.indexes.compactMap { index -> String? in
                // SQLite reads an index in both directions. The last attribute ascends as the `pk`
                // behind it does, so that rows without an order among them are in their order, too.
                let isReversed = index.elements.last?.isAscending == false
                let columns = index.elements.compactMap { element -> String? in
                    guard element.collationType == .binary, let name = element.property?.name else {
                        return nil
                    }
                    let column =
                        entity.attribute(named: name)?.column ?? entity.toOne(named: name)?.column
                    return column.map {
                        $0.sqlIdentifier + (element.isAscending != isReversed ? "" : " DESC")
                    }
                }
                guard !columns.isEmpty, columns.count == index.elements.count else { return nil }
                let name = "sm_index \(entity.name) \(index.name)".sqlIdentifier
                return "CREATE INDEX IF NOT EXISTS \(name) ON \(entity.table.name.sqlIdentifier)"
                    + " (\(columns.joined(separator: ", ")))"
            }
        }
    }
}
