// error: incorrect argument label
import CloudKit

let error = CKError(code: .networkFailure, userInfo: [:])
