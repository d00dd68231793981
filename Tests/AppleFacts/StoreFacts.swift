import CoreData
import Testing

@Suite("Core Data and a store of a class of one's own") struct StoreFacts {
    private let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("AppleFacts-\(UUID().uuidString).watched")

    private var rows: WatchedRows { WatchedStore.rows(at: url) }

    private static func model(
        _ adjust: (NSEntityDescription) -> Void = { _ in }
    ) -> NSManagedObjectModel {
        let clock = NSEntityDescription()
        clock.name = "Clock"
        let label = NSAttributeDescription()
        label.name = "label"
        label.attributeType = .stringAttributeType
        label.isOptional = true
        let place = NSEntityDescription()
        place.name = "Place"
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = true
        let toPlace = NSRelationshipDescription()
        let toClocks = NSRelationshipDescription()
        (toPlace.name, toPlace.destinationEntity, toPlace.maxCount) = ("place", place, 1)
        (toClocks.name, toClocks.destinationEntity, toClocks.maxCount) = ("clocks", clock, 0)
        for (relationship, inverse) in [(toPlace, toClocks), (toClocks, toPlace)] {
            relationship.isOptional = true
            relationship.inverseRelationship = inverse
            relationship.deleteRule = .nullifyDeleteRule
        }
        clock.properties = [label, toPlace]
        place.properties = [name, toClocks]
        adjust(clock)
        let model = NSManagedObjectModel()
        model.entities = [clock, place]
        return model
    }

    private func coordinator(
        _ model: NSManagedObjectModel = model(), options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator.registerStoreClass(
            WatchedStore.self, forStoreType: WatchedStore.storeType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: WatchedStore.storeType, configurationName: nil, at: url, options: options)
        return coordinator
    }

