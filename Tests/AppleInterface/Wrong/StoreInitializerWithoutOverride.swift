// error: overriding declaration requires an 'override' keyword
import CoreData

class Store: NSIncrementalStore {
    required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]?
    ) {
        super.init(
            persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }
}
