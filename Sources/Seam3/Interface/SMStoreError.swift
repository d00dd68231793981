import CoreData

/// Key of the description of an ``SMStoreError`` in its `userInfo`.
public let SMStoreErrorDescription = "SMStore_error_description"

/// A failure of the store for which Core Data has no error of its own.
///
///     do {
///         try await store.sync()
///     } catch SMStoreError.accountChanged {
///         print("A different user is signed in. Nothing was sent.")
///     }
///
/// As an `NSError` it has the domain ``SMStore/SMStoreErrorDomain`` and the code ``SMStoreError/code``, and
/// its `userInfo` contains the text under ``SMStoreErrorDescription``.
public enum SMStoreError: Error {
    /// A request of a kind that the store does not support.
    case invalidRequest(String)
    /// The store's file could not be opened or created.
    case backingStoreCreationFailed(path: String, underlying: any Error)
    /// The store's file could not be emptied.
    case backingStoreResetFailed(underlying: any Error)
    /// The file is not one of this store, or was written by a newer version.
    case unknownFile(path: String, reason: String)
    /// The model has properties that cannot be synced; each is named.
    case unsupportedModel([String])
    /// A value that does not fit its attribute.
    case unacceptableValue(entity: String, property: String, value: String)
    /// A number that is NaN or infinite stays on this device: CloudKit cannot store it.
    case valueNotSynced(entity: String, property: String)
    /// A row, record or reference that should be there is missing.
    case missingRelatedObject(entity: String, property: String)
    /// The conflict policy asks for a resolution block, and there is none, or it returned a record
    /// that is not the one in conflict.
    case conflictResolutionBlock(String)
    /// A pass ended with changes that the server has not acknowledged.
    case changesNotAcknowledged(count: Int, underlying: (any Error)?)
    /// The account cannot be used now.
    case accountUnavailable(String)
    /// The signed-in user is not the one whose data the store holds.
    case accountChanged
    /// The record zone is gone from the server.
    case zoneMissing(String)
    /// Records that the server had are gone without a deletion, and the app's handler answered to stop; see
    /// ``SMZoneLoss/recordsVanished(count:)``.
    case recordsVanished(count: Int)
    /// Records on the server could not be fetched, such as one whose asset is missing. Everything else was
    /// done. Each sync asks for them again, without failing again.
    case recordsNotFetched(_ recordNames: [String], underlying: any Error)
    /// Another store, possibly in another process, is syncing the same file.
    case syncingElsewhere
    /// The server refuses a change. It is parked, and sent again at growing intervals, after the next edit of
    /// its object, and by a complete sync.
    case refusedByServer(String)
    /// A record exceeds CloudKit's limit, without its assets. The property is the largest one.
    case recordTooLarge(entity: String, property: String, byteCount: Int, limit: Int)
    /// A store option has an invalid value, or a name that does not exist.
    case invalidOption(name: String, reason: String)
    /// An object would be deleted whose values could not be read since the context was asked for them: Core Data may
    /// have taken it for a deleted one. The app rolls the context back, fetches the object, and deletes it then.
    case unreadObjectDeleted(entity: String)
    /// The store was used before it was added to a coordinator, or after it was removed.
    case storeNotOpen
    /// A container or a coordinator has no ``SMStore``, or not the one that was asked for; the text says what it has
    /// instead.
    case noStore(String)
    /// A sync was requested while another one waits for the response of ``SMStore/accountChangeHandler`` or
    /// ``SMStore/zoneLossHandler``. The handler may be the one who waits for it.
    case syncInHandler
    /// The file was synced with another CloudKit container than the one that it is opened with.
    case containerChanged(previous: String, current: String)
    /// `migratePersistentStore` cannot copy a store that has been synced.
    case copyOfSyncedStore
    /// The container's schema in production lacks a field, and the server has accepted the records of the type without it.
    case fieldNotDeployed(recordType: String, field: String)

    /// The stable number of the case, which is the code of the `NSError`.
    public var code: Int {
        switch self {
        case .invalidRequest: return 1
        case .backingStoreCreationFailed: return 2
        case .backingStoreResetFailed: return 3
        case .unknownFile: return 4
        case .unsupportedModel: return 5
        case .unacceptableValue: return 6
        case .missingRelatedObject: return 7
        case .conflictResolutionBlock: return 8
        case .changesNotAcknowledged: return 9
        case .accountUnavailable: return 10
        case .accountChanged: return 11
        case .zoneMissing: return 12
        case .syncingElsewhere: return 13
        case .refusedByServer: return 14
        case .valueNotSynced: return 20
        case .recordsVanished: return 21
        case .recordsNotFetched: return 22
        case .invalidOption: return 23
        case .storeNotOpen: return 24
        case .recordTooLarge: return 25
        case .noStore: return 26
        case .syncInHandler: return 27
        case .containerChanged: return 28
        case .copyOfSyncedStore: return 29
        case .unreadObjectDeleted: return 30
        case .fieldNotDeployed: return 31
        }
    }
}

