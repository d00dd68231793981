// error: incorrect argument label
import CloudKit

let name = CKRecord.ID(recordName: "a", zone: CKRecordZone.default().zoneID)
