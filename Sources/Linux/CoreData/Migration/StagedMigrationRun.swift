import FoundationGaps

/// Migrates a store through the stages of a staged migration.
///
/// Each version is opened in a container of its own, with inferred mappings allowed: a store class
/// that can migrate itself does so, and the coordinator migrates the others.
struct StagedMigrationRun {
    let manager: NSStagedMigrationManager
    let url: URL
    let storeType: String
    let configuration: String?
    let options: [AnyHashable: Any]

    /// Runs the remaining stages for the store's version.
    ///
    /// - Parameter model: The coordinator's model.
    func run(to model: NSManagedObjectModel) throws {
        guard FileManager.default.fileExists(atPath: url.path), let metadata = try? metadata()
        else { return }
        let stages = remainingStages(for: metadata)
        for case let custom as NSCustomMigrationStage in stages { try run(custom) }
        // Lightweight stages end with the opening of the next stage's version, or of the last.
        if !stages.isEmpty { try open(model, at: url) {} }
    }

    private func metadata() throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: storeType, at: url, options: options)
    }

    /// The stages starting with the store's version; none for a version that no stage knows, which
    /// is opened like any other.
    private func remainingStages(for metadata: [String: Any]) -> ArraySlice<NSMigrationStage> {
        let stages = manager.stages
        let checksum = NSManagedObjectModel.versionHashes(in: metadata)
            .map(NSManagedObjectModel.versionChecksum)
        let current = stages.lastIndex { stage in
            switch stage {
            case let custom as NSCustomMigrationStage: hasVersion(custom.currentModel, metadata)
            case let lightweight as NSLightweightMigrationStage:
                checksum.map(lightweight.versionChecksums.contains) ?? false
            default: false
            }
        }
        return current.map { stages[$0...] } ?? []
    }

    private func hasVersion(
        _ reference: NSManagedObjectModelReference, _ metadata: [String: Any]
    ) -> Bool {
        reference.resolvedModel.isConfiguration(
            withName: configuration, compatibleWithStoreMetadata: metadata)
    }

    /// Runs a stage on a copy of the store, which then replaces the store. Otherwise a crash
    /// between the migration and its code would leave a store for which the code would never run.
    private func run(_ stage: NSCustomMigrationStage) throws {
        let replacement = StoreReplacement(of: url)
        try replacement.recover()
        do {
            try replacement.copyStore()
            try open(stage.currentModel.resolvedModel, at: replacement.url) {
                try stage.willMigrateHandler?(manager, stage)
            }
            try open(stage.nextModel.resolvedModel, at: replacement.url) {
                try stage.didMigrateHandler?(manager, stage)
            }
        } catch {
            try replacement.abandon()
            throw error
        }
        try replacement.commit()
    }

    private func open(
        _ model: NSManagedObjectModel, at url: URL, _ body: () throws -> Void
    ) throws {
        let container = NSPersistentContainer(
            name: url.deletingPathExtension().lastPathComponent,
            managedObjectModel: model)
        let coordinator = container.persistentStoreCoordinator
        var options = options
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
        options[NSMigratePersistentStoresAutomaticallyOption] = true as NSNumber
        options[NSInferMappingModelAutomaticallyOption] = true as NSNumber
        let store = try coordinator.addPersistentStore(
            ofType: storeType, configurationName: configuration, at: url, options: options)
        manager.container = container
        defer { manager.container = nil }
        do {
            try body()
        } catch {
            // The handler's error explains the failure; its store is discarded.
            try? coordinator.remove(store)
            throw error
        }
        try coordinator.remove(store)
    }
}
