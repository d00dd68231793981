import CoreData
import Testing

/// Something that the contract of incremental stores forbids.
enum BrokenContract: String, CaseIterable, Codable, Sendable {
    case arrayForToOne
    case objectForToOne
    case oneForToMany
    case nullForToMany
    case dictionaryForToMany
    case valuesForToMany
    case objectInNode
    case temporaryIDs
    case identifiersOfParent
    case tooFewIDs
    case referenceThatIsNone

    var text: String {
        switch self {
        case .arrayForToOne, .objectForToOne:
            "for 'folder', and not an NSManagedObjectID or NSNull"
        case .oneForToMany, .nullForToMany, .dictionaryForToMany, .valuesForToMany:
            "for 'tags', and not a collection of NSManagedObjectIDs"
        case .objectInNode:
            "A node's value for the to-one relationship 'folder' is of type"
        case .temporaryIDs, .identifiersOfParent:
            "obtainPermanentIDs(for:) returned x-coredata://"
        case .tooFewIDs: "obtainPermanentIDs(for:) returned 0 IDs for 1 objects"
        case .referenceThatIsNone: "A reference object must be a String or a number"
        }
    }

    func commit() throws {
        _ = BrokenStore.registerBroken
        let stack = try TestStack(storeClass: BrokenStore.self)
        switch self {
        case .temporaryIDs, .identifiersOfParent, .tooFewIDs:
            try store(stack).contract = self
            _ = stack.insert("AlarmClock")
            try stack.context.save()
        case .referenceThatIsNone:
            _ = try store(stack).newObjectID(
                for: TestModel.make().entities[0], referenceObject: Date())
        default:
            let clock = stack.insertClock("a")
            clock.folder = stack.insertFolder()
            try stack.context.save()
            stack.database.with { $0.omitsToOnes = true }
            try store(stack).contract = self
            let context = stack.newContext()
            let copy = context.object(with: clock.objectID)
            copy.willAccessValue(forKey: "label")
            _ = (copy.value(forKey: "tags") as? NSSet)?.count
            _ = context
        }
    }

    private func store(_ stack: TestStack) throws -> BrokenStore {
        try #require(stack.coordinator.persistentStores.first as? BrokenStore)
    }
}

/// A store that breaks one rule.
private final class BrokenStore: RecordingStore {
    override class var storeType: String { "BrokenStore" }

    static let registerBroken: Void = NSPersistentStoreCoordinator.registerStoreClass(
        BrokenStore.self, forStoreType: storeType)

    var contract: BrokenContract?

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        let value = try super.newValue(
            forRelationship: relationship, forObjectWith: objectID, with: context)
        switch (contract, relationship.name) {
        case (.arrayForToOne, "folder"): return [objectID]
        case (.objectForToOne, "folder"): return context?.object(with: objectID) ?? NSNull()
        case (.oneForToMany, "tags"): return objectID
        case (.nullForToMany, "tags"): return NSNull()
        case (.dictionaryForToMany, "tags"): return ["tag": objectID]
        case (.valuesForToMany, "tags"): return ["tag"]
        default: return value
        }
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let node = try super.newValuesForObject(with: objectID, with: context)
        guard contract == .objectInNode else { return node }
        return NSIncrementalStoreNode(
            objectID: objectID, withValues: ["folder": context.object(with: objectID)],
            version: node.version)
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        switch contract {
        case .tooFewIDs: []
        case .temporaryIDs: array.map(\.objectID)
        case .identifiersOfParent:
            array.map { newObjectID(for: $0.entity.superentity ?? $0.entity, referenceObject: "x") }
        default: try super.obtainPermanentIDs(for: array)
        }
    }
}

@Suite(.serialized, .tags(.linuxIsNotKinder)) struct StoreContractTests {
    @Test("A store that breaks the contract stops the process", arguments: BrokenContract.allCases)
    func broken(_ contract: BrokenContract) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [contract] in
            try contract.commit()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains(contract.text), "\(output.prefix(400))")
    }

    @Test("A count that is not in an array is an error") func count() throws {
        _ = BareCountStore.registerBareCount
        let stack = try TestStack(storeClass: BareCountStore.self)
        let error = #expect(throws: CocoaError.self) {
            try stack.context.count(for: NSFetchRequest<Clock>(entityName: "Clock"))
        }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }

    @Test("A relationship may be returned as an array, a set or an ordered set")
    func collections() throws {
        _ = SetStore.registerSets
        let stack = try TestStack(storeClass: SetStore.self)
        let clock = stack.insertClock()
        let tags = Set(
            ["x", "y"].map { text in
                let tag = stack.insert("Tag")
                tag.setValue(text, forKey: "text")
                return tag
            })
        clock.setValue(tags, forKey: "tags")
        try stack.context.save()
        for form in SetStore.Form.allCases {
            (stack.coordinator.persistentStores.first as? SetStore)?.form = form
            let context = stack.newContext()
            let copy = try context.existingObject(with: clock.objectID)
            let texts = copy.value(forKeyPath: "tags.text") as? NSSet
            #expect(texts == NSSet(array: ["x", "y"]))
        }
    }
}

/// A store that returns a plain number for a count.
private final class BareCountStore: RecordingStore {
    override class var storeType: String { "BareCountStore" }

    static let registerBareCount: Void = NSPersistentStoreCoordinator.registerStoreClass(
        BareCountStore.self, forStoreType: storeType)

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        let fetch = request as? NSFetchRequest<any NSFetchRequestResult>
        if fetch?.resultType == .countResultType { return NSNumber(value: 3) }
        return try super.execute(request, with: context)
    }
}

/// A store that returns the members of relationships in a form that the test chooses.
private final class SetStore: RecordingStore {
    enum Form: CaseIterable {
        case array, set, orderedSet, swiftSet
    }

    override class var storeType: String { "SetStore" }

    static let registerSets: Void = NSPersistentStoreCoordinator.registerStoreClass(
        SetStore.self, forStoreType: storeType)

    var form = Form.array

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        let value = try super.newValue(
            forRelationship: relationship, forObjectWith: objectID, with: context)
        guard let members = value as? [NSManagedObjectID] else { return value }
        switch form {
        case .array: return members
        case .set: return NSSet(array: members)
        case .orderedSet: return NSOrderedSet(array: members)
        case .swiftSet: return Set(members)
        }
    }
}
