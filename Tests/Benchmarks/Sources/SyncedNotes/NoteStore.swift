import CloudKit
import CloudKitWebServices
import CoreData
import Seam3

/// An app's store of notes on one device.
public final class NoteStore: @unchecked Sendable {
    // Unchecked because nobody uses it while it is migrated, and objects are only used on the context's queue.

    /// The store.
    public private(set) var store: SMStore
    /// The app's context.
    public private(set) var context: NSManagedObjectContext
    private var coordinator: NSPersistentStoreCoordinator
    private let folder: Folder
    private let options: [String: NSObject]
    private let followsOnMainQueue: Bool

    /// The model of the notes.
    ///
    /// - Parameter syncsMood: Whether it is the newer version, in which the notes' mood is no longer local.
    private static func makeModel(syncsMood: Bool = false) -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        let note = NSEntityDescription()
        note.name = "Note"
        note.properties = [
            attribute("title", .stringAttributeType), attribute("body", .stringAttributeType),
            attribute("number", .integer64AttributeType), attribute("date", .dateAttributeType),
        ]
        let mood = attribute("mood", .stringAttributeType)
        mood.defaultValue = "calm"
        if !syncsMood { mood.userInfo = ["SMSynced": "NO"] }
        note.properties.append(mood)
        if let number = note.attributesByName["number"] {
            let element = NSFetchIndexElementDescription(property: number, collationType: .binary)
            note.indexes = [NSFetchIndexDescription(name: "byNumber", elements: [element])]
        }
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    /// Opens a new store, whose file ends with the instance.
    ///
    /// - Parameters:
    ///   - container: The device's view of the cloud.
    ///   - followsOnMainQueue: Whether the context is on the main queue and merges changes by itself.
    ///   - keepsHistory: Whether the store tracks its persistent history.
    public init(
        on container: CKContainer, followsOnMainQueue: Bool = false, keepsHistory: Bool = false
    ) throws {
        SMStore.registerStoreClass()
        folder = try Folder()
        options = [
            SMStore.SMStoreContainerOption: container,
            NSPersistentHistoryTrackingKey: NSNumber(value: keepsHistory),
            NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
            NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
        ]
        self.followsOnMainQueue = followsOnMainQueue
        (coordinator, store, context) = try Self.open(
            folder, options, Self.makeModel(), followsOnMainQueue: followsOnMainQueue)
    }

    private static func open(
        _ folder: Folder, _ options: [String: NSObject], _ model: NSManagedObjectModel,
        followsOnMainQueue: Bool
    ) throws -> (NSPersistentStoreCoordinator, SMStore, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let added = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil, at: folder.url("Notes.sqlite"),
            options: options)
        guard let store = added as? SMStore else { throw OtherStore() }
        let context = NSManagedObjectContext(
            concurrencyType: followsOnMainQueue
                ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.automaticallyMergesChangesFromParent = followsOnMainQueue
        return (coordinator, store, context)
    }

    /// Opens the store again with the newer version of the model, so that the mood of all notes is to be sent.
    public func migrate() throws {
        try close()
        (coordinator, store, context) = try Self.open(
            folder, options, Self.makeModel(syncsMood: true), followsOnMainQueue: followsOnMainQueue
        )
    }

    /// Opens a new store of a device of its own.
    ///
    /// - Parameters:
    ///   - service: The cloud.
    ///   - followsOnMainQueue: Whether the context is on the main queue and merges changes by itself.
    ///   - keepsHistory: Whether the store tracks its persistent history.
    public convenience init(
        on service: any CloudKitService, followsOnMainQueue: Bool = false,
        keepsHistory: Bool = false
    ) throws {
        try self.init(
            on: CKContainer(identifier: "iCloud.benchmark", service: service),
            followsOnMainQueue: followsOnMainQueue, keepsHistory: keepsHistory)
    }

    struct OtherStore: Error {}

    /// Closes the file, so that no connection is open when it is removed.
    public func close() throws {
        try coordinator.remove(store)
    }

    /// Inserts notes with these numbers, in saves of a thousand.
    public func insert(_ numbers: Range<Int>) throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1000) {
            try context.performAndWait {
                for index in start..<min(start + 1000, numbers.upperBound) {
                    let values = NoteValues(index)
                    let note = NSEntityDescription.insertNewObject(
                        forEntityName: "Note", into: context)
                    note.setValue(values.title, forKey: "title")
                    note.setValue(values.body, forKey: "body")
                    note.setValue(index, forKey: "number")
                    note.setValue(values.date, forKey: "date")
                }
                try context.save()
                if !followsOnMainQueue { context.reset() }
            }
        }
    }

    /// Changes the titles of the notes with these numbers, in saves of a thousand.
    public func changeTitles(of numbers: Range<Int>) throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1000) {
            let notes = try notes(start..<min(start + 1000, numbers.upperBound))
            try context.performAndWait {
                for note in notes { note.setValue("changed", forKey: "title") }
                try context.save()
                context.reset()
            }
        }
    }

    /// The notes with these numbers, which are no faults.
    public func notes(_ numbers: Range<Int>) throws -> [NSManagedObject] {
        try context.performAndWait {
            let request = Self.request(for: numbers)
            request.returnsObjectsAsFaults = false
            return try context.fetch(request)
        }
    }

    /// Fetches the notes with these numbers, with all their values.
    public func titles(_ numbers: Range<Int>) throws -> [String] {
        try context.performAndWait {
            defer { if !followsOnMainQueue { context.reset() } }
            let request = Self.request(for: numbers)
            return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
        }
    }

    private static func request(for numbers: Range<Int>) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(
            format: "number >= %ld AND number < %ld", numbers.lowerBound, numbers.upperBound)
        return request
    }

    /// The number of notes.
    public func count() throws -> Int {
        try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        }
    }
}
