// error: expects 1 argument
import CloudKit

func watch(_ operation: CKModifyRecordsOperation) {
    operation.modifyRecordsResultBlock = { saved, deleted, error in }
}
