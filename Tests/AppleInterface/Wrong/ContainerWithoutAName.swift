// error: 'nil' is not compatible with expected argument type 'String'
import CloudKit

let container = CKContainer(identifier: nil)
