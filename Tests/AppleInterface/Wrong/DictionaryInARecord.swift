// error: cannot assign value of type '[Int : Int]'
import CloudKit

func fill(_ record: CKRecord) { record["counts"] = [1: 2] }
