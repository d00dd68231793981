import CoreData

/// Why a file cannot be opened, in words for the developer.
extension StoreFile {
    /// The problem with the file or its folder that keeps SQLite from opening it; nil if none is
    /// known.
    func refusal(underlying error: any Error) -> CocoaError? {
        let manager = FileManager.default
        let folder = url.deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        let exists = manager.fileExists(atPath: path, isDirectory: &isFolder)
        let reason: String
        if isFolder.boolValue {
            reason = "It is a folder."
        } else if !manager.fileExists(atPath: folder) {
            reason = "The folder \(folder) does not exist."
        } else if !isReadOnly, !manager.isWritableFile(atPath: folder) {
            reason = "The folder \(folder) is not writable."
        } else if !isReadOnly, exists, !manager.isWritableFile(atPath: path) {
            reason = "It is not writable."
        } else {
            return nil
        }
        return CocoaError(
            isReadOnly ? .fileReadNoSuchFile : .fileWriteNoPermission,
            userInfo: [
                NSFilePathErrorKey: path, NSLocalizedDescriptionKey: reason,
                NSUnderlyingErrorKey: error,
            ])
    }

    /// The error for a file of another model.
    func incompatibleModel(
        _ metadata: [String: Any], _ model: NSManagedObjectModel?,
        reason: String = "The model used to open the store is incompatible with the one used to"
            + " create the store"
    ) -> any Error {
        let differences = Self.differences(
            metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:],
            model?.entityVersionHashesByName ?? [:])
        return CocoaError(
            .persistentStoreIncompatibleVersionHash,
            userInfo: [
                NSFilePathErrorKey: path, "metadata": metadata, "reason": reason,
                NSLocalizedDescriptionKey: "\(reason).\(differences) \(adviceToMigrate)",
            ])
    }

    private var adviceToMigrate: String {
        isReadOnly
            ? "The store is read-only, so it is not migrated: open it once without NSReadOnlyPersistentStoreOption."
            : "To have it migrated, set the options NSMigratePersistentStoresAutomaticallyOption and"
                + " NSInferMappingModelAutomaticallyOption, as NSPersistentStoreDescription does by default."
    }

    /// The error for a model without entities, whose migration would remove everything.
    func emptyModel(_ model: NSManagedObjectModel) -> any Error {
        let reason = Self.nothingToKeep(model)
        return CocoaError(
            .persistentStoreIncompatibleVersionHash,
            userInfo: [
                NSFilePathErrorKey: path, "reason": reason,
                NSLocalizedDescriptionKey:
                    "\(reason) The file \(url.lastPathComponent) has entities, and was left as it is.",
            ])
    }

    /// What is wrong with a model of which a store keeps no entity.
    static func nothingToKeep(_ model: NSManagedObjectModel) -> String {
        guard model.entities.isEmpty else {
            return "The configuration of the store has no entities."
        }
        return
            "The model has no entities. The model file is probably in another bundle: the resources of a Swift package"
            + " are in Bundle.module, those of an app's target in Bundle.main."
    }

    /// A sentence that lists the entities that differ between two models, by their version hashes.
    private static func differences(_ old: [String: Data], _ new: [String: Data]) -> String {
        let names = { (keys: [String]) in keys.sorted().joined(separator: ", ") }
        let changed = names(new.keys.filter { old[$0] != nil && old[$0] != new[$0] })
        let added = names(new.keys.filter { old[$0] == nil })
        let removed = names(old.keys.filter { new[$0] == nil })
        let parts = [("changed", changed), ("new", added), ("missing", removed)]
            .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
        return parts.isEmpty ? "" : " Entities \(parts.joined(separator: "; "))."
    }
}
