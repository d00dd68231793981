import CoreData

/// An SQLite file that Core Data's own store wrote, directly or for Seam3 1.
///
/// It is read from a copy, because opening a file in WAL mode changes it.
final class CoreDataFile {
    let connection: SQLiteConnection
    /// The file that was copied.
    let original: URL
    /// The file's model, without the additions of Seam3 1.
    let model: NSManagedObjectModel
    /// Whether the file contains its model. Otherwise `model` is the app's, in which entities and
    /// properties may have been renamed.
    let keepsModel: Bool
    /// The entries that the app added to the store's metadata.
    private(set) var metadata: [String: Any] = [:]
    /// Entity name → its number in the file.
    private(set) var entityNumbers: [String: Int64] = [:]
    /// Table → its columns.
    private(set) var tables: [String: [String]] = [:]
    /// Table → column → its declared type.
    private(set) var types: [String: [String: String]] = [:]
    /// Root entity → "Entity.property" → column; filled on demand.
    var knownColumns: [String: [String: String]] = [:]

    /// The columns that Core Data adds to the table of every entity.
    static let fixedColumns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

    /// The names of the additions that Seam3 1 made to a model.
    enum Seam3Name {
        static let prefix = "sm_LocalStore_"
        static let changeSet = "SM_LocalStore_ChangeSetEntity"
        static let recordID = "ZSM_LOCALSTORE_RECORDID"
        static let encodedValues = "ZSM_LOCALSTORE_ENCODEDVALUES"
        static let changeSetTable = "ZSM_LOCALSTORE_CHANGESETENTITY"
    }

