import CloudKit
import CoreData

/// How the server has lost a store's data.
public enum SMZoneLoss: Equatable, Sendable {
    /// The zone does not exist, for an unknown reason. Or another device has made it again before this one noticed that it
    /// was deleted: the change token is no longer valid, and the zone has none of the records that this device knows.
    case missing
    /// An app has deleted the zone.
    case deleted
    /// The user has deleted the app's data in the iCloud settings.
    case purged
    /// The user has reset the account's encrypted data, which deletes the zone.
    case encryptedDataReset
    /// Records are gone although the change feed did not contain their deletion: the change token had
    /// expired, or all records were fetched again. The zone itself exists, and has other known records.
    case recordsVanished(count: Int)
}

/// What happens to the objects that the server has lost.
public enum SMZoneLossResponse: Sendable {
    /// The sync ends with ``SMStoreError/zoneMissing(_:)`` or ``SMStoreError/recordsVanished(count:)``, and
    /// each further sync asks again, also if another device has made the zone again. The objects stay, and changes wait.
    /// The default for a zone that is missing, was deleted or was purged: data that a user has deleted is not uploaded again
    /// without being asked for, and nothing is removed here.
    case stop
    /// The zone is created again, and the objects are sent as new ones. The default after a reset of
    /// encrypted data, as Apple recommends.
    case upload
    /// The objects are removed from the store, pending changes included. The default for vanished records:
    /// another device has deleted them. The conflict policy decides about those that were edited here.
    case removeLocalData
}

extension SMZoneLoss {
    /// The losses of the whole zone, by the names under which a file notes them.
    private static let named: KeyValuePairs<String, SMZoneLoss> = [
        "missing": .missing, "deleted": .deleted, "purged": .purged,
        "encryptedDataReset": .encryptedDataReset,
    ]

    /// The name under which a file notes the loss; nil for a loss of records.
    var name: String? { Self.named.first { $0.value == self }?.key }

    init?(name: String) {
        guard let loss = Self.named.first(where: { $0.key == name })?.value else { return nil }
        self = loss
    }

    /// The response if the app does not decide.
    var defaultResponse: SMZoneLossResponse {
        switch self {
        case .missing, .deleted, .purged: return .stop
        case .encryptedDataReset: return .upload
        case .recordsVanished: return .removeLocalData
        }
    }

    /// The loss that an error of a request to the zone stands for.
    init(_ error: any Error) {
        let errors =
            [error] + ((error as? CKError)?.partialErrorsByItemID.map { Array($0.values) } ?? [])
        let cloudErrors = errors.compactMap { $0 as? CKError }
        if cloudErrors.contains(where: { $0.code == .userDeletedZone }) {
            self = .purged
        } else if cloudErrors.contains(where: {
            ($0.userInfo[CKErrorUserDidResetEncryptedDataKey] as? NSNumber)?.boolValue == true
        }) {
            self = .encryptedDataReset
        } else {
            self = .missing
        }
    }
}

/// Ends the steps of a pass because the zone is gone; the pass then reacts to the loss.
struct LostZone: Error {
    let loss: SMZoneLoss
    let zoneName: String

    /// The error for callers.
    var told: SMStoreError { .zoneMissing(zoneName) }
}
