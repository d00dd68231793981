import CloudKit
import Console
import CoreData
import LocalCloud
import Seam3

/// A store that is open for reading, and does not sync.
struct OpenStore {
    let store: SMStore
    private let coordinator: NSPersistentStoreCoordinator

    /// Opens a file with the model that the user named, or with the version of it that the file was written with.
    ///
    /// - Throws: A ``Console/Failure`` if the file belongs to another model or to Core Data's own store.
    init(_ url: URL, model option: ModelOption) throws {
        let model = try option.load()
        do {
            try self.init(url, model: model)
        } catch SMStoreError.unknownFile(_, let reason)
            where reason.contains(SMStore.SMStoreAdoptionOption)
        {
            // The reason advises the app's code.
            throw Console.Failure(
                "\(url.path) is not a store of Seam3: \(reason). `seam3 adopt --dry-run` is one.")
        } catch let error as CocoaError where error.code == .persistentStoreIncompatibleVersionHash
        {
            let metadata = error.userInfo["metadata"] as? [String: Any] ?? [:]
            guard let former = option.version(compatibleWith: metadata) else {
                throw Console.Failure(
                    "The file was written with another model than \(option.model). Pass the version that it was written"
                        + " with: --model <path>. `seam3 model` shows what the file's model contains."
                )
            }
            try self.init(url, model: former)
        }
    }

    /// Opens a file.
    ///
    /// - Throws: Core Data's error, for example if the file belongs to another model.
    private init(_ url: URL, model: NSManagedObjectModel) throws {
        SMStore.registerStoreClass()
        SMStore.syncAutomatically = false
        // No request is made: an empty cloud takes the place of the app's.
        let container = CKContainer(
            identifier: "iCloud.seam3", service: LocalCloud.inMemory(), device: "seam3")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let opened = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil, at: url,
            options: [
                NSReadOnlyPersistentStoreOption: true,
                SMStore.SMStoreContainerOption: container,
            ])
        guard let store = opened as? SMStore else {
            throw Console.Failure("\(url.path) is not a store of Seam3.")
        }
        self.store = store
    }
}
