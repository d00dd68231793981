// error: CKRecordValueProtocol
import CloudKit

func fill(_ record: CKRecord) { record["counts"] = [1: 2] }
