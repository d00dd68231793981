import CoreData

/// Adopting files of Core Data's own store and of Seam3 1.
extension SMStore {
    /// Store option: whether a file of Core Data's own SQLite store, or of Seam3 1, at the store's URL is
    /// adopted when the store is opened; see ``adoptFile(at:model:configuration:user:isDryRun:)``.
    ///
    ///     description.setOption(true as NSNumber, forKey: SMStore.SMStoreAdoptionOption)
    @nonobjc public static let SMStoreAdoptionOption = "SMStoreAdoptionOption"

    /// Store option: the record name of the user whose records the adopted file of Seam3 1 contains. The
    /// sample code of Seam3 1 kept it in the user defaults under `CloudKitUser`.
    @nonobjc public static let SMStoreAdoptionUserOption = "SMStoreAdoptionUserOption"

    /// Adopts a file of Core Data's own SQLite store, or of Seam3 1.
    ///
    ///     if let adoption = try SMStore.adoptFile(at: url, model: model) {
    ///         for entry in adoption.leftOut { print(entry) }
    ///     }
    ///
    /// The file's objects, their relationships and order, and what Seam3 1 had not sent are copied into a
    /// file of this store, which takes the place of the old one. Whatever the server does not have is queued.
    /// The old file is kept, see ``SMAdoption/originalURL``. It is replaced only when the new one is complete;
    /// after a crash the store opens as if nothing had happened.
    ///
    /// Call it before a store is added at the URL. Objects get new IDs: URIs of old IDs that the app has kept
    /// no longer resolve.
    ///
    /// A file of Seam3 1 does not say whose records it contains. If `user` says so, nothing is sent to anybody
    /// else's account. Otherwise the first sync looks for the records before it sends anything. If the server
    /// has none of them, the zone counts as missing, and the app decides; see ``SMZoneLoss/missing``.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The app's model. A file with an older model is migrated, if the migration can be inferred. If the
    ///     app has a staged migration or a mapping model for it, pass the older model, and add the store then.
    ///   - configuration: The configuration whose entities the store holds; nil for all.
    ///   - user: The record name of the user whose records a file of Seam3 1 contains; nil if unknown. It has
    ///     no effect on a file without records.
    ///   - isDryRun: Whether the file is left unchanged, and only the report is made. A dry run takes the same
    ///     time, and the same space in the temporary directory.
    /// - Returns: What was adopted; nil if there is no file at the URL, or one of this store.
    /// - Throws: ``SMStoreError/unknownFile(path:reason:)`` if the file is damaged, of another kind, or has
    ///   nothing in common with the model; 134190 of the domain `NSCocoaErrorDomain` if the migration cannot
    ///   be inferred. The file is then unchanged.
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
