import CoreData

/// What ``SMStore/adoptFile(at:model:configuration:)`` took over.
public struct SMAdoption: Sendable {
    /// Where the old file is now, in a folder with all that belonged to it: the application may
    /// remove the folder when it no longer wants to go back.
    public let originalURL: URL
    /// How many objects the file had.
    public let objectCount: Int
    /// "Entity.attribute" of binary data that the file keeps outside of itself and whose file is
    /// missing, once for each value; such a value is nil now.
    public let missingData: [String]
}

/// Taking over files of Core Data's own store and of Seam3 1.
extension SMStore {
    /// Store option: whether a file of Core Data's own SQLite store, or of Seam3 1, that is at the
    /// store's URL is taken over when the store is opened; see ``adoptFile(at:model:configuration:)``.
    @nonobjc public static let SMStoreAdoptionOption = "SMStoreAdoptionOption"

    /// Takes over a file of Core Data's own SQLite store, or of Seam3 1.
    ///
    /// The file's objects, their relationships and order, and what Seam3 1 had not sent yet are
    /// copied into a file of this store, which then is at the URL; whatever the server does not have
    /// is queued. The old file is kept, see ``SMAdoption/originalURL``. It is touched only when the
    /// new one is whole; after a crash the store is opened as if there had been none.
    ///
    /// To be called before a store is added at the URL. Objects get new IDs: URIs of old ones that
    /// the application kept are of no use any more.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The application's model. A file of an older model is migrated, if that can be
    ///     inferred.
    ///   - configuration: The configuration whose entities the store holds; nil for all.
    /// - Returns: What was taken over; nil if the URL has a file of this store already, or none.
    /// - Throws: ``SMStoreError/unknownFile(path:reason:)`` if the file is damaged or of another kind,
    ///   134190 of the domain `NSCocoaErrorDomain` if the migration cannot be inferred. The file is
    ///   as it was then.
    @discardableResult
    @nonobjc public class func adoptFile(
        at url: URL, model: NSManagedObjectModel, configuration: String? = nil
    ) throws -> SMAdoption? {
        if case .other(let reason) = try FileKind(at: url) {
            throw SMStoreError.unknownFile(path: url.path, reason: reason)
        }
        return try FileAdoption(
            url: url, model: model, configuration: configuration, storeType: type,
            infersMigration: true
        ).run()
    }
}
