import CoreData

/// A SQLite file that Core Data's own store wrote, directly or for Seam3 1.
///
/// It is read from a copy: opening a file in WAL mode changes it.
final class CoreDataFile {
    let connection: SQLiteConnection
    /// Where the file was copied from.
    let original: URL
    /// The file's model, without what Seam3 1 added to the application's.
    let model: NSManagedObjectModel
    /// What the application put into the store's metadata.
    private(set) var metadata: [String: Any] = [:]
    /// Entity name → its number in the file.
    private(set) var entityNumbers: [String: Int64] = [:]
    /// Table → its columns.
    private(set) var tables: [String: [String]] = [:]

    /// Names that Seam3 1 gave to what it added to a model.
    enum Seam3Name {
        static let prefix = "sm_LocalStore_"
        static let changeSet = "SM_LocalStore_ChangeSetEntity"
        static let recordID = "ZSM_LOCALSTORE_RECORDID"
        static let encodedValues = "ZSM_LOCALSTORE_ENCODEDVALUES"
        static let changeSetTable = "ZSM_LOCALSTORE_CHANGESETENTITY"
    }

    /// Opens a copy.
    ///
    /// - Parameters:
    ///   - copy: The copy, with its write-ahead log beside it.
    ///   - original: The file itself, beside which external data are.
    ///   - fallback: The application's model, for a file that has none.
    /// - Throws: ``SMStoreError/unknownFile(path:reason:)`` if the file is damaged or has no
    ///   readable model.
    init(copy: URL, original: URL, fallback: NSManagedObjectModel) throws {
        self.original = original
        do {
            let connection = try SQLiteConnection(path: copy.path)
            self.connection = connection
            guard try connection.firstRow("PRAGMA quick_check(1)", [], { $0.text(at: 0) }) == "ok"
            else { throw SMStoreError.unknownFile(path: original.path, reason: "it is damaged") }
            model = try Self.model(in: connection) ?? Self.copy(of: fallback)
            try readTables()
        } catch let error as SQLiteError {
            throw SMStoreError.unknownFile(path: original.path, reason: error.message)
        } catch is Inflate.Damage {
            throw SMStoreError.unknownFile(path: original.path, reason: "its model is damaged")
        }
    }

    private func readTables() throws {
        let names = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
            $0.text(at: 0)
        }
        for name in names {
            tables[name] = try connection.rows("PRAGMA table_info(\(name.sqlIdentifier))") {
                $0.text(at: 1)
            }
        }
        let numbers = try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
            ($0.text(at: 0), $0.integer(at: 1))
        }
        entityNumbers = Dictionary(numbers) { first, _ in first }
        // After a migration of Apple's the table may still have the name that an entity had before.
        for entity in model.entities {
            guard let name = entity.name, entityNumbers[name] == nil,
                let number = entity.renamingIdentifier.flatMap({ entityNumbers[$0] })
            else { continue }
            entityNumbers[name] = number
        }
        let known = model.entities.filter { entityNumbers[$0.name ?? ""] != nil }
        guard !known.isEmpty else {
            throw SMStoreError.unknownFile(path: original.path, reason: "it has no entities")
        }
        for entity in known where tables[Self.table(of: entity)] == nil {
            throw SMStoreError.unknownFile(
                path: original.path, reason: "it has no table of the entity \(entity.name ?? "?")")
        }
        let data = try connection.firstRow("SELECT Z_PLIST FROM Z_METADATA") { $0.blob(at: 0) }
        guard let data else { return }
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        metadata = (list as? [String: Any] ?? [:]).filter {
            !$0.key.hasPrefix("NS") && !$0.key.hasPrefix("_NS")
        }
    }

    // MARK: - Model

    /// The model that the file keeps, nil in files of old versions, which keep none.
    private static func model(in connection: SQLiteConnection) throws -> NSManagedObjectModel? {
        let isCached =
            try connection.firstRow(
                "SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'", [], { _ in true })
            == true
        guard isCached,
            let packed = try connection.firstRow(
                "SELECT Z_CONTENT FROM Z_MODELCACHE", [], { $0.blob(at: 0) }), !packed.isEmpty
        else { return nil }
        // The unpacked bytes are what a compiled model file has.
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString).appendingPathExtension("mom")
        try Inflate.unpacked(packed).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        guard let model = NSManagedObjectModel(contentsOf: url) else { throw Inflate.Damage() }
        return copy(of: model)
    }

    /// A copy without Seam3's additions. (A model that is in use cannot be changed.)
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

    // MARK: - Names

    /// The table of an entity: the one of its root, in capitals.
    static func table(of entity: NSEntityDescription) -> String {
        "Z" + (entity.rootEntity.name ?? "").uppercased()
    }

    /// The columns of the properties of a hierarchy, by "Entity.property": siblings that share a
    /// name get a number, in the order of the entities.
    func columns(ofRoot root: NSEntityDescription) -> [String: String] {
        let members = model.entities.filter { $0.rootEntity === root }
            .sorted { number(of: $0) < number(of: $1) }
        let present = Set(tables[Self.table(of: root)] ?? [])
        var taken: Set<String> = []
        var columns: [String: String] = [:]
        for entity in members {
            for (name, property) in entity.propertiesByName.sorted(by: { $0.key < $1.key })
            where entity.declaringEntity(of: name) === entity {
                let isToMany = (property as? NSRelationshipDescription)?.isToMany == true
                guard !property.isTransient, !isToMany, !(property is NSFetchedPropertyDescription)
                else { continue }
                let base = "Z" + name.uppercased()
                var column = base
                var suffix = 1
                while taken.contains(column) {
                    column = base + String(suffix)
                    suffix += 1
                }
                taken.insert(column)
                if present.contains(column) { columns["\(entity.name ?? "").\(name)"] = column }
            }
        }
        return columns
    }

    func number(of entity: NSEntityDescription) -> Int64 {
        entityNumbers[entity.name ?? ""] ?? 0
    }

    /// The column of the position among an ordered relationship's members.
    func orderColumn(ofToOneColumn column: String, in table: String) -> String? {
        let name = "Z_FOK_" + column.dropFirst()
        return tables[table]?.contains(name) == true ? name : nil
    }
}
