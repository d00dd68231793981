import Testing

@testable import CoreData

@Suite struct CompositeAttributeTests {
    /// Quakes with a composite place that contains a name.
    static func makeContext() throws -> NSManagedObjectContext {
        let model = try readModel(
            """
            <entity name='Quake'>
                <attribute name='magnitude' attributeType='Double' defaultValueString='0'/>
                <attribute name='place' optional='YES' attributeType='Composite'
                    composite='Place'/>
            </entity>
            <composite name='Place'>
                <attribute name='depth' optional='YES' attributeType='Integer 32'/>
                <attribute name='region' optional='YES' attributeType='String'/>
                <attribute name='spot' optional='YES' attributeType='Composite'
                    composite='Coordinate'/>
            </composite>
            <composite name='Coordinate'>
                <attribute name='latitude' optional='YES' attributeType='Double'/>
                <attribute name='longitude' optional='YES' attributeType='Double'/>
            </composite>
            """)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    static func insert(
        _ region: String, depth: Int, latitude: Double, in context: NSManagedObjectContext
    ) -> NSManagedObject {
        let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
        let spot: [String: Any] = ["latitude": latitude, "longitude": 1.5]
        quake.setValue(["region": region, "depth": depth, "spot": spot], forKey: "place")
        return quake
    }

    let context: NSManagedObjectContext

    init() throws {
        context = try Self.makeContext()
        _ = Self.insert("North", depth: 10, latitude: 70, in: context)
        _ = Self.insert("South", depth: 30, latitude: -40, in: context)
        try context.save()
        context.reset()
    }

    func fetch(_ predicate: NSPredicate?) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "place.depth", ascending: false)]
        return try context.fetch(request).compactMap {
            $0.value(forKeyPath: "place.region") as? String
        }
    }

    @Test("The description has the elements of the types in it, to any depth")
    func description() throws {
        let model = try #require(context.persistentStoreCoordinator?.managedObjectModel)
        let place = try #require(
            model.entitiesByName["Quake"]?.attributesByName["place"]
                as? NSCompositeAttributeDescription)
        #expect(place.attributeType == .compositeAttributeType)
        #expect(place.elements.map(\.name) == ["depth", "region", "spot"])
        let spot = try #require(place.elements.last as? NSCompositeAttributeDescription)
        #expect(spot.elements.map(\.attributeType) == [.doubleAttributeType, .doubleAttributeType])
    }

    @Test("The value is a dictionary, and a key path leads to its elements")
    func value() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
        request.predicate = NSPredicate(format: "place.region == 'North'")
        let quake = try #require(try context.fetch(request).first)
        let place = try #require(quake.value(forKey: "place") as? [String: Any])
        #expect(place["depth"] as? Int == 10)
        #expect(quake.value(forKeyPath: "place.spot.latitude") as? Double == 70)
        #expect(quake.value(forKeyPath: "place.nothing") == nil)
    }

    @Test("Predicates and sort descriptors reach into the elements")
    func fetching() throws {
        #expect(try fetch(nil) == ["South", "North"])
        #expect(try fetch(NSPredicate(format: "place.depth > 20")) == ["South"])
        #expect(try fetch(NSPredicate(format: "place.spot.latitude > 0")) == ["North"])
        #expect(try fetch(NSPredicate(format: "place.region BEGINSWITH[c] 's'")) == ["South"])
        #expect(try fetch(NSPredicate(format: "place == nil")).isEmpty)
    }

    @Test("A change of one element is a change of the attribute")
    func change() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
        request.predicate = NSPredicate(format: "place.region == 'North'")
        let quake = try #require(try context.fetch(request).first)
        var place = try #require(quake.value(forKey: "place") as? [String: Any])
        place["depth"] = 99
        quake.setValue(place, forKey: "place")
        #expect(quake.changedValues().keys.map(\.self) == ["place"])
        try context.save()
        context.reset()
        #expect(try fetch(NSPredicate(format: "place.depth == 99")) == ["North"])
    }

    @Test("A key path sets an element, creates the dictionaries on the way, and removes for nil")
    func settingByKeyPath() throws {
        let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
        quake.setValue(5, forKeyPath: "place.depth")
        quake.setValue(1.5, forKeyPath: "place.spot.latitude")
        #expect(quake.value(forKeyPath: "place.depth") as? Int == 5)
        #expect(quake.value(forKeyPath: "place.spot.latitude") as? Double == 1.5)
        try context.save()
        quake.setValue("East", forKeyPath: "place.region")
        quake.setValue(nil, forKeyPath: "place.depth")
        #expect(quake.changedValues().keys.map(\.self) == ["place"])
        try context.save()
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
        request.predicate = NSPredicate(format: "place.region == 'East'")
        let place = try #require(try context.fetch(request).first?.value(forKey: "place"))
        let elements = try #require(place as? [String: Any])
        #expect(elements.keys.sorted() == ["region", "spot"])
        #expect((elements["spot"] as? [String: Any])?["latitude"] as? Double == 1.5)
    }

    @Test(
        "A dictionary with an unknown element, or one of the wrong type, is not a value",
        arguments: [["height": 1], ["depth": "deep"]] as [[String: any Sendable]])
    func refused(place: [String: any Sendable]) throws {
        let model = try #require(context.persistentStoreCoordinator?.managedObjectModel)
        let attribute = try #require(model.entitiesByName["Quake"]?.attributesByName["place"])
        #expect(attribute.canonicalValue(of: ["depth": 1]) != nil)
        #expect(attribute.canonicalValue(of: place) == nil)
    }
}
