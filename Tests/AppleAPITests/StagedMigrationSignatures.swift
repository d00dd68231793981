import CoreData

/// The signatures of staged migrations, as in Apple's SDK.
enum StagedMigrationSignatures {
    static func manager(_ stages: [NSMigrationStage]) -> NSStagedMigrationManager {
        let manager = NSStagedMigrationManager(stages)
        let _: [NSMigrationStage] = manager.stages
        let _: NSPersistentContainer? = manager.container
        return manager
    }

    static func stages(
        _ current: NSManagedObjectModelReference, _ next: NSManagedObjectModelReference
    ) -> [NSMigrationStage] {
        let lightweight = NSLightweightMigrationStage(["checksum"])
        lightweight.label = nil
        let _: String = lightweight.label
        let _: [String] = lightweight.versionChecksums
        let custom = NSCustomMigrationStage(migratingFrom: current, to: next)
        custom.willMigrateHandler = { (manager: NSStagedMigrationManager, stage) in
            let _: NSCustomMigrationStage = stage
            throw CocoaError(.migration)
        }
        custom.didMigrateHandler = nil
        let _: NSManagedObjectModelReference = custom.currentModel
        let _: NSManagedObjectModelReference = custom.nextModel
        return [lightweight, custom]
    }

    static func references(
        _ model: NSManagedObjectModel, _ url: URL
    ) -> [NSManagedObjectModelReference] {
        let references = [
            NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum),
            NSManagedObjectModelReference(fileURL: url, versionChecksum: ""),
            NSManagedObjectModelReference(name: "Model", in: .main, versionChecksum: ""),
            NSManagedObjectModelReference(
                entityVersionHashes: model.entityVersionHashesByName, in: nil, versionChecksum: ""),
        ]
        let _: NSManagedObjectModel = references[0].resolvedModel
        let _: String = references[0].versionChecksum
        return references
    }
}
