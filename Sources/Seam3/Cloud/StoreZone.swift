import CloudKit
import CoreData

/// The names of the zone and the subscription that stores use in the user's private database.
enum StoreZone {
    static let name = "SMStoreCloudStore_CustomZone"
    static let subscriptionID = "SM_CloudStore_Subscription"

    static var id: CKRecordZone.ID {
        CKRecordZone.ID(zoneName: name, ownerName: CKCurrentUserDefaultName)
    }
}
