import CoreData

/// SQLite's errors as Core Data's callers know them.
extension SQLiteError {
    /// The error of `NSCocoaErrorDomain` that Core Data's own store has for the failure; SQLite's
    /// code is under `NSSQLiteErrorDomain`, this error under `NSUnderlyingErrorKey`.
    func cocoaError(path: String) -> CocoaError {
        CocoaError(
            cocoaCode,
            userInfo: [
                NSFilePathErrorKey: path, NSSQLiteErrorDomain: Int(extendedCode),
                NSUnderlyingErrorKey: self, NSLocalizedDescriptionKey: description,
            ])
    }

    private var cocoaCode: CocoaError.Code {
        switch code {
        case .full: return .fileWriteOutOfSpace
        case .readOnly, .permissionDenied: return .fileWriteNoPermission
        case .busy, .locked: return .persistentStoreTimeout
        case .corrupt, .notADatabase: return .fileReadCorruptFile
        case .cannotOpen: return .persistentStoreOpen
        default: return .persistentStoreSave
        }
    }
}