    private func context(
        _ coordinator: NSPersistentStoreCoordinator,
        merges: NSMergePolicyType = .errorMergePolicyType
    ) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy(merge: merges)
        return context
    }

    private func insert(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    // MARK: - Saving

    /// Whether a save succeeds that the store refuses once, and the number of requests.
    private func save(refusedWith code: Int) throws -> (succeeds: Bool, requests: Int) {
        let context = context(
            try coordinator(), merges: .mergeByPropertyObjectTrumpMergePolicyType)
        return try context.performAndWait {
            let clock = insert("Clock", context)
            clock.setValue("noon", forKey: "label")
            try context.save()
            clock.setValue("midnight", forKey: "label")
            rows.clearCalls()
            rows.failures = [code]
            let succeeds = (try? context.save()) != nil
            return (succeeds, rows.calls.filter { $0 == "save" }.count)
        }
    }

    @Test("The error that makes a context ask its merge policy")
    func mergePolicy() throws {
        let conflict = try save(refusedWith: 133020)
        fact("CD-1", expected: true, observed: conflict.succeeds)
        fact("CD-2", expected: 2, observed: conflict.requests)
    }

    @Test("The other error of conflicts")
    func saveConflicts() throws {
        fact("CD-3", expected: false, observed: try save(refusedWith: 134050).succeeds)
    }

    @Test("A save without changes")
    func emptySave() throws {
        let context = context(try coordinator())
        rows.clearCalls()
        try context.performAndWait { try context.save() }
        fact("CD-11", expected: ["save"], observed: rows.calls)
    }

    @Test("What a save reads")
    func savedValues() throws {
        let coordinator = try coordinator()
        let first = context(coordinator)
        let id = try first.performAndWait { () -> NSManagedObjectID in
            let clock = insert("Clock", first)
            try first.save()
            return clock.objectID
        }
        let second = context(coordinator)
        let calls = try second.performAndWait { () -> [String] in
            rows.clearCalls()
            second.object(with: id).setValue("noon", forKey: "label")
            try second.save()
            return rows.calls
        }
        fact(
            "CD-13", expected: true,
            observed: calls.last == "save"
                && calls.firstIndex(of: "values").map { $0 < calls.count - 1 } ?? true)
    }

    @Test("The destinations of a relationship")
    func destinations() throws {
        let coordinator = try coordinator()
        let context = context(coordinator)
        let asked = try context.performAndWait { () -> Int in
            let (clock, place) = (insert("Clock", context), insert("Place", context))
            clock.setValue(place, forKey: "place")
            try context.save()
            context.reset()
            let read = context.object(with: clock.objectID)
            _ = read.value(forKey: "label")
            rows.clearCalls()
            _ = read.objectIDs(forRelationshipNamed: "place")
            _ = read.objectIDs(forRelationshipNamed: "place")
            return rows.calls.count
        }
        fact("CD-8", expected: true, observed: asked <= 1)
    }

    @Test("A relationship that was just set to a fault")
    func faultyDestination() throws {
        let coordinator = try coordinator()
        let context = context(coordinator)
        let hasFault = try context.performAndWait { () -> Bool in
            let place = insert("Place", context)
            try context.save()
            let id = place.objectID
            context.reset()
            let clock = insert("Clock", context)
            clock.setValue(context.object(with: id), forKey: "place")
            return clock.hasFault(forRelationshipNamed: "place")
        }
        fact("CD-12", expected: true, observed: hasFault)
    }

    @Test("The committed values of relationships")
    func committedValues() throws {
        let context = context(try coordinator())
        try context.performAndWait {
            let (clock, place) = (insert("Clock", context), insert("Place", context))
            clock.setValue(place, forKey: "place")
            try context.save()
            clock.setValue(nil, forKey: "place")
            let toOne = clock.committedValues(forKeys: ["place"])["place"]
            let toMany = place.committedValues(forKeys: ["clocks"])["clocks"]
            fact(
                "CD-73", expected: true,
                observed: toOne as? NSManagedObject === place
                    && (toMany as? Set<NSManagedObject>)?.first === clock)
        }
    }

    @Test("A fault that the store fails to read")
    func failingFault() async {
        let raised = await #expect(processExitsWith: .failure) {
            let facts = StoreFacts()
            let coordinator = try facts.coordinator()
            let first = facts.context(coordinator)
            let id = try first.performAndWait { () -> NSManagedObjectID in
                let clock = facts.insert("Clock", first)
                try first.obtainPermanentIDs(for: [clock])
                return clock.objectID
            }
            let second = facts.context(coordinator)
            second.performAndWait { _ = second.object(with: id).value(forKey: "label") }
        }
        fact("CD-74", expected: true, observed: raised != nil)
    }

    @Test("An asynchronous fetch request")
    func asynchronousRequest() async throws {
        let context = context(try coordinator())
        rows.clearCalls()
        await withCheckedContinuation { continuation in
            context.perform {
                let request = NSAsynchronousFetchRequest(
                    fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Clock")
                ) { _ in continuation.resume() }
                do { _ = try context.execute(request) } catch { continuation.resume() }
            }
        }
        fact("CD-77", expected: ["fetch"], observed: rows.calls)
    }

    @Test("The archive of a token")
    func token() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: WatchedToken(7), requiringSecureCoding: true)
        let token = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSPersistentHistoryToken.self, from: data)
        fact("CD-75", expected: 7, observed: (token as? WatchedToken)?.number)
    }

    // MARK: - Opening

    @Test("What is asked when a store is added")
    func opening() throws {
        _ = try coordinator()
        fact("CD-4", expected: "loadMetadata", observed: rows.calls.first ?? "")
    }

    @Test("Metadata without a version")
    func metadata() throws {
        let store = try #require(try coordinator().persistentStores.first)
        fact(
            "CD-14", expected: false,
            observed: store.metadata["NSStoreModelVersionHashesVersion"] == nil)
    }

    @Test("The accessors of the metadata")
    func metadataAccessors() throws {
        let store = try #require(try coordinator().persistentStores.first)
        rows.clearCalls()
        store.metadata = store.metadata
        _ = store.identifier
        fact("CD-71", expected: [], observed: rows.calls)
    }

    @Test("The hashes of all entities, and a configuration")
    func configuration() throws {
        let model = Self.model()
        model.setEntities(
            [try #require(model.entitiesByName["Clock"])], forConfigurationName: "Part")
        let metadata: [String: Any] = [
            NSStoreModelVersionHashesKey: model.entityVersionHashesByName,
            "NSStoreModelVersionHashesVersion": 3,
        ]
        fact(
            "CD-15", expected: true,
            observed: model.isConfiguration(
                withName: "Part", compatibleWithStoreMetadata: metadata))
    }

    @Test("Models with constraints and derived attributes")
    func models() throws {
        let constrained = Self.model { $0.uniquenessConstraints = [["label"]] }
        fact("CD-6", expected: true, observed: (try? coordinator(constrained)) != nil)
        let derived = Self.model { entity in
            let attribute = NSDerivedAttributeDescription()
            attribute.name = "capitals"
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            attribute.derivationExpression = NSExpression(format: "uppercase:(label)")
            entity.properties += [attribute]
        }
        fact("CD-7", expected: true, observed: (try? coordinator(derived)) != nil)
    }

    @Test("An object in the options")
    func options() throws {
        let object = NSObject()
        _ = try coordinator(options: ["object": object])
        fact("CD-9", expected: true, observed: rows.options["object"] as? NSObject === object)
    }

    @Test("The result of a batch request")
    func batch() throws {
        let context = context(try coordinator())
        let result = try context.performAndWait { () -> Int? in
            let request = NSBatchUpdateRequest(entityName: "Clock")
            request.propertiesToUpdate = ["label": "noon"]
            request.resultType = .updatedObjectsCountResultType
            let result = try context.execute(request) as? NSBatchUpdateResult
            return result?.result as? Int
        }
        fact("CD-5", expected: 7, observed: result)
    }

    @Test("Destroying a store")
    func destruction() throws {
        let coordinator = try coordinator()
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try Data("file".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        var failure: (any Error)?
        do {
            try coordinator.destroyPersistentStore(
                at: url, ofType: WatchedStore.storeType, options: nil)
        } catch {
            failure = error
        }
        fact("CD-10", expected: true, observed: failure == nil)
    }

    #if canImport(ObjectiveC)
    @Test("Selectors that the store adds")
    func selectors() {
        let names = [
            "syncAutomatically", "setSyncAutomatically:", "container", "syncInterval",
            "resetBackingStoreAndReturnError:", "recordConflictResolutionBlock",
            "accountChangeHandler", "zoneLossHandler", "syncStatusAndReturnError:",
        ]
        let known = names.filter {
            NSIncrementalStore.instancesRespond(to: NSSelectorFromString($0))
        }
        fact("SM-1", expected: [], observed: known)
    }
    #endif
}
