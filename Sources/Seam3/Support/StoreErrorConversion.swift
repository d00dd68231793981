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

extension SMStore {
    /// Runs a call of Core Data: under the lock, with errors that Core Data's callers know.
    func answer<T>(_ body: () throws -> T) throws -> T {
        do {
            return try lock.locked(body)
        } catch let error as SQLiteError {
            throw error.cocoaError(path: url?.path ?? "")
        }
    }

    /// Refuses to write to a file that was removed or replaced while it was open: what is written
    /// would be lost.
    ///
    /// - Throws: `CocoaError.fileNoSuchFile`.
    func refuseRemovedFile() throws {
        guard try database().connection.hasMoved else { return }
        throw CocoaError(
            .fileNoSuchFile,
            userInfo: [
                NSFilePathErrorKey: url?.path ?? "",
                NSLocalizedDescriptionKey: "The store's file was removed while it was open.",
            ])
    }
}
