import CloudKit
import CoreData

/// How the server has lost what it had of a store.
public enum SMZoneLoss: Equatable, Sendable {
    /// The zone is not there, and nobody knows why.
    case missing
    /// An application has deleted the zone.
    case deleted
    /// The user has removed the application's data in the settings of iCloud.
    case purged
    /// The user has reset the encrypted data of the account, which takes the zone along.
    case encryptedDataReset
    /// Records are gone that no feed tells the deletion of: the change token had expired, or all
    /// records were fetched again. The zone itself is there.
    case recordsVanished(count: Int)
}

/// What becomes of the objects that the server has lost.
public enum SMZoneLossResponse: Sendable {
    /// The synchronisation ends with ``SMStoreError/zoneMissing(_:)`` or
    /// ``SMStoreError/recordsVanished(count:)``, and each later one asks again. The objects stay, and
    /// changes wait. The default for a zone that is missing, was deleted or was purged: what a user
    /// has removed is not sent again unasked, and nothing is removed here.
    case stop
    /// The zone is created again, and the objects are sent as new ones. The default after a reset of
    /// encrypted data, for which Apple recommends it.
    case upload
    /// The objects are removed from the store, changes that wait included. The default for vanished
    /// records: another device has deleted them. Of those, what was edited here goes by the conflict
    /// policy.
    case removeLocalData
}

extension SMZoneLoss {
    /// What is done if the application does not choose.
    var defaultResponse: SMZoneLossResponse {
        switch self {
        case .missing, .deleted, .purged: return .stop
        case .encryptedDataReset: return .upload
        case .recordsVanished: return .removeLocalData
        }
    }

    /// What an error of a request to the zone tells of it.
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

/// Ends the steps of a pass because the zone is gone, for the pass to do what is to be done then.
struct LostZone: Error {
    let loss: SMZoneLoss
    let zoneName: String

    /// What those outside are told.
    var told: SMStoreError { .zoneMissing(zoneName) }
}
