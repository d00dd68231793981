// error: extra argument 'zone'
import CloudKit

let name = CKRecord.ID(recordName: "a", zone: CKRecordZone.default().zoneID)
