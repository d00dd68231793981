import CloudKit
import CoreData
import Seam3
import Seam3Testing

/// The manual's samples of everyday use, word for word, in a type of the main actor.
@MainActor
enum UseSamples {
    static func show(
        in context: NSManagedObjectContext, to delegate: any NSFetchedResultsControllerDelegate
    ) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
    }

    static func follow(_ store: SMStore) throws {
        let observer = NotificationCenter.default.addObserver(
            forName: .smSyncDidFinish, object: store, queue: .main
        ) { notification in
            if let error = notification.userInfo?[SMStore.SMStoreErrorDomain] as? Error {
                print("The sync failed: \(error)")
            }
        }

        let status = try store.syncStatus()
        print("\(status.pendingChangeCount) changes wait")
        if let error = status.lastError { print("The last sync failed: \(error)") }

        NotificationCenter.default.removeObserver(observer)
    }

    static func joinNotes(in store: SMStore) {
        store.syncConflictResolutionPolicy = .clientTellsWhichWins
        store.recordConflictResolutionBlock = { server, client, ancestor in
            let theirs: String? = server["note"]
            let ours: String? = client["note"]
            server["note"] = [theirs, ours].compactMap { $0 }.joined(separator: "\n")
            return server
        }
    }

    static func describedModel() -> NSEntityDescription {
        let clock = NSEntityDescription()
        clock.name = "Clock"
        clock.userInfo = [SMStore.SMRecordTypeUserInfoKey: "WorldClock"]

        let lastShown = NSAttributeDescription()
        lastShown.name = "lastShown"
        lastShown.attributeType = .dateAttributeType
        lastShown.isOptional = true
        lastShown.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        clock.properties = [lastShown]
        return clock
    }

    static func adoptingDescription(of url: URL) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: url)
        description.type = SMStore.type
        description.setOption(true as NSNumber, forKey: SMStore.SMStoreAdoptionOption)
        return description
    }

    static func protectFiles(of description: NSPersistentStoreDescription) {
        description.setOption(
            "NSFileProtectionCompleteUntilFirstUserAuthentication" as NSString,
            forKey: SMStore.SMStoreFileProtectionOption)
    }

    static func chooseMerging(
        in description: NSPersistentStoreDescription, of store: SMStore
    ) {
        description.setOption(
            NSNumber(value: SMSyncConflictResolutionPolicy.mergeByProperty.rawValue),
            forKey: SMStore.SMStoreSyncConflictResolutionPolicyOption)

        store.syncConflictResolutionPolicy = .mergeByProperty
    }

    static func lookAtAccount(of store: SMStore) {
        store.verifyCloudKitConnectionAndUser { status, user, error in
            if let user {
                print("Signed in as \(user)")
            } else {
                print(error?.localizedDescription ?? "The account's status is \(status.rawValue)")
            }
        }
    }

    static func chooseByEntity(of store: SMStore) -> NSEntityDescription {
        store.setSyncConflictResolutionPolicy(.keepBoth, forEntityNamed: "Note")

        let tag = NSEntityDescription()
        tag.name = "Tag"
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        return tag
    }

    static func decideForAccount(of store: SMStore) {
        store.accountChangeHandler = { change in
            switch change {
            case .signIn: return .keepLocalData
            case .signOut: return .keepLocalData
            case .switchAccounts(let previous, let current):
                print("\(current) has taken the place of \(previous)")
                return .removeLocalData
            }
        }
    }

    static func decideForZone(of store: SMStore) {
        store.zoneLossHandler = { loss in
            switch loss {
            case .purged: return .removeLocalData
            case .missing, .deleted, .encryptedDataReset: return .upload
            case .recordsVanished(let count): return count > 100 ? .stop : .removeLocalData
            }
        }
    }

    static func writeSchema(of model: NSManagedObjectModel) throws {
        let schema = try SMStore.cloudKitSchema(for: model)
        try schema.write(to: URL(fileURLWithPath: "schema.ckdb"), atomically: true, encoding: .utf8)
    }

    static func createSchema(of store: SMStore) async throws {
        try await store.initializeCloudKitSchema()
    }

    static func deploy(_ schema: String) async throws {
        let cloud = LocalCloud.inMemory()
        try await cloud.importSchema(schema, container: "iCloud.org.example.WorldClock")
        try await cloud.deploySchema(container: "iCloud.org.example.WorldClock")
    }
}
