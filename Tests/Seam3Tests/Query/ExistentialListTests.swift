import CoreData
import Seam3
import Testing

/// Lists whose element type is a protocol, in predicates and as values.
@Suite struct ExistentialListTests {
    private let context: NSManagedObjectContext
    private let folder: TestFolder

    init() throws {
        SMStore.registerStoreClass()
        folder = try TestFolder()
        let car = NSEntityDescription(
            "Car",
            [
                NSAttributeDescription("maker", .stringAttributeType),
                NSAttributeDescription("year", .integer64AttributeType),
                NSAttributeDescription("labels", .transformableAttributeType),
            ])
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: NSManagedObjectModel(car))
        try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil, at: folder.store)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    private func count(_ predicate: NSPredicate) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Car")
        request.predicate = predicate
        return try context.count(for: request)
    }

    @Test("A fetch finds the strings and numbers of a list of protocols")
    func lists() throws {
        for (maker, year) in [("1", 1), ("2", 2)] {
            let car = NSEntityDescription.insertNewObject(forEntityName: "Car", into: context)
            car.setValue(maker, forKey: "maker")
            car.setValue(year, forKey: "year")
        }
        try context.save()
        let makers = ["1"] as [any CVarArg]
        #expect(try count(NSPredicate(format: "%K IN %@", "maker", makers)) == 1)
        #expect(try count(NSPredicate(format: "maker IN %@", argumentArray: [makers])) == 1)
        #expect(try count(NSPredicate(format: "%K IN %@", "year", [1] as [any CVarArg])) == 1)
        let variable = NSPredicate(format: "maker IN $makers")
            .withSubstitutionVariables(["makers": ["2"] as [any Hashable]])
        #expect(try count(variable) == 1)
    }

    @Test("A list of protocols is a value of a transformable attribute")
    func values() throws {
        let car = NSEntityDescription.insertNewObject(forEntityName: "Car", into: context)
        let lists: [Any] = [
            ["1"] as [any CVarArg], ["1"] as [any Hashable], ["1"] as [any Codable],
        ]
        for list in lists {
            car.setValue(list, forKey: "labels")
            #expect(car.value(forKey: "labels") as? [String] == ["1"])
            try context.save()
            context.refreshAllObjects()
            #expect(car.value(forKey: "labels") as? [String] == ["1"])
        }
        car.setValue(["a": ["1"] as [any CVarArg]] as [String: any CVarArg], forKey: "labels")
        try context.save()
        context.refreshAllObjects()
        #expect(car.value(forKey: "labels") as? [String: [String]] == ["a": ["1"]])
    }
}
