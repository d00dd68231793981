// error: to expected dictionary value type 'CKFetchRecordZoneChangesOperation.ZoneConfiguration'
import CloudKit

func read(_ operation: CKFetchRecordZoneChangesOperation, _ zone: CKRecordZone.ID) {
    operation.configurationsByRecordZoneID = [
        zone: CKFetchRecordZoneChangesOperation.ZoneOptions()
    ]
}
