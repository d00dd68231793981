// error: cannot assign value of type
import CloudKit

func read(_ operation: CKFetchRecordZoneChangesOperation, _ zone: CKRecordZone.ID) {
    operation.configurationsByRecordZoneID = [
        zone: CKFetchRecordZoneChangesOperation.ZoneOptions()
    ]
}
