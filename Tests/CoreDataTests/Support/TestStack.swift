import CoreData
import Testing

/// A model of clocks in folders, with every kind of relationship.
enum TestModel {
    static func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = true, default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.defaultValue = value
        return attribute
    }

    /// Makes a relationship and its inverse, and adds them to their entities.
    static func relate(
        _ source: NSEntityDescription, _ name: String, toMany: Bool = false, ordered: Bool = false,
        rule: NSDeleteRule = .nullifyDeleteRule, to destination: NSEntityDescription,
        inverse inverseName: String, inverseToMany: Bool = false,
        inverseRule: NSDeleteRule = .nullifyDeleteRule
    ) {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.maxCount = toMany ? 0 : 1
        relationship.isOrdered = ordered
        relationship.deleteRule = rule
        relationship.destinationEntity = destination
        let inverse = NSRelationshipDescription()
        inverse.name = inverseName
        inverse.maxCount = inverseToMany ? 0 : 1
        inverse.deleteRule = inverseRule
        inverse.destinationEntity = source
        relationship.inverseRelationship = inverse
        inverse.inverseRelationship = relationship
        source.properties.append(relationship)
        destination.properties.append(inverse)
    }

    static func make() -> NSManagedObjectModel {
        let names = ["Clock", "Folder", "Tag", "Dial", "AlarmClock", "Stop"]
        let entities = Dictionary(
            uniqueKeysWithValues: names.map { name in
                let entity = NSEntityDescription()
                entity.name = name
                return (name, entity)
            })
        guard let clock = entities["Clock"], let folder = entities["Folder"],
            let tag = entities["Tag"], let dial = entities["Dial"],
            let alarm = entities["AlarmClock"], let stop = entities["Stop"]
        else { fatalError("The test model is incomplete.") }
        clock.managedObjectClassName = NSStringFromClass(Clock.self)
        alarm.managedObjectClassName = NSStringFromClass(AlarmClock.self)
        clock.properties = [
            attribute("label", .stringAttributeType),
            attribute("position", .integer64AttributeType, optional: false, default: 7),
            attribute("note", .stringAttributeType),
        ]
        let cache = attribute("cache", .stringAttributeType)
        cache.isTransient = true
        clock.properties.append(cache)
        folder.properties = [attribute("name", .stringAttributeType, optional: false)]
        tag.properties = [attribute("text", .stringAttributeType)]
        dial.properties = [attribute("color", .stringAttributeType)]
        alarm.properties = [attribute("time", .dateAttributeType)]
        stop.properties = [attribute("title", .stringAttributeType)]
        clock.subentities = [alarm]
        relate(folder, "clocks", toMany: true, to: clock, inverse: "folder")
        relate(clock, "tags", toMany: true, to: tag, inverse: "clocks", inverseToMany: true)
        relate(
            clock, "dial", rule: .cascadeDeleteRule, to: dial, inverse: "clock")
        relate(folder, "stops", toMany: true, ordered: true, to: stop, inverse: "folder")
        relate(
            folder, "children", toMany: true, rule: .denyDeleteRule, to: folder, inverse: "parent")
        let model = NSManagedObjectModel()
        model.entities = [clock, folder, tag, dial, stop]
        return model
    }

    /// The model with the configurations "Tags" and "Clocks", which has all other entities.
    static func makeWithConfigurations() -> NSManagedObjectModel {
        let model = make()
        let (tags, others) = (
            model.entities.filter { $0.name == "Tag" }, model.entities.filter { $0.name != "Tag" }
        )
        model.setEntities(others, forConfigurationName: "Clocks")
        model.setEntities(tags, forConfigurationName: "Tags")
        return model
    }
}

/// The class of the test model's clocks, which records calls.
class Clock: NSManagedObject {
    var log: [String] = []
    var willSaveAction: ((Clock) -> Void)?

    var label: String? {
        get { value(forKey: "label") as? String }
        set { setValue(newValue, forKey: "label") }
    }
    var note: String? {
        get { value(forKey: "note") as? String }
        set { setValue(newValue, forKey: "note") }
    }
    var position: Int {
        get { value(forKey: "position") as? Int ?? 0 }
        set { setValue(newValue, forKey: "position") }
    }
    var folder: NSManagedObject? {
        get { value(forKey: "folder") as? NSManagedObject }
        set { setValue(newValue, forKey: "folder") }
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        log.append("awakeFromInsert \(position)")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        log.append("awakeFromFetch")
    }
    override func willSave() {
        log.append("willSave")
        willSaveAction?(self)
    }
    override func didSave() { log.append("didSave") }
    override func prepareForDeletion() { log.append("prepareForDeletion") }
    override func willTurnIntoFault() { log.append("willTurnIntoFault") }
    override func didTurnIntoFault() { log.append("didTurnIntoFault") }
}

/// The class of a subentity's objects.
final class AlarmClock: Clock {}

/// A coordinator with a recording store, and a context.
struct TestStack {
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    var database: RecordingDatabase { .at(url) }

    init(
        model: NSManagedObjectModel = TestModel.make(), url: URL? = nil,
        storeClass: RecordingStore.Type = RecordingStore.self
    ) throws {
        _ = RecordingStore.register
        let url = url ?? URL(fileURLWithPath: "/recording/\(UUID().uuidString)")
        self.url = url
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: storeClass.storeType, configurationName: nil, at: url)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Another context of the same coordinator.
    func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func insert(_ entity: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    func insertClock(_ label: String? = nil) -> Clock {
        let clock = Clock(context: context)
        clock.label = label
        return clock
    }

    func insertFolder(_ name: String = "Folder") -> NSManagedObject {
        let folder = insert("Folder")
        folder.setValue(name, forKey: "name")
        return folder
    }

    /// Fetches all clocks.
    func clocks(in context: NSManagedObjectContext? = nil) throws -> [Clock] {
        try (context ?? self.context).fetch(NSFetchRequest<Clock>(entityName: "Clock"))
    }

    /// A saved clock that is a fault in a new context.
    func savedFault() throws -> (clock: Clock, context: NSManagedObjectContext) {
        let original = insertClock("noon")
        try context.save()
        let other = newContext()
        let clock = try #require(other.object(with: original.objectID) as? Clock)
        return (clock, other)
    }
}

extension NSManagedObject {
    /// The snapshot that a conflict must have for an object: attributes and to-one destinations.
    func fullSnapshot() -> [String: Any] {
        let properties = entity.propertiesByName.filter { _, property in
            !property.isTransient && !(property is NSFetchedPropertyDescription)
                && (property as? NSRelationshipDescription)?.isToMany != true
        }
        return properties.mapValues { property in
            let value = value(forKey: property.name)
            return (value as? NSManagedObject)?.objectID ?? value ?? NSNull()
        }
    }
}
