import CoreData

/// The files that the transactions of one connection write and release.
///
/// Temporary triggers record the names that rows and outbox changes release, whichever code writes.
final class ExternalFiles {
    let folder: ExternalDataFolder
    /// The files to check when the transaction is over.
    private var candidates: Set<String> = []
    /// The files that were written for the current or the next transaction.
    private var written: Set<String> = []
    /// The columns of the schema that may contain file names.
    private let columns: [ExternalColumn]
    /// How many callers of ``beginKeeping()`` have not called ``stopKeeping(in:)`` yet.
    private var keeperCount = 0

    /// No entity's table can have a name with a space.
    private static let replaced = "\"sm_replaced files\""

    init(_ folder: ExternalDataFolder, _ schema: StoreSchema) {
        self.folder = folder
        columns = schema.externalColumns
    }

    // MARK: - Writing

    /// The column's value for bytes: the bytes, or the name of a new file that contains them.
    func kept(_ value: SQLiteValue) throws -> SQLiteValue {
        guard case .blob(let data) = value, data.count > ExternalDataFolder.threshold else {
            return value
        }
        let name = try folder.write(data)
        candidates.insert(name)
        written.insert(name)
        return .text(name)
    }

    /// The column's value for the contents of a file.
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

    /// Keeps the files that are written before ``stopKeeping(in:)``, even if transactions end that do not
    /// refer to them.
    func beginKeeping() { keeperCount += 1 }

    /// Removes the kept files to which nothing refers.
    func stopKeeping(in database: StoreDatabase) {
        keeperCount -= 1
        settle(in: database)
    }

    // MARK: - Giving up

    /// Makes a connection record the files that it releases from now on: their names, and the former
    /// values of changes, which may contain such names.
    func observe(_ connection: SQLiteConnection) throws {
        guard !columns.isEmpty else { return }
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS \(Self.replaced) (name TEXT, changes BLOB)")
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
        for statement in OutboxTable.triggers(noting: "\(Self.replaced) (changes)") {
            try connection.execute(statement)
        }
    }

    /// Takes over the names that the triggers recorded in the current transaction.
    func noteReplaced(in connection: SQLiteConnection) throws {
        guard !columns.isEmpty else { return }
        var isEmpty = true
        try connection.forEachRow("SELECT name, changes FROM temp.\(Self.replaced)") { row in
            isEmpty = false
            if row.isNull(at: 0) {
                ChangeLayers(stored: row.value(at: 1))?.forEachValues {
                    candidates.formUnion(fileNames(in: $0))
                }
            } else {
                candidates.insert(row.text(at: 0))
            }
        }
        if !isEmpty { try connection.execute("DELETE FROM temp.\(Self.replaced)") }
    }

    private func fileNames(in former: PropertyValues) -> [String] {
        let attributes = Set(columns.map(\.attribute))
        return former.values.compactMap { attributes.contains($0.key) ? $0.value.text : nil }
    }

    /// Checks that the files that were written before a transaction still exist when it commits.
    ///
    /// - Throws: Error 4 (no such file) if another process has swept one, which can happen if more
    ///   time than the duration of a lease has passed.
    func check() throws {
        for name in written {
            guard let path = folder.file(name)?.path, !FileManager.default.fileExists(atPath: path)
            else { continue }
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: path])
        }
    }

    // MARK: - Settling

    /// Removes those files without references that the last transactions have written or released.
    /// Call it after a transaction, whether it was committed or not.
    func settle(in database: StoreDatabase) {
        guard !candidates.isEmpty, !database.connection.isInTransaction else { return }
        let names = keeperCount > 0 ? candidates.subtracting(written) : candidates
        candidates.subtract(names)
        written.formIntersection(candidates)
        do {
            try removeUnused(names, in: database)
        } catch {
            // Remaining files are swept the next time the store is opened.
            StoreLog.debug(
                "External data could not be cleaned up: \(StoreLog.text(error))", .store)
        }
    }

    /// Takes the files that the store refers to and does not have from other folders.
    func gather(from folders: () -> [URL], in database: StoreDatabase) throws {
        let missing = try missingNames(in: database)
        guard !missing.isEmpty else { return }
        try folder.take(missing, from: folders())
        let left = try missingNames(in: database)
        if !left.isEmpty {
            StoreLog.error("\(left.count) files of external data are missing", .store)
        }
    }

    /// Sweeps the files that a crash has left behind. Nothing is swept while a file is missing: then the folder may be
    /// another one than the store needs.
    ///
    /// - Parameter isPulling: Whether another process is pulling: a pull writes files before the
    ///   transaction that refers to them. A save writes them within its transaction, which this one
    ///   waits for.
    func sweep(_ database: StoreDatabase, isPulling: () throws -> Bool) throws {
        let present = Set(try folder.fileNames())
        guard try !present.subtracting(referredNames(in: database)).isEmpty else { return }
        try database.write {
            guard try missingNames(in: database).isEmpty else { return }
            let unused = present.subtracting(try referredNames(in: database))
            let isPulling = try isPulling()
            for name in unused where try !isPulling || folder.isSettled(name) {
                folder.remove(name)
            }
        }
    }

    private func missingNames(in database: StoreDatabase) throws -> Set<String> {
        try referredNames(in: database).filter { folder.file($0) != nil }
            .subtracting(folder.fileNames())
    }

    /// The names of all files that rows and outbox changes refer to.
    private func referredNames(in database: StoreDatabase) throws -> Set<String> {
        var names: Set<String> = []
        try database.outbox.forEachFormerValues { names.formUnion(fileNames(in: $0)) }
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
        // Resolving a conflict may need the former values of waiting changes.
        var kept: Set<String> = []
        try database.outbox.forEachFormerValues { kept.formUnion(fileNames(in: $0)) }
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

/// A column that may contain file names, and its attribute.
struct ExternalColumn {
    let table: String
    let column: String
    let attribute: String
}

extension StoreSchema {
    /// Whether values of objects may be in files.
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
