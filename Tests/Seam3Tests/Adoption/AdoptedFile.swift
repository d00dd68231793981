import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import SeamSQLite

@testable import Seam3

/// A Core Data file in its own folder, with a model from the test.
struct AdoptedFile {
    let folder: TestFolder
    let model: NSManagedObjectModel

    var url: URL { folder.store }

    /// - Parameters:
    ///   - model: The file's model.
    ///   - keepsModel: Whether the file contains the model.
    ///   - rows: The objects.
    ///   - elementName: Makes the names of the columns of a composite attribute's elements.
    init(
        _ model: NSManagedObjectModel, keepsModel: Bool = true, _ rows: [CoreDataFileWriter.Row],
        elementName: (([String]) -> String)? = nil
    ) throws {
        folder = try TestFolder()
        self.model = model
        var writer = CoreDataFileWriter(model, keepsModel: keepsModel)
        if let elementName { writer.elementName = elementName }
        try writer.write(rows, to: folder.store)
    }

    /// Runs SQL on the file.
    func change(_ sql: String, _ values: [SQLiteValue] = []) throws {
        try SQLiteConnection(path: url.path).execute(sql, values)
    }

    /// Adds the record of an object, as Seam3 1 stored it, with the user who owns it.
    func addRecord(_ saved: SMCloudRecord, to table: String, key: Int64) throws {
        try addRecordColumns(to: table)
        try change(
            "UPDATE \(table) SET ZSM_LOCALSTORE_RECORDID = ?, ZSM_LOCALSTORE_ENCODEDVALUES = ?"
                + " WHERE Z_PK = ?",
            [
                .text(saved.record.recordID.recordName),
                .blob(SystemFields.data(of: saved)), .integer(key),
            ])
    }

    /// Adds the columns for records to a table that does not have them.
    func addRecordColumns(to table: String) throws {
        let connection = try SQLiteConnection(path: url.path)
        let columns = try connection.rows("PRAGMA table_info(\(table))") { $0.text(at: 1) }
        if columns.contains("ZSM_LOCALSTORE_RECORDID") { return }
        try connection.execute("ALTER TABLE \(table) ADD ZSM_LOCALSTORE_RECORDID VARCHAR")
        try connection.execute("ALTER TABLE \(table) ADD ZSM_LOCALSTORE_ENCODEDVALUES BLOB")
    }

    /// Adds an update of an object that Seam3 1 has not sent.
    ///
    /// - Parameters:
    ///   - recordName: The name of the object's record.
    ///   - properties: The changed properties.
    func addUpdate(of recordName: String, changing properties: [String]) throws {
        try addChange(1, of: recordName, changing: properties)
    }

    /// Adds a change of an object that Seam3 1 has not sent.
    ///
    /// - Parameters:
    ///   - kind: 1 for an update, 2 for a deletion, 3 for an insertion.
    ///   - recordName: The name of the object's record.
    ///   - properties: The changed properties.
    func addChange(_ kind: Int64, of recordName: String, changing properties: [String]) throws {
        let connection = try SQLiteConnection(path: url.path)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS ZSM_LOCALSTORE_CHANGESETENTITY (Z_PK INTEGER PRIMARY KEY,
            Z_ENT INTEGER, Z_OPT INTEGER, ZSM_LOCALSTORE_CHANGETYPE INTEGER,
            ZSM_LOCALSTORE_QUEUED INTEGER, ZSM_LOCALSTORE_CHANGEDPROPERTIES VARCHAR,
            ZSM_LOCALSTORE_ENTITYNAME VARCHAR, ZSM_LOCALSTORE_RECORDID VARCHAR)
            """)
        try connection.execute(
            "INSERT INTO ZSM_LOCALSTORE_CHANGESETENTITY (ZSM_LOCALSTORE_CHANGETYPE,"
                + " ZSM_LOCALSTORE_CHANGEDPROPERTIES, ZSM_LOCALSTORE_RECORDID) VALUES (?, ?, ?)",
            [.integer(kind), .text(properties.joined(separator: ",")), .text(recordName)])
    }

    /// The store that adopts the file.
    func open(
        _ model: NSManagedObjectModel? = nil, _ options: [String: NSObject] = [:]
    ) throws -> StoreStack {
        try StoreStack(
            at: url, model: model ?? self.model,
            options: options.merging([SMStore.SMStoreAdoptionOption: true as NSNumber]) { $1 })
    }
}

extension StoreStack {
    var store: SMStore {
        guard
            let store = container.persistentStoreCoordinator.persistentStores.first as? SMStore
        else { fatalError("the store is not open") }
        return store
    }

    /// The names of the objects in a relationship, in order if it is ordered.
    func members(_ entity: String, _ name: String, _ relationship: String) throws -> [String] {
        try perform { context in
            let object = try Device.all(entity, in: context)
                .first { $0.value(forKey: "name") as? String == name }
            switch object?.value(forKey: relationship) {
            case let set as NSOrderedSet:
                return set.array.compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "name") as? String
                }
            case let set as Set<NSManagedObject>:
                return set.compactMap { $0.value(forKey: "name") as? String }.sorted()
            case let other as NSManagedObject:
                return [other.value(forKey: "name") as? String ?? ""]
            default: return []
            }
        }
    }
}
