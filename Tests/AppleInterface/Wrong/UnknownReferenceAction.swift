// error: has no member 'nullify'
import CloudKit

func reference(_ record: CKRecord) -> CKRecord.Reference {
    CKRecord.Reference(record: record, action: .nullify)
}
