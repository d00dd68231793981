import CoreData

/// The contents of a ``WatchedStore``, and the requests that it got.
final class WatchedRows: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    private let lock = NSRecursiveLock()
    private var storedCalls: [String] = []
    private var storedFailures: [Int] = []
    private var storedOptions: [AnyHashable: Any] = [:]
    /// The values of each object and the number of times it was written, by reference object.
    private var rows: [String: (entity: String, values: [String: Any], version: UInt64)] = [:]
    private var last = 0

    private func locked<T>(_ body: () -> T) -> T {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    var calls: [String] { locked { storedCalls } }

    /// The error codes of the next saves, one for each.
    var failures: [Int] {
        get { locked { storedFailures } }
        set { locked { storedFailures = newValue } }
    }

    var options: [AnyHashable: Any] {
        get { locked { storedOptions } }
        set { locked { storedOptions = newValue } }
    }

    func note(_ call: String) { locked { storedCalls.append(call) } }

    func clearCalls() { locked { storedCalls = [] } }

    func takeFailure() -> Int? {
        locked { storedFailures.isEmpty ? nil : storedFailures.removeFirst() }
    }

    func newReference() -> String {
        locked {
            last += 1
            return "r\(last)"
        }
    }

    func write(_ reference: String, _ entity: String, _ values: [String: Any]) {
        locked { rows[reference] = (entity, values, (rows[reference]?.version ?? 0) + 1) }
    }

    func row(_ reference: String) -> (values: [String: Any], version: UInt64)? {
        locked { rows[reference].map { ($0.values, $0.version) } }
    }

    func references(ofEntity entity: String) -> [String] {
        locked { rows.filter { $0.value.entity == entity }.map(\.key).sorted() }
    }
}

/// An in-memory store that records Core Data's requests, by the path of its URL.
final class WatchedStore: NSIncrementalStore {
    static let storeType = "WatchedStore"

    private static let lock = NSLock()
    nonisolated(unsafe) private static var all: [String: WatchedRows] = [:]

    /// The rows of the store at a URL, which outlive the store.
    static func rows(at url: URL) -> WatchedRows {
        lock.lock()
        defer { lock.unlock() }
        let rows = all[url.path] ?? WatchedRows()
        all[url.path] = rows
        return rows
    }

    private var rows: WatchedRows { Self.rows(at: url ?? URL(fileURLWithPath: "/")) }

    override var type: String { Self.storeType }

    override func loadMetadata() throws {
        rows.note("loadMetadata")
        rows.options = options ?? [:]
        metadata = [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: Self.storeType]
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        rows(at: url).note("metadataForPersistentStore")
        return [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: storeType]
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: rows.newReference()) }
    }

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        switch request {
        case let fetch as NSFetchRequest<any NSFetchRequestResult>:
            rows.note("fetch")
            guard let entity = fetch.entity, let name = entity.name else { return [Any]() }
            let ids = rows.references(ofEntity: name).map {
                newObjectID(for: entity, referenceObject: $0)
            }
            if fetch.resultType == .managedObjectIDResultType { return ids }
            return ids.compactMap { context?.object(with: $0) }
        case let save as NSSaveChangesRequest:
            rows.note("save")
            if let code = rows.takeFailure() { throw failure(code, save) }
            for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) {
                write(object)
            }
            return [Any]()
        case is NSBatchUpdateRequest:
            rows.note("batch update")
            return BatchAnswer()
        default:
            rows.note("request")
            return [Any]()
        }
    }

    private func failure(_ code: Int, _ save: NSSaveChangesRequest) -> NSError {
        let conflicts = (save.updatedObjects ?? []).map { object in
            NSMergeConflict(
                source: object, newVersion: 2, oldVersion: 1,
                cachedSnapshot: values(of: object), persistedSnapshot: nil)
        }
        return NSError(
            domain: NSCocoaErrorDomain, code: code,
            userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
    }

    private func values(of object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for name in object.entity.attributesByName.keys {
            values[name] = object.value(forKey: name) ?? NSNull()
        }
        for (name, relationship) in object.entity.relationshipsByName where !relationship.isToMany {
            values[name] = object.objectIDs(forRelationshipNamed: name).first ?? NSNull()
        }
        return values
    }

    private func write(_ object: NSManagedObject) {
        guard let reference = referenceObject(for: object.objectID) as? String else { return }
        rows.write(reference, object.entity.name ?? "", values(of: object))
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        rows.note("values")
        guard let reference = referenceObject(for: objectID) as? String,
            let row = rows.row(reference)
        else { throw CocoaError(.coderValueNotFound) }
        return NSIncrementalStoreNode(
            objectID: objectID, withValues: row.values, version: row.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        rows.note("relationship")
        return relationship.isToMany ? [Any]() : NSNull()
    }
}

/// A store's result for a batch update.
final class BatchAnswer: NSBatchUpdateResult {
    override var result: Any? { 7 }
    override var resultType: NSBatchUpdateRequestResultType { .updatedObjectsCountResultType }
}

/// A token of a class of one's own.
final class WatchedToken: NSPersistentHistoryToken, @unchecked Sendable {
    // Unchecked because it is immutable.

    let number: Int64

    init(_ number: Int64) {
        self.number = number
        super.init()
    }

    override class var supportsSecureCoding: Bool { true }

    required init?(coder: NSCoder) {
        number = coder.decodeInt64(forKey: "number")
        super.init()
    }

    override func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
    }
}
