// error: 'recordChangeTag' is a get-only property
import CloudKit

func forget(_ record: CKRecord) { record.recordChangeTag = nil }