    /// The metadata of a file, with the UUID of the store, and with this system's version hashes of the
    /// model that the file contains: Apple's cannot be compared with those of any model.
    ///
    /// - Throws: ``SMStoreError/unknownFile(path:reason:)`` if the file is damaged.
    static func metadata(ofFileAt url: URL) throws -> [String: Any] {
        try reading(url) {
            try FileKind.withCopy(of: url) { copy in
                let connection = try SQLiteConnection(path: copy.path)
                let row = try connection.firstRow("SELECT Z_UUID, Z_PLIST FROM Z_METADATA") {
                    ($0.text(at: 0), $0.blob(at: 1))
                }
                guard let (identifier, data) = row, var metadata = try propertyList(data) else {
                    throw SMStoreError.unknownFile(
                        path: url.path, reason: "its metadata is missing")
                }
                metadata[NSStoreUUIDKey] = identifier
                metadata[NSStoreTypeKey] = NSSQLiteStoreType
                guard let model = try Self.model(in: connection) else { return metadata }
                metadata[NSStoreModelVersionHashesKey] = model.entityVersionHashesByName
                metadata["NSStoreModelVersionHashesVersion"] = 3
                for key in ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"] {
                    metadata[key] = nil
                }
                return metadata
            }
        }
    }

    /// Calls a closure that reads a file.
    ///
    /// - Throws: ``SMStoreError/unknownFile(path:reason:)`` if it finds the file damaged.
    private static func reading<T>(_ file: URL, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw SMStoreError.unknownFile(path: file.path, reason: error.message)
        } catch is Inflate.Damage {
            throw SMStoreError.unknownFile(path: file.path, reason: "its model is damaged")
        }
    }

    private static func propertyList(_ data: Data?) throws -> [String: Any]? {
        try data.map { try StoredPropertyList.read($0) } as? [String: Any]
    }

    /// Opens a copy.
    ///
    /// - Parameters:
    ///   - copy: The copy, with its write-ahead log beside it.
    ///   - original: The file itself, beside which the external data is.
    ///   - fallback: The app's model, for a file without one.
    /// - Throws: ``SMStoreError/unknownFile(path:reason:)`` if the file is damaged or has no
    ///   readable model.
    init(copy: URL, original: URL, fallback: NSManagedObjectModel) throws {
        self.original = original
        (connection, model, keepsModel) = try Self.reading(original) {
            let connection = try SQLiteConnection(path: copy.path)
            guard try connection.firstRow("PRAGMA quick_check(1)", [], { $0.text(at: 0) }) == "ok"
            else { throw SMStoreError.unknownFile(path: original.path, reason: "it is damaged") }
            let cached = try Self.model(in: connection)
            let model = try cached ?? Self.copy(of: Self.model(of: connection) ?? fallback)
            return (connection, model, cached != nil)
        }
        try Self.reading(original, readTables)
    }

    private func readTables() throws {
        let names = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
            $0.text(at: 0)
        }
        for name in names {
            let columns = try connection.rows("PRAGMA table_info(\(name.sqlIdentifier))") {
                ($0.text(at: 1), $0.text(at: 2))
            }
            tables[name] = columns.map(\.0)
            types[name] = Dictionary(columns) { first, _ in first }
        }
        let numbers = try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
            ($0.text(at: 0), $0.integer(at: 1))
        }
        entityNumbers = Dictionary(numbers) { first, _ in first }
        // After a migration by Core Data, a table may still have the previous name of its entity.
        for entity in model.entities {
            guard let name = entity.name, entityNumbers[name] == nil,
                let number = entity.renamingIdentifier.flatMap({ entityNumbers[$0] })
            else { continue }
            entityNumbers[name] = number
        }
        let known = model.entities.filter { entityNumbers[$0.name ?? ""] != nil }
        guard !known.isEmpty else { throw strangers(to: model) }
        for entity in known where tables[table(of: entity)] == nil {
            throw SMStoreError.unknownFile(
                path: original.path, reason: "it has no table of the entity \(entity.name ?? "?")")
        }
        let data = try connection.firstRow("SELECT Z_PLIST FROM Z_METADATA") { $0.blob(at: 0) }
        guard let data else { return }
        let list = try? StoredPropertyList.read(data)
        metadata = (list as? [String: Any] ?? [:]).filter {
            !$0.key.hasPrefix("NS") && !$0.key.hasPrefix("_NS")
        }
    }

    /// The error for a model that has nothing in common with the file.
    func strangers(to model: NSManagedObjectModel) -> SMStoreError {
        func list(_ names: [String]) -> String {
            let names = names.sorted()
            let rest = names.count > 12 ? " and \(names.count - 12) more" : ""
            return names.isEmpty ? "none" : names.prefix(12).joined(separator: ", ") + rest
        }
        return SMStoreError.unknownFile(
            path: original.path,
            reason: "the model does not fit. The file has"
                + " \(list(Array(entityNumbers.keys))); the model has"
                + " \(list(model.entities.compactMap(\.name)))")
    }

    // MARK: - Model

    /// The app's model with which the file was written, if it can be determined: the version hashes
    /// in the file are Apple's.
    private static func model(of connection: SQLiteConnection) throws -> NSManagedObjectModel? {
        let data = try connection.firstRow("SELECT Z_PLIST FROM Z_METADATA") { $0.blob(at: 0) }
        guard let data,
            let list = try? StoredPropertyList.read(data),
            let metadata = list as? [String: Any], metadata[NSStoreModelVersionHashesKey] != nil
        else { return nil }
        return NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata)
    }

    /// The maximum size of a compiled model in bytes. A thousand entities have about one million.
    private static let largestModel = 16 << 20

    /// The model that the file contains; nil for files of old versions, which contain none.
    private static func model(in connection: SQLiteConnection) throws -> NSManagedObjectModel? {
        let isCached =
            try connection.firstRow(
                "SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'", [], { _ in true })
            == true
        guard isCached,
            let packed = try connection.firstRow(
                "SELECT Z_CONTENT FROM Z_MODELCACHE", [], { $0.blob(at: 0) }), !packed.isEmpty
        else { return nil }
        // The unpacked bytes are the contents of a compiled model file.
        let contents = try Inflate.unpacked(packed, limit: largestModel)
        return try PrivateFile.withTemporaryFolder("Seam3") { folder in
            let url = folder.appendingPathComponent("Model.mom")
            try PrivateFile.write(contents, to: url)
            guard let model = NSManagedObjectModel(contentsOf: url) else { throw Inflate.Damage() }
            return copy(of: model)
        }
    }

    /// A copy without the additions of Seam3 1. A model that is in use cannot be changed.
    private static func copy(of model: NSManagedObjectModel) -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { return model }
        let added = copy.entities.contains { $0.name == Seam3Name.changeSet }
        guard added else { return copy }
        copy.entities.removeAll { $0.name == Seam3Name.changeSet }
        for entity in copy.entities {
            entity.properties.removeAll { $0.name.hasPrefix(Seam3Name.prefix) }
        }
        return copy
    }
}
