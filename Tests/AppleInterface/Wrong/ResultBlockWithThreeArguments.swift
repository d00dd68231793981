// error: extra arguments at positions #2, #3
import CloudKit

func watch(_ operation: CKModifyRecordsOperation) {
    operation.modifyRecordsResultBlock = { saved, deleted, error in }
}
