import CloudKit
import CoreData
import Seam3

/// The app's persistent container on an `SMStore`.
public final class CoreDataStack: Sendable {
    /// The container, whose `viewContext` follows the store.
    public let container: NSPersistentContainer
    /// The container's only store.
    public let store: SMStore

    /// Opens the store of a device.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - cloud: The CloudKit container.
    ///   - policy: What happens to an object that two devices edited.
    /// - Throws: Core Data's errors.
    public init(
        url: URL, cloud: CKContainer,
        policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) async throws {
        SMStore.registerStoreClass()
        guard let model = NSManagedObjectModel.mergedModel(from: [Bundle.module]) else {
            throw AppError("The app lacks its model.")
        }
        let container = NSPersistentContainer(name: "WorldClock", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = SMStore.type
        description.setOption(cloud, forKey: SMStore.SMStoreContainerOption)
        description.setOption(
            NSNumber(value: policy.rawValue),
            forKey: SMStore.SMStoreSyncConflictResolutionPolicyOption)
        container.persistentStoreDescriptions = [description]
        try await withCheckedThrowingContinuation {
            (loaded: CheckedContinuation<Void, any Error>) in
            container.loadPersistentStores { _, error in
                if let error { loaded.resume(throwing: error) } else { loaded.resume() }
            }
        }
        guard let store = container.persistentStoreCoordinator.persistentStores.first as? SMStore
        else { throw AppError("The persistent store is not an SMStore.") }
        container.viewContext.automaticallyMergesChangesFromParent = true
        self.container = container
        self.store = store
    }

    /// Runs a block with the view context, and saves its changes.
    @discardableResult
    public func perform<T: Sendable>(
        _ work: @escaping @Sendable (NSManagedObjectContext) throws -> T
    ) async throws -> T {
        let context = container.viewContext
        return try await context.perform {
            let result = try work(context)
            if context.hasChanges { try context.save() }
            return result
        }
    }

    /// Handles a push as an app delegate does.
    public func handlePush(_ userInfo: [AnyHashable: Any]) async -> FetchResult {
        await withCheckedContinuation { handled in
            store.handlePush(userInfo: userInfo) { handled.resume(returning: $0) }
        }
    }
}