extension SMStoreError: Equatable {
    /// Whether two errors are the same case, that is, have the same ``code``. Their texts, counts and underlying errors
    /// are not compared.
    ///
    ///     await #expect(throws: SMStoreError.accountChanged) { try await store.sync() }
    public static func == (left: SMStoreError, right: SMStoreError) -> Bool {
        left.code == right.code
    }
}

extension SMStoreError: CustomStringConvertible {
    /// What went wrong, with the entity, attribute or record at fault, as a sentence.
    public var description: String {
        let text = text
        return [".", "?", "!"].contains(where: text.hasSuffix) ? text : text + "."
    }

    private var text: String {
        switch self {
        case .invalidRequest(let kind):
            return "SMStore cannot execute \(kind)."
        case .backingStoreCreationFailed(let path, let underlying):
            return "The store file at \(path) cannot be opened: \(ErrorText.of(underlying))"
        case .backingStoreResetFailed(let underlying):
            return "The store cannot be emptied: \(ErrorText.of(underlying))"
        case .unknownFile(let path, let reason):
            return "The file at \(path) cannot be used: \(reason)"
        case .unsupportedModel(let problems):
            return "The model cannot be synced: " + problems.joined(separator: "; ")
        case .unacceptableValue(let entity, let property, let value):
            return "A value of type \(value) does not fit the attribute \(entity).\(property)."
        case .valueNotSynced(let entity, let property):
            return "The value of \(entity).\(property) is NaN or infinite and stays on this device."
        case .missingRelatedObject(let entity, let property):
            return "The object that \(entity).\(property) refers to cannot be found."
        case .conflictResolutionBlock(let problem):
            return "The app could not resolve a conflict: \(problem)"
        case .changesNotAcknowledged(let count, let underlying):
            let cause = underlying.map { ": \(ErrorText.of($0))" } ?? "."
            let changes = count == 1 ? "One change has" : "\(count) changes have"
            return "\(changes) not been acknowledged by the server\(cause)"
        case .accountUnavailable(let status):
            return "The iCloud account cannot be used: \(status)."
        case .accountChanged:
            return "The store holds another iCloud user's data."
        case .zoneMissing(let zone):
            return "The record zone \(zone) no longer exists on the server."
        case .recordsVanished(let count):
            return "\(count) records are gone from the server without having been deleted."
        case .recordsNotFetched(let names, let underlying):
            return "The records \(names.joined(separator: ", ")) could not be fetched:"
                + " \(ErrorText.of(underlying))"
        case .syncingElsewhere:
            return "Another store is syncing the same file."
        case .refusedByServer(let reason):
            return "The server refuses a change: \(reason)"
        case .recordTooLarge(let entity, let property, let byteCount, let limit):
            return
                "The record of \(entity) is larger than the \(limit) bytes that CloudKit accepts."
                + " \(entity).\(property) alone has \(byteCount)."
        case .invalidOption(let name, let reason):
            return "The store option \(name) is invalid: \(reason)"
        case .unreadObjectDeleted(let entity):
            return
                "An object of \(entity) is not deleted: its values could not be read, so the context"
                + " may have taken it for a deleted one. Roll the context back, fetch the object"
                + " again, and delete it then."
        case .storeNotOpen:
            return "The store is not open. Add it to a coordinator first."
        case .noStore(let reason):
            return "There is no SMStore: \(reason)"
        case .syncInHandler:
            return
                "The store cannot be synced now: a sync has called a handler of the app, and waits for its response. Sync"
                + " after the handler has returned."
        case .containerChanged(let previous, let current):
            return
                "The store's file was synced with the container \(previous), and is now opened with \(current)."
                + " Use another file for another container, or call resetCloudFieldsInBackingStore() to send all"
                + " objects to the new one."
        case .fieldNotDeployed(let type, let field):
            return
                "The container's schema in production lacks the field \(field) of the record type \(type)."
                + " Its records are saved without it. Deploy the schema: until then, only values tell who has"
                + " edited what."
        case .copyOfSyncedStore:
            return
                "A synced store cannot be copied with migratePersistentStore: its objects would be sent again as new"
                + " ones. Close the store and move its files instead."
        }
    }
}

extension SMStoreError: CustomNSError, LocalizedError {
    /// ``SMStore/SMStoreErrorDomain``.
    public static var errorDomain: String { "SMStoreErrorDomain" }

    /// The same number as ``code``.
    public var errorCode: Int { code }

    /// The description, and the underlying error if there is one.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [
            SMStoreErrorDescription: description, NSLocalizedDescriptionKey: description,
        ]
        switch self {
        case .backingStoreCreationFailed(_, let underlying),
            .backingStoreResetFailed(let underlying), .recordsNotFetched(_, let underlying):
            info[NSUnderlyingErrorKey] = underlying
        case .changesNotAcknowledged(_, let underlying):
            info[NSUnderlyingErrorKey] = underlying
        default:
            break
        }
        return info
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
