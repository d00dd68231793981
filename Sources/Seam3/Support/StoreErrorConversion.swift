import CoreData

/// Converts SQLite's errors to those that Core Data's callers expect.
extension SQLiteError {
    /// The error of `NSCocoaErrorDomain` that Core Data's own store reports for the failure.
    /// SQLite's code is under `NSSQLiteErrorDomain`, this error under `NSUnderlyingErrorKey`.
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
