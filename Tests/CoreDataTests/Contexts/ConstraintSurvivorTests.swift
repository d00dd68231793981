import CoreData
import Testing

/// A member that validates two attributes together, and records the calls of its methods.
final class ClubMember: NSManagedObject {
    var log: [String] = []

    override func willSave() {
        log.append("willSave")
        let stamp = isInserted ? "new" : "old"
        if value(forKey: "stamp") as? String != stamp { setValue(stamp, forKey: "stamp") }
    }
    override func didSave() { log.append("didSave") }

    override func validateForUpdate() throws {
        log.append("validateForUpdate")
        try super.validateForUpdate()
        let isGuest = value(forKey: "name") as? String == "guest"
        if isGuest, value(forKey: "fee") as? Int ?? 0 > 0 {
            throw CocoaError(.managedObjectValidation)
        }
    }
}

/// The surviving object after a merge policy has resolved a constraint conflict.
@Suite struct ConstraintSurvivorTests {
    private let folder: TemporaryDirectory
    private let context: NSManagedObjectContext
    private let saved: ClubMember

    init() throws {
        _ = PropertyListStore.register
        folder = try TemporaryDirectory()
        let member = NSEntityDescription()
        member.name = "ClubMember"
        member.managedObjectClassName = NSStringFromClass(ClubMember.self)
        member.properties = [
            TestModel.attribute("number", .integer64AttributeType),
            TestModel.attribute("name", .stringAttributeType),
            TestModel.attribute("fee", .integer64AttributeType),
            TestModel.attribute("stamp", .stringAttributeType),
        ]
        member.uniquenessConstraints = [["number"]]
        let model = NSManagedObjectModel()
        model.entities = [member]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: PropertyListStore.storeType, configurationName: nil,
            at: folder.url.appendingPathComponent("club.plist"))
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        saved = ClubMember(context: context)
        saved.setValue(1, forKey: "number")
        try context.save()
        saved.log = []
    }

    private func insertTwin(_ values: [String: Any]) -> ClubMember {
        let twin = ClubMember(context: context)
        for (key, value) in values.merging(["number": 1], uniquingKeysWith: { $1 }) {
            twin.setValue(value, forKey: key)
        }
        return twin
    }

    @Test("It learns of the save, is validated with its new values, and saved")
    func survivor() throws {
        _ = insertTwin(["name": "Ann", "fee": 5])
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        // The first willSave's changes are reported, too.
        #expect(saved.log == ["willSave", "willSave", "validateForUpdate", "didSave"])
        context.refreshAllObjects()
        #expect(saved.value(forKey: "name") as? String == "Ann")
    }

    @Test("What its willSave sets is part of the same save")
    func changesInWillSave() throws {
        _ = insertTwin(["name": "Ann"])
        context.mergePolicy = NSMergePolicy.overwrite
        try context.save()
        #expect(!context.hasChanges)
        context.refreshAllObjects()
        #expect(saved.value(forKey: "name") as? String == "Ann")
        #expect(saved.value(forKey: "stamp") as? String == "old")
    }

    @Test("Values that it must not have together make the save fail, and nothing is written")
    func invalid() throws {
        saved.setValue("guest", forKey: "name")
        try context.save()
        let names = NSFetchRequest<NSManagedObject>(entityName: "ClubMember")
        let twin = insertTwin(["name": "guest"])
        twin.setValue(9, forKey: "fee")
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .managedObjectValidation)
        context.reset()
        let members = try context.fetch(names)
        #expect(members.count == 1)
        #expect(members.first?.value(forKey: "fee") == nil)
    }

    @Test("If its own values win, nothing happens to it")
    func unchanged() throws {
        _ = insertTwin(["name": "Ann"])
        context.mergePolicy = NSMergePolicy.rollback
        try context.save()
        #expect(saved.log.isEmpty)
    }
}
