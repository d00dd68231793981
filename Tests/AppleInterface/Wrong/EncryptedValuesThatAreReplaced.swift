// error: 'encryptedValues' is a get-only property
import CloudKit

func copy(_ record: CKRecord, to other: CKRecord) { other.encryptedValues = record.encryptedValues }
