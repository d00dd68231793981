import CoreData
import Testing

/// Records its calls in an array in the manager's user info.
final class RecordingMigrationPolicy: NSEntityMigrationPolicy {
    private func record(_ call: String, _ manager: NSMigrationManager) {
        (manager.userInfo?["calls"] as? NSMutableArray)?.add(call)
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        record("begin \(mapping.name ?? "")", manager)
        if manager.userInfo?["fails"] != nil { throw MigrationPolicyTests.Failure() }
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        record("create \(sInstance.value(forKey: "name") ?? "")", manager)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        record("endInstanceCreation", manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        record("relate \(dInstance.value(forKey: "fullName") ?? "")", manager)
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        record("endRelationshipCreation", manager)
    }

    override func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        record("validate", manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        record("end", manager)
    }

    override func performMethod(_ selector: String, with arguments: [Any?]) throws -> Any? {
        switch selector {
        case "initialOf:": return (arguments.first as? String)?.prefix(1).description
        case "failing": throw MigrationPolicyTests.Failure()
        default: return try super.performMethod(selector, with: arguments)
        }
    }
}

/// Records the associated pairs of objects.
final class PairingMigrationManager: NSMigrationManager {
    override func associate(
        sourceInstance: NSManagedObject,
        withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        (userInfo?["pairs"] as? NSMutableArray)?.add(
            "\(sourceInstance.entity.name ?? "") \(destinationInstance.entity.name ?? "")")
        super.associate(
            sourceInstance: sourceInstance, withDestinationInstance: destinationInstance,
            for: entityMapping)
    }
}

/// A store class with its own migration manager.
final class PairingStore: PropertyListStore {
    static let pairingType = "PairingStore"

    static let registerPairing: Void = NSPersistentStoreCoordinator.registerStoreClass(
        PairingStore.self, forStoreType: pairingType)

    override class func migrationManagerClass() -> AnyClass { PairingMigrationManager.self }
}

@Suite struct MigrationPolicyTests {
    struct Failure: Error {}

    let fixture: MigrationFixture
    let manager: NSMigrationManager
    let calls = NSMutableArray()

    init() throws {
        fixture = try MigrationFixture()
        try fixture.fillSource()
        manager = NSMigrationManager(
            sourceModel: fixture.source, destinationModel: fixture.destination)
        manager.userInfo = ["calls": calls]
    }

    private func mappings() throws -> (model: NSMappingModel, maker: NSEntityMapping) {
        let model = try fixture.inferred()
        let maker = try #require(model.entityMappingsByName["IEM_Transform_Maker"])
        maker.mappingType = .customEntityMappingType
        maker.entityMigrationPolicyClassName = "RecordingMigrationPolicy"
        return (model, maker)
    }

    @Test("A policy's methods are called in Apple's order")
    func order() throws {
        try fixture.migrate(mappings().model, with: manager)
        let made = (0..<calls.count).compactMap { calls[$0] as? String }
        #expect(made.first == "begin IEM_Transform_Maker")
        #expect(Set(made[1...2]) == ["create Ada", "create Bob"])
        #expect(made[3] == "endInstanceCreation")
        #expect(Set(made[4...5]) == ["relate Ada", "relate Bob"])
        #expect(Array(made[6...]) == ["endRelationshipCreation", "validate", "end"])
    }

    @Test("A policy's own methods are called by value expressions")
    func method() throws {
        let (model, maker) = try mappings()
        let country = maker.attributeMappings?.first { $0.name == "country" }
        country?.valueExpression = NSExpression(
            format: "FUNCTION($entityPolicy, 'initialOf:', $source.name)")
        try fixture.migrate(model, with: manager)
        let makers = try fixture.migrated("Maker", by: "country")
        #expect(makers.keys.sorted() == ["A", "B"])
    }

    @Test("An error thrown by a policy or one of its methods ends the migration")
    func failures() throws {
        let (model, maker) = try mappings()
        manager.userInfo?["fails"] = true
        #expect(throws: Failure.self) { try fixture.migrate(model, with: manager) }
        manager.userInfo?["fails"] = nil
        maker.attributeMappings?.first?.valueExpression = NSExpression(
            format: "FUNCTION($entityPolicy, 'failing')")
        #expect(throws: Failure.self) { try fixture.migrate(model, with: manager) }
        #expect(!FileManager.default.fileExists(atPath: fixture.destinationURL.path))
    }

    @Test("A policy class that is not in the program is 134170")
    func missingClass() throws {
        let (model, maker) = try mappings()
        maker.entityMigrationPolicyClassName = "Nowhere"
        let error = #expect(throws: CocoaError.self) {
            try fixture.migrate(model, with: manager)
        }
        #expect(error?.code == .entityMigrationPolicy)
    }

    @Test("A manager's subclass sees every pair of related objects")
    func pairs() throws {
        let pairs = NSMutableArray()
        let manager = PairingMigrationManager(
            sourceModel: fixture.source, destinationModel: fixture.destination)
        manager.userInfo = ["pairs": pairs]
        try fixture.migrate(fixture.inferred(), with: manager)
        let noted = (0..<pairs.count).compactMap { pairs[$0] as? String }.sorted()
        #expect(
            noted == ["Artist Maker", "Artist Maker", "Work Work", "Work Work", "Work Work"])
        #expect(
            manager.destinationInstances(
                forEntityMappingName: "IEM_Transform_Maker", sourceInstances: nil
            ).count == 2)
        manager.reset()
        #expect(
            manager.sourceInstances(
                forEntityMappingName: "IEM_Transform_Maker", destinationInstances: nil
            ).isEmpty)
    }

    @Test("A store class's own manager migrates its stores, unless that is disabled")
    func storeSpecificManager() throws {
        _ = PairingStore.registerPairing
        for (isUsed, count) in [(true, 5), (false, 0)] {
            let pairs = NSMutableArray()
            manager.userInfo = ["pairs": pairs]
            manager.usesStoreSpecificMigrationManager = isUsed
            try manager.migrateStore(
                from: fixture.sourceURL, type: .init(rawValue: PairingStore.pairingType),
                mapping: fixture.inferred(), to: fixture.destinationURL,
                type: .init(rawValue: PairingStore.pairingType))
            #expect(pairs.count == count)
            #expect(manager.migrationProgress == 1)
            #expect(try fixture.migrated("Maker", by: "fullName").count == 2)
            try FileManager.default.removeItem(at: fixture.destinationURL)
        }
    }
}
