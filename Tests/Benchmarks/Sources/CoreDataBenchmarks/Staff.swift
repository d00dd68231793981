import CoreData

/// The data of both sides in every comparison: people, ten in each company.
enum Staff {
    static let peoplePerCompany = 10

    static func name(_ index: Int) -> String {
        // Longer than an inline Swift string, like many names.
        "Person number \(index)"
    }

    /// The names of a number of people.
    static func names(_ count: Int) -> [String] {
        (0..<count).map(name)
    }

    static func companyName(_ number: Int) -> String {
        "Company number \(number)"
    }

    static func age(_ index: Int) -> Int {
        18 + index % 50
    }

    /// The model for the package's classes.
    ///
    /// Unchecked because a model in use never changes.
    nonisolated(unsafe) static let model: NSManagedObjectModel = {
        guard let url = Bundle.module.url(forResource: "Staff", withExtension: "xcdatamodeld"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { fatalError("The model of the benchmark is missing from its bundle.") }
        return model
    }()

    /// A coordinator with an empty in-memory store.
    static func makeCoordinator() throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        return coordinator
    }

    /// A new context of a coordinator, without a queue, because work that alternates between
    /// several contexts runs on none of their queues.
    static func makeContext(
        _ coordinator: NSPersistentStoreCoordinator
    ) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A coordinator whose store has a number of people and their companies.
    static func makeFilledCoordinator(_ count: Int) throws -> NSPersistentStoreCoordinator {
        let coordinator = try makeCoordinator()
        let context = makeContext(coordinator)
        var company: Company?
        for index in 0..<count {
            if index.isMultiple(of: peoplePerCompany) {
                company = Company(context: context)
                company?.name = companyName(index / peoplePerCompany)
            }
            insertPerson(index, name(index), into: context).employer = company
        }
        try context.save()
        return coordinator
    }

    /// Inserts the person with an index.
    @discardableResult
    static func insertPerson(
        _ index: Int, _ name: String, into context: NSManagedObjectContext
    ) -> Person {
        let person = Person(context: context)
        person.name = name
        person.age = Int64(age(index))
        person.salary = Double(index)
        return person
    }
}
