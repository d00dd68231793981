import CloudKit
import Console
import CoreData
import LocalCloud
import Seam3

/// A store that is open for reading, and does not sync.
struct OpenStore {
    let store: SMStore
    private let coordinator: NSPersistentStoreCoordinator

    /// Opens a file.
    ///
    /// - Throws: Core Data's error, for example if the file belongs to another model.
    init(_ url: URL, model: NSManagedObjectModel) throws {
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
