import CoreData

/// The layout of a store file: its version, and the statements that create its tables.
///
/// Besides the tables whose owners are in `Tables/` there are
/// - one table for each root entity: `pk`, `entity`, row `version`, and a column for each property;
/// - one table for each many-to-many relationship: see ``LinkTable``.
enum FileLayout {
    /// The version of this layout, stored in the file. A file with a higher version was written by
    /// a newer Seam3. Since version 2 the metadata names the folder of external data; since version 3 transactions have
    /// numbers.
    static let layoutVersion: Int64 = 3

    /// "Seam", in the header of the file: identifies the file without opening it.
    static let applicationID: Int64 = 0x5365_616d

    /// The statements that create the tables that every file has.
    static let fixed =
        ["PRAGMA application_id = \(applicationID)"]
        + MetadataTable.statements + EntityTable.statements + SequenceTable.statements
        + ObjectTable.statements + OutboxTable.statements + UnfetchedRecordTable.statements
        + TombstoneTable.statements + SyncStateTable.statements + HistoryTable.statements

    /// The names of those tables.
    static let fixedNames = [
        MetadataTable.name, EntityTable.name, SequenceTable.name, ObjectTable.name,
        OutboxTable.name, UnfetchedRecordTable.name, TombstoneTable.name, SyncStateTable.name,
        HistoryTable.name, HistoryTable.changes,
    ]

    /// The statements that create the tables of a schema's entities and links in an empty file.
    static func statements(for schema: StoreSchema) -> [String] {
        schema.tables.map(\.tableStatement) + schema.links.map(LinkTable.statement)
            + indexStatements(for: schema)
    }

    /// The statements that create all indexes of a schema.
    static func indexStatements(for schema: StoreSchema) -> [String] {
        schema.tables.flatMap(\.indexStatements)
            + schema.links.map(LinkTable.indexStatement)
            + fetchIndexes(for: schema) + constraintIndexes(for: schema)
            + externalIndexes(for: schema)
    }

    /// The indexes for finding rows that refer to files.
    private static func externalIndexes(for schema: StoreSchema) -> [String] {
        schema.externalColumns.map { place in
            let column = place.column.sqlIdentifier
            return
                "CREATE INDEX \("sm_index \(place.table).\(place.column) external".sqlIdentifier)"
                + " ON \(place.table.sqlIdentifier) (\(column)) WHERE typeof(\(column)) = 'text'"
        }
    }

    /// The indexes for finding rows with equal values under a uniqueness constraint.
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
                // SQLite reads an index in both directions. The index is reversed if necessary so
                // that its last attribute ascends like the `pk` that follows it; rows with equal
                // values are then in order, too.
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
