import CoreData

/// A point in a store's history.
///
/// It does not call the methods of its superclass for archives and copies: those of an abstract class may raise an
/// exception, or return an object of another class.
///
/// Unchecked because it is immutable.
final class HistoryToken: NSPersistentHistoryToken, @unchecked Sendable {
    let storeIdentifier: String
    let number: Int64

    init(storeIdentifier: String, number: Int64) {
        self.storeIdentifier = storeIdentifier
        self.number = number
        super.init()
    }

    override class var supportsSecureCoding: Bool { true }

    required init?(coder: NSCoder) {
        guard
            let identifier = coder.decodeObject(of: NSString.self, forKey: "SMStoreIdentifier")
        else { return nil }
        storeIdentifier = identifier as String
        number = coder.decodeInt64(forKey: "SMHistoryNumber")
        super.init()
    }

    override func encode(with coder: NSCoder) {
        coder.encode(storeIdentifier as NSString, forKey: "SMStoreIdentifier")
        coder.encode(number, forKey: "SMHistoryNumber")
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HistoryToken else { return false }
        return storeIdentifier == other.storeIdentifier && number == other.number
    }

    override var hash: Int { storeIdentifier.hashValue ^ number.hashValue }
}

/// One transaction of a store's history.
final class HistoryTransaction: NSPersistentHistoryTransaction {
    private let transaction: HistoryTable.Transaction
    private let identifier: String
    var recorded: [HistoryChange]?

    init(_ transaction: HistoryTable.Transaction, storeIdentifier: String) {
        self.transaction = transaction
        identifier = storeIdentifier
        super.init()
    }

    override var timestamp: Date { transaction.time }
    override var changes: [NSPersistentHistoryChange]? { recorded }
    override var transactionNumber: Int64 { transaction.number }
    override var storeID: String { identifier }
    override var bundleID: String { transaction.bundle }
    override var processID: String { transaction.process }
    override var contextName: String? { transaction.context }
    override var author: String? { transaction.author }
    override var token: NSPersistentHistoryToken {
        HistoryToken(storeIdentifier: identifier, number: transaction.number)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func objectIDNotification() -> Notification {
        var objectIDs: [String: Set<NSManagedObjectID>] = [:]
        for change in recorded ?? [] {
            let key: String
            switch change.changeType {
            case .insert: key = NSInsertedObjectIDsKey
            case .delete: key = NSDeletedObjectIDsKey
            default: key = NSUpdatedObjectIDsKey
            }
            objectIDs[key, default: []].insert(change.changedObjectID)
        }
        return Notification(
            name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: objectIDs)
    }
}

/// One changed object of a store's history.
final class HistoryChange: NSPersistentHistoryChange {
    private let number: Int64
    private let type: NSPersistentHistoryChangeType
    private let objectID: NSManagedObjectID
    private let values: [AnyHashable: Any]?
    private let properties: Set<NSPropertyDescription>?
    weak var owner: HistoryTransaction?

    init(
        _ change: HistoryTable.Change, objectID: NSManagedObjectID, of entity: EntitySchema
    ) {
        number = change.number
        self.objectID = objectID
        switch change.kind {
        case .insertion: type = .insert
        case .deletion: type = .delete
        case .update, .relation: type = .update
        }
        properties =
            type == .update
            ? Set(change.properties.compactMap { Self.property($0, of: entity.description) }) : nil
        values =
            type == .delete
            ? change.tombstone.map { HistoryTriggers.values(of: $0, entity) } : nil
        super.init()
    }

    /// A property of the model by the name that it had when the change was recorded.
    private static func property(
        _ name: String, of entity: NSEntityDescription
    ) -> NSPropertyDescription? {
        entity.propertiesByName[name]
            ?? entity.properties.first { $0.renamingIdentifier == name }
    }

    override var changeID: Int64 { number }
    override var changedObjectID: NSManagedObjectID { objectID }
    override var changeType: NSPersistentHistoryChangeType { type }
    override var tombstone: [AnyHashable: Any]? { values }
    override var transaction: NSPersistentHistoryTransaction? { owner }
    override var updatedProperties: Set<NSPropertyDescription>? { properties }

    override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The result of a history request.
final class HistoryResult: NSPersistentHistoryResult {
    private let type: NSPersistentHistoryResultType
    private let value: Any

    init(_ type: NSPersistentHistoryResultType, _ value: Any) {
        self.type = type
        self.value = value
        super.init()
    }

    override var resultType: NSPersistentHistoryResultType { type }
    override var result: Any? { value }
}
