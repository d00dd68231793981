// error: is unavailable
import CloudKit

let token = CKServerChangeToken()
