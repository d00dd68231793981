import CoreData

/// The wrapper around every call of Core Data.
@nonobjc extension SMStore {
    /// Runs a call of Core Data under the lock, and converts its errors to those that Core Data's
    /// callers expect.
    func answer<T>(_ body: () throws -> T) throws -> T {
        do {
            return try lock.locked(body)
        } catch let error as SQLiteError {
            throw error.cocoaError(path: url?.path ?? "")
        }
    }

    /// Refuses to write to a file that was removed or replaced while it was open, because the
    /// changes would be lost.
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
