import CoreData

/// The rows of a `RecordingStore` and the requests that it got. It outlives the store.
///
/// Unchecked because everything is guarded by the lock.
final class RecordingDatabase: @unchecked Sendable {
    struct StoredRow {
        var entity: String
        /// Attribute values, reference strings for to-one relationships, and arrays of these for
        /// to-many relationships.
        var values: [String: Any]
        var version: UInt64
    }

    struct State {
        var uuid: String?
        var metadata: [String: Any] = [:]
        var rows: [String: StoredRow] = [:]
        var order: [String] = []
        var last = 0
        var calls: [String] = []
        var requests: [NSPersistentStoreRequest] = []
        var registrations: [String: Int] = [:]
        var failure: (any Error)?
        /// The errors of the next saves, one for each.
        var saveFailures: [any Error] = []
        var storeType = RecordingStore.storeType
        /// The new version of a changed row, computed from its old version.
        var nextVersion: (UInt64) -> UInt64 = { $0 + 1 }
        var omitsToOnes = false
        var activeCalls = 0
        var overlapped = false
    }

    private let lock = NSRecursiveLock()
    private var state = State()

    func with<T>(_ body: (inout State) throws -> T) rethrows -> T {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    var calls: [String] { with { $0.calls } }

    func clearCalls() { with { $0.calls = [] } }

    /// Changes a row as another process would.
    func change(_ objectID: NSManagedObjectID, _ key: String, to value: Any?) {
        with { state in
            let reference = RecordingStore.reference(of: objectID)
            state.rows[reference]?.values[key] = value
            state.rows[reference]?.version += 1
        }
    }

    /// Removes a row as another process would.
    func remove(_ objectID: NSManagedObjectID) {
        with { state in
            let reference = RecordingStore.reference(of: objectID)
            state.rows[reference] = nil
            state.order.removeAll { $0 == reference }
        }
    }

    func row(_ objectID: NSManagedObjectID) -> StoredRow? {
        with { $0.rows[RecordingStore.reference(of: objectID)] }
    }

    // MARK: - By URL

    // An NSLock, because the thread sanitizer does not understand Mutex on Linux.
    private static let allLock = NSLock()
    // Unchecked because the lock above guards it.
    private nonisolated(unsafe) static var all: [URL: RecordingDatabase] = [:]

    static func at(_ url: URL) -> RecordingDatabase {
        allLock.lock()
        defer { allLock.unlock() }
        if let database = all[url] { return database }
        let database = RecordingDatabase()
        all[url] = database
        return database
    }
}

/// An incremental store on a `RecordingDatabase`, which uses Apple's API only.
class RecordingStore: NSIncrementalStore {
    class var storeType: String { "RecordingStore" }

    static let register: Void = NSPersistentStoreCoordinator.registerStoreClass(
        RecordingStore.self, forStoreType: storeType)

    private var database: RecordingDatabase { .at(url ?? URL(fileURLWithPath: "/")) }

    override var type: String { Swift.type(of: self).storeType }

    static func reference(of objectID: NSManagedObjectID) -> String {
        objectID.uriRepresentation().lastPathComponent.dropFirst().description
    }

    final func record<T>(
        _ call: String, _ body: (inout RecordingDatabase.State) throws -> T
    ) rethrows -> T {
        try database.with { state in
            state.calls.append(call)
            return try body(&state)
        }
    }

    private func newID(_ entityName: String, _ reference: String) -> NSManagedObjectID? {
        let model = persistentStoreCoordinator?.managedObjectModel
        return model?.entitiesByName[entityName].map {
            newObjectID(for: $0, referenceObject: reference)
        }
    }

    // MARK: - Metadata

    override func loadMetadata() throws {
        try record("loadMetadata") { state in
            if let failure = state.failure { throw failure }
            if let uuid = state.uuid {
                metadata = state.metadata.merging(
                    [NSStoreUUIDKey: uuid, NSStoreTypeKey: state.storeType]) { $1 }
            }
        }
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        RecordingDatabase.at(url).with { $0.metadata }
    }

    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreAt url: URL
    ) throws {
        RecordingDatabase.at(url).with { $0.metadata = metadata ?? [:] }
    }

