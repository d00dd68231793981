import FoundationGaps

/// A migration through several versions of a model in stages, with code of the app before and after
/// each.
///
/// A store that is added with a manager under ``NSPersistentStoreStagedMigrationManagerOptionKey``
/// is migrated from its version to the last one, before it is opened with the coordinator's model.
open class NSStagedMigrationManager: NSObject {
    /// The stages, from the oldest version to the newest.
    public final let stages: [NSMigrationStage]

    /// The container of the current stage, whose store has the version of the stage. The stages'
    /// handlers use its contexts.
    public internal(set) final weak var container: NSPersistentContainer?

    /// Creates a manager.
    ///
    /// - Parameter stages: The stages, from the oldest version to the newest.
    public init(_ stages: [NSMigrationStage]) {
        self.stages = stages
        super.init()
    }
}

/// One step of a staged migration; use one of its subclasses.
open class NSMigrationStage: NSObject {
    /// A description for developers; empty if none was set.
    open var label: String! {
        get { text }
        set { text = newValue ?? "" }
    }

    private var text = ""
}

/// Versions between which mapping models can be inferred.
open class NSLightweightMigrationStage: NSMigrationStage {
    /// The checksums of the versions, from the oldest to the newest.
    public final let versionChecksums: [String]

    /// Creates a stage.
    ///
    /// - Parameter versionChecksums: The checksums of the versions, from the oldest to the newest; see
    ///   `NSManagedObjectModel.versionChecksum`.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
        super.init()
    }
}

/// A step from one version to the next with code of the application before and after.
open class NSCustomMigrationStage: NSMigrationStage {
    /// Code of the app.
    ///
    /// - Parameters:
    ///   - manager: The manager, with the container of the store.
    ///   - stage: The stage.
    public typealias Handler = (
        _ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage
    ) throws -> Void

    /// The version before the stage.
    public final let currentModel: NSManagedObjectModelReference

    /// The version after the stage.
    public final let nextModel: NSManagedObjectModelReference

    /// Runs while the store still has the version before the stage. An error ends the migration.
    open var willMigrateHandler: Handler?

    /// Runs when the store has the version after the stage. An error ends the migration.
    open var didMigrateHandler: Handler?

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - currentModel: The version before the stage.
    ///   - nextModel: The version after the stage, to which a mapping model can be inferred.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference,
        to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
        super.init()
    }
}
