// error: extraneous argument label 'code:'
import CloudKit

let error = CKError(code: .networkFailure, userInfo: [:])
