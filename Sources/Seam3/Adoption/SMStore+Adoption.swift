import CoreData

/// Taking over files of Core Data's own store and of Seam3 1.
extension SMStore {
    /// Store option: whether a file of Core Data's own SQLite store, or of Seam3 1, that is at the
    /// store's URL is taken over when the store is opened; see
    /// ``adoptFile(at:model:configuration:user:isDryRun:)``.
    @nonobjc public static let SMStoreAdoptionOption = "SMStoreAdoptionOption"

    /// Store option: the record name of the user whose records the file of Seam3 1 has, which is taken
    /// over. Seam3 1 kept it in the user defaults under `CloudKitUser`.
    @nonobjc public static let SMStoreAdoptionUserOption = "SMStoreAdoptionUserOption"

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
    /// A file of Seam3 1 does not say whose records it has. If `user` does, nothing is sent to the
    /// account of anybody else. If it does not, the first synchronisation looks for the records before it
    /// sends anything: where the server has none of them, it is as if the zone were missing, and the
    /// application decides; see ``SMZoneLoss/missing``.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The application's model. A file of an older model is migrated, if that can be
    ///     inferred.
    ///   - configuration: The configuration whose entities the store holds; nil for all.
    ///   - user: The record name of the user whose records a file of Seam3 1 has; nil if that is not
    ///     known. Of no matter for a file that has no records.
    ///   - isDryRun: Whether the file is left as it is, and only the report is made. It takes as long,
    ///     and as much room in the temporary directory.
    /// - Returns: What was taken over; nil if the URL has a file of this store already, or none.
    /// - Throws: ``SMStoreError/unknownFile(path:reason:)`` if the file is damaged, of another kind, or
    ///   has nothing in common with the model, 134190 of the domain `NSCocoaErrorDomain` if the
    ///   migration cannot be inferred. The file is as it was then.
    @discardableResult
    @nonobjc public class func adoptFile(
        at url: URL, model: NSManagedObjectModel, configuration: String? = nil,
        user: String? = nil, isDryRun: Bool = false
    ) throws -> SMAdoption? {
        if case .other(let reason) = try FileKind(at: url) {
            throw SMStoreError.unknownFile(path: url.path, reason: reason)
        }
        return try FileAdoption(
            url: url, model: model, configuration: configuration, storeType: type,
            infersMigration: true, user: user, isDryRun: isDryRun
        ).run()
    }
}
