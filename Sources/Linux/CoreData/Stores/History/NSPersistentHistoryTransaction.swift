import FoundationGaps

/// One save in a history. Store classes return a subclass.
open class NSPersistentHistoryTransaction: NSObject, NSCopying {
    /// The time of the save.
    open var timestamp: Date { Date(timeIntervalSinceReferenceDate: 0) }
    /// The changes of the save.
    open var changes: [NSPersistentHistoryChange]? { nil }
    /// The number of the save; larger for later ones.
    open var transactionNumber: Int64 { 0 }
    /// The identifier of the store.
    open var storeID: String { "" }
    /// The program that saved.
    open var bundleID: String { "" }
    /// The process that saved.
    open var processID: String { "" }
    /// The name of the context that saved.
    open var contextName: String? { nil }
    /// The author of the save, see `NSManagedObjectContext.transactionAuthor`.
    open var author: String? { nil }
    /// The point in the history after the save.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken() }

    /// The transaction itself or a copy. A subclass overrides it and does not call it.
    open func copy(with zone: NSZone? = nil) -> Any { raiseAbstract("copyWithZone:") }

    /// The entity for a fetch of transactions, for `fetchHistory(withFetch:)`.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

    /// A fetch of transactions, for `fetchHistory(withFetch:)`: its predicate refers to this
    /// class's properties.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntities.fetchRequest(HistoryEntities.transaction)
    }

    /// The entity for a fetch of transactions, for `fetchHistory(withFetch:)`.
    open class func entityDescription(
        with context: NSManagedObjectContext
    ) -> NSEntityDescription? { entityDescription }

    /// The changes in the form that `NSManagedObjectContext.mergeChanges(fromContextDidSave:)`
    /// accepts.
    open func objectIDNotification() -> Notification {
        var objectIDs: [String: Set<NSManagedObjectID>] = [:]
        for change in changes ?? [] {
            let key =
                switch change.changeType {
                case .insert: NSInsertedObjectIDsKey
                case .update: NSUpdatedObjectIDsKey
                case .delete: NSDeletedObjectIDsKey
                }
            objectIDs[key, default: []].insert(change.changedObjectID)
        }
        return Notification(
            name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: objectIDs)
    }
}

/// One changed object in a history. Store classes return a subclass.
open class NSPersistentHistoryChange: NSObject, NSCopying {
    /// The number of the change.
    open var changeID: Int64 { 0 }
    /// The changed object.
    open var changedObjectID: NSManagedObjectID {
        raise(.internalInconsistency, "changedObjectID must be overridden by \(type(of: self)).")
    }
    /// The kind of the change.
    open var changeType: NSPersistentHistoryChangeType { .insert }
    /// The preserved values of a deleted object: those attributes that the model marks for the
    /// history.
    open var tombstone: [AnyHashable: Any]? { nil }
    /// The save that changed it.
    open var transaction: NSPersistentHistoryTransaction? { nil }
    /// The properties that an update changed.
    open var updatedProperties: Set<NSPropertyDescription>? { nil }

    /// The change itself or a copy. A subclass overrides it and does not call it.
    open func copy(with zone: NSZone? = nil) -> Any { raiseAbstract("copyWithZone:") }

    /// The entity for a fetch of changes, for `fetchHistory(withFetch:)`.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.change }

    /// A fetch of changes, for `fetchHistory(withFetch:)`: its predicate refers to this class's
    /// properties.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntities.fetchRequest(HistoryEntities.change)
    }

    /// The entity for a fetch of changes, for `fetchHistory(withFetch:)`.
    open class func entityDescription(
        with context: NSManagedObjectContext
    ) -> NSEntityDescription? { entityDescription }
}

/// The result of a history request. Store classes return a subclass.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// A Boolean, a number, IDs, transactions or changes, according to the request.
    open var result: Any? { nil }

    /// The kind of the result.
    open var resultType: NSPersistentHistoryResultType { .statusOnly }
}

/// The entities for fetches of a history.
///
/// Unchecked because they do not change after their creation.
enum HistoryEntities {
    nonisolated(unsafe) static let transaction = entity(
        "Transaction",
        [
            ("author", .stringAttributeType), ("bundleID", .stringAttributeType),
            ("contextName", .stringAttributeType), ("processID", .stringAttributeType),
            ("storeID", .stringAttributeType), ("timestamp", .dateAttributeType),
            ("token", .transformableAttributeType),
            ("transactionNumber", .integer64AttributeType),
        ])

    nonisolated(unsafe) static let change = entity(
        "Change",
        [
            ("changeID", .integer64AttributeType), ("changedEntity", .integer64AttributeType),
            ("changedObjectID", .objectIDAttributeType), ("changeType", .integer16AttributeType),
            ("tombstone", .transformableAttributeType),
        ])

    private static func entity(
        _ name: String, _ attributes: [(String, NSAttributeType)]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        return entity
    }

    static func fetchRequest(
        _ entity: NSEntityDescription
    ) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        return request
    }
}

// MARK: - Keys

extension NSPersistentHistoryTransaction: _KeyValueCoding {
    /// The property with a name, for predicates and sort descriptors.
    public func _value(forKey key: String) -> Any? {
        switch key {
        case "author": author
        case "bundleID": bundleID
        case "changes": changes
        case "contextName": contextName
        case "processID": processID
        case "self", "SELF": self
        case "storeID": storeID
        case "timestamp": timestamp
        case "token": token
        case "transactionNumber": transactionNumber
        default: raiseUnknownKey(key, of: self)
        }
    }
}

extension NSPersistentHistoryChange: _KeyValueCoding {
    /// The property with a name, for predicates and sort descriptors.
    public func _value(forKey key: String) -> Any? {
        switch key {
        case "changeID": changeID
        case "changeType": changeType.rawValue
        case "changedEntity": changedObjectID.entity
        case "changedObjectID": changedObjectID
        case "self", "SELF": self
        case "tombstone": tombstone
        case "transaction": transaction
        case "updatedProperties": updatedProperties
        default: raiseUnknownKey(key, of: self)
        }
    }
}