    override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        record("didAdd") { _ in }
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        record("willRemove") { _ in }
    }

    // MARK: - Requests

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        database.with { state in
            state.overlapped = state.overlapped || state.activeCalls > 0
            state.activeCalls += 1
            state.requests.append(request)
        }
        defer { database.with { $0.activeCalls -= 1 } }
        if let failure = database.with({ $0.failure }) { throw failure }
        switch request {
        case let fetch as NSFetchRequest<any NSFetchRequestResult>:
            return try fetchResults(fetch, context)
        case let save as NSSaveChangesRequest:
            try write(save)
            return [Any]()
        case is NSBatchDeleteRequest:
            record("batchDelete") { _ in }
            return RecordingBatchResult()
        default:
            return try super.execute(request, with: context)
        }
    }

    private func fetchResults(
        _ fetch: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext?
    ) throws -> Any {
        let name = fetch.entity?.name ?? ""
        let names =
            fetch.includesSubentities ? Self.names(of: fetch.entity) : Set([name])
        var matches = record("fetch \(name)") { state in
            state.order.compactMap { reference in
                state.rows[reference].map { (reference, $0) }
            }.filter { names.contains($0.1.entity) }
        }
        if let predicate = fetch.predicate {
            matches = matches.filter { predicate.evaluate(with: $0.1.values) }
        }
        if let descriptors = fetch.sortDescriptors, !descriptors.isEmpty {
            matches.sort { left, right in
                for descriptor in descriptors {
                    let order = descriptor.compare(left.1.values, to: right.1.values)
                    if order != .orderedSame { return order == .orderedAscending }
                }
                return false
            }
        }
        matches = Array(matches.dropFirst(fetch.fetchOffset))
        if fetch.fetchLimit > 0 { matches = Array(matches.prefix(fetch.fetchLimit)) }
        switch fetch.resultType {
        case .countResultType: return [NSNumber(value: matches.count)]
        case .dictionaryResultType: return matches.map(\.1.values)
        default:
            let objectIDs = matches.compactMap { newID($0.1.entity, $0.0) }
            if fetch.resultType == .managedObjectIDResultType { return objectIDs }
            return objectIDs.compactMap { context?.object(with: $0) }
        }
    }

    private static func names(of entity: NSEntityDescription?) -> Set<String> {
        guard let entity else { return [] }
        return entity.subentities.reduce([entity.name ?? ""]) { $0.union(names(of: $1)) }
    }

    private func write(_ save: NSSaveChangesRequest) throws {
        let counts = [
            save.insertedObjects, save.updatedObjects, save.deletedObjects, save.lockedObjects,
        ].map { $0?.count ?? 0 }
        // Reading a to-many relationship may call this method again, so all values are read first.
        let written = (save.insertedObjects ?? []).union(save.updatedObjects ?? [])
        let newValues = Dictionary(
            uniqueKeysWithValues: written.map { (Self.reference(of: $0.objectID), values(of: $0)) })
        try record("save \(counts.map(String.init).joined(separator: " "))") { state in
            if !state.saveFailures.isEmpty { throw state.saveFailures.removeFirst() }
            state.metadata = metadata
            state.uuid = identifier
            for object in save.insertedObjects ?? [] {
                let reference = Self.reference(of: object.objectID)
                state.rows[reference] = RecordingDatabase.StoredRow(
                    entity: object.entity.name ?? "", values: newValues[reference] ?? [:],
                    version: 1)
                state.order.append(reference)
            }
            for object in save.updatedObjects ?? [] {
                let reference = Self.reference(of: object.objectID)
                let version = state.rows[reference]?.version ?? 0
                state.rows[reference]?.values = newValues[reference] ?? [:]
                state.rows[reference]?.version = state.nextVersion(version)
            }
            for object in save.lockedObjects ?? [] {
                let reference = Self.reference(of: object.objectID)
                let version = state.rows[reference]?.version ?? 0
                state.rows[reference]?.version = state.nextVersion(version)
            }
            for object in save.deletedObjects ?? [] {
                let reference = Self.reference(of: object.objectID)
                state.rows[reference] = nil
                state.order.removeAll { $0 == reference }
            }
        }
    }

    private func values(of object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            values[name] = object.value(forKey: name)
        }
        for (name, relationship) in object.entity.relationshipsByName {
            let references = object.objectIDs(forRelationshipNamed: name).map(Self.reference)
            values[name] = relationship.isToMany ? references : references.first
        }
        return values
    }

    // MARK: - Rows

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let reference = Self.reference(of: objectID)
        return try record("values \(objectID.entity.name ?? "")") { state in
            if let failure = state.failure { throw failure }
            guard let row = state.rows[reference] else {
                throw CocoaError(.managedObjectReferentialIntegrity)
            }
            var values = row.values
            for (name, relationship) in objectID.entity.relationshipsByName {
                values[name] = nil
                guard !relationship.isToMany, !state.omitsToOnes else { continue }
                values[name] = destination(of: row, name, state) ?? NSNull()
            }
            return NSIncrementalStoreNode(
                objectID: objectID, withValues: values, version: row.version)
        }
    }

    private func destination(
        of row: RecordingDatabase.StoredRow, _ name: String, _ state: RecordingDatabase.State
    ) -> NSManagedObjectID? {
        guard let reference = row.values[name] as? String,
            let target = state.rows[reference]
        else { return nil }
        return newID(target.entity, reference)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        record("relationship \(relationship.name)") { state in
            let reference = Self.reference(of: objectID)
            guard let row = state.rows[reference] else { return NSNull() }
            guard relationship.isToMany else {
                return destination(of: row, relationship.name, state) ?? NSNull()
            }
            let references = row.values[relationship.name] as? [String] ?? []
            return references.compactMap { reference in
                state.rows[reference].flatMap { newID($0.entity, reference) }
            }
        }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        record("permanentIDs \(array.count)") { state in
            array.map { object in
                state.last += 1
                return newObjectID(for: object.entity, referenceObject: "\(state.last)")
            }
        }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        record("register \(objectIDs.count)") { state in
            for objectID in objectIDs {
                state.registrations[Self.reference(of: objectID), default: 0] += 1
            }
        }
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        record("unregister \(objectIDs.count)") { state in
            for objectID in objectIDs {
                state.registrations[Self.reference(of: objectID), default: 0] -= 1
            }
        }
    }
}

/// The recording store's result for a batch deletion.
final class RecordingBatchResult: NSBatchDeleteResult {
    override var result: Any? { NSNumber(value: 7) }
    override var resultType: NSBatchDeleteRequestResultType { .resultTypeCount }
}
