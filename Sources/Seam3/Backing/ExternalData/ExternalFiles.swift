import CoreData

/// The files that the transactions of one connection write and give up.
///
/// Temporary triggers note what rows and waiting changes lose, whoever writes.
final class ExternalFiles {
    let folder: ExternalDataFolder
    /// The files to look at when the transaction is over.
    private var candidates: Set<String> = []
    /// The files that were written for the transaction that comes or is under way.
    private var written: Set<String> = []
    /// The columns of the schema that may have the name of a file.
    private var columns: [ExternalColumn] = []

    /// No entity's table can have a name with a blank.
    private static let replaced = "\"sm_replaced files\""

    init(_ folder: ExternalDataFolder) {
        self.folder = folder
    }

    // MARK: - Writing

    /// What a column keeps for bytes: the bytes, or the name of a file that has them now.
    func kept(_ value: SQLiteValue) throws -> SQLiteValue {
        guard case .blob(let data) = value, data.count > ExternalDataFolder.threshold else {
            return value
        }
        let name = try folder.write(data)
        candidates.insert(name)
        written.insert(name)
        return .text(name)
    }

    /// What a column keeps for the bytes of a file.
    func kept(contentsOf source: URL) throws -> SQLiteValue {
        let attributes = try FileManager.default.attributesOfItem(atPath: source.path)
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size > ExternalDataFolder.threshold else {
            return .blob(try Data(contentsOf: source))
        }
        let name = try folder.copy(source)
        candidates.insert(name)
        written.insert(name)
        return .text(name)
    }

    // MARK: - Giving up

    /// Makes a connection note the files that it releases from now on: names of files, and the base
    /// values of changes, in which there may be some.
    func observe(_ connection: SQLiteConnection, _ schema: StoreSchema) throws {
        columns = schema.externalColumns
        guard !columns.isEmpty else { return }
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS \(Self.replaced) (name TEXT, base BLOB)")
        for place in columns {
            let (table, column) = (place.table.sqlIdentifier, place.column.sqlIdentifier)
            let isFile = "typeof(OLD.\(column)) = 'text'"
            let note = "INSERT INTO \(Self.replaced) (name) VALUES (OLD.\(column))"
            for (event, condition) in [
                ("UPDATE OF \(column)", "\(isFile) AND OLD.\(column) IS NOT NEW.\(column)"),
                ("DELETE", isFile),
            ] {
                let name = "sm_replaced \(place.table).\(place.column) \(event.prefix(6))"
                try connection.execute(
                    """
                    CREATE TEMP TRIGGER IF NOT EXISTS \(name.sqlIdentifier) AFTER \(event) \
                    ON main.\(table) WHEN \(condition) BEGIN \(note); END
                    """)
            }
        }
        for statement in OutboxTable.triggers(noting: "\(Self.replaced) (base)") {
            try connection.execute(statement)
        }
    }

    /// Takes over what the triggers noted in the transaction under way.
    func noteReplaced(in connection: SQLiteConnection) throws {
        guard !columns.isEmpty else { return }
        var isEmpty = true
        try connection.forEachRow("SELECT name, base FROM temp.\(Self.replaced)") { row in
            isEmpty = false
            if row.isNull(at: 0) {
                candidates.formUnion(fileNames(in: PropertyValues(encoded: row.blob(at: 1))))
            } else {
                candidates.insert(row.text(at: 0))
            }
        }
        if !isEmpty { try connection.execute("DELETE FROM temp.\(Self.replaced)") }
    }

    private func fileNames(in base: PropertyValues) -> [String] {
        let attributes = Set(columns.map(\.attribute))
        return base.values.compactMap { attributes.contains($0.key) ? $0.value.text : nil }
    }

    /// Sees that the files which were written before a transaction are still there when it commits.
    ///
    /// - Throws: Error 4 (no such file) if another process has taken one for left over, as it may if more
    ///   time has gone by since than a lease lasts.
    func check() throws {
        for name in written {
            guard let path = folder.file(name)?.path, !FileManager.default.fileExists(atPath: path)
            else { continue }
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: path])
        }
    }

    // MARK: - Settling

    /// Removes the files to which nothing refers, of those that the last transactions have written or
    /// given up. To be called after a transaction, whether it was committed or not.
    func settle(in database: StoreDatabase) {
        guard !candidates.isEmpty, !database.connection.isInTransaction else { return }
        let names = candidates
        candidates = []
        written = []
        do {
            try removeUnused(names, in: database)
        } catch {
            // What is left over is swept when the store is opened next.
            StoreLog.debug(
                "External data could not be cleaned up: \(StoreLog.text(error))", .store)
        }
    }

    /// Removes the files that a crash has left over.
    ///
    /// - Parameter isPulling: Whether another process pulls: it writes files before the transaction that
    ///   refers to them. Whoever saves does so within the transaction, which this one waits for.
    func sweep(_ database: StoreDatabase, isPulling: () throws -> Bool) throws {
        let present = Set(try folder.fileNames())
        guard try !present.subtracting(referredNames(in: database)).isEmpty else { return }
        try database.write {
            let unused = present.subtracting(try referredNames(in: database))
            let isPulling = try isPulling()
            for name in unused where try !isPulling || folder.isSettled(name) {
                folder.remove(name)
            }
        }
    }

    /// The names of all files that rows and waiting changes refer to.
    private func referredNames(in database: StoreDatabase) throws -> Set<String> {
        var names: Set<String> = []
        try database.outbox.forEachBase { names.formUnion(fileNames(in: $0)) }
        for place in columns {
            try database.connection.forEachRow(
                """
                SELECT \(place.column.sqlIdentifier) FROM \(place.table.sqlIdentifier) \
                WHERE typeof(\(place.column.sqlIdentifier)) = 'text'
                """
            ) { names.insert($0.text(at: 0)) }
        }
        return names
    }

    private func removeUnused(
        _ names: some Collection<String>, in database: StoreDatabase
    ) throws {
        guard !names.isEmpty else { return }
        // A conflict may need what waiting changes are based on.
        var kept: Set<String> = []
        try database.outbox.forEachBase { kept.formUnion(fileNames(in: $0)) }
        for name in names where !kept.contains(name) {
            if try !hasRow(referringTo: name, in: database.connection) { folder.remove(name) }
        }
    }

    private func hasRow(
        referringTo name: String, in connection: SQLiteConnection
    ) throws -> Bool {
        for place in columns {
            let (table, column) = (place.table.sqlIdentifier, place.column.sqlIdentifier)
            let isThere = try connection.firstRow(
                """
                SELECT 1 FROM \(table) WHERE \(column) = ? \
                AND typeof(\(column)) = 'text' LIMIT 1
                """, [.text(name)]
            ) { _ in true }
            if isThere == true { return true }
        }
        return false
    }
}

/// A column that may have the name of a file, and the attribute that it belongs to.
struct ExternalColumn {
    let table: String
    let column: String
    let attribute: String
}

extension StoreSchema {
    /// Whether values of objects may be files.
    var hasExternalData: Bool { entities.contains { $0.attributes.contains(where: \.isExternal) } }

    /// The columns that may refer to files, each once.
    var externalColumns: [ExternalColumn] {
        var known: Set<String> = []
        return entities.flatMap { entity in
            entity.attributes.filter(\.isExternal).compactMap { attribute in
                known.insert("\(entity.table.name) \(attribute.column)").inserted
                    ? ExternalColumn(
                        table: entity.table.name, column: attribute.column,
                        attribute: attribute.name) : nil
            }
        }
    }
}
