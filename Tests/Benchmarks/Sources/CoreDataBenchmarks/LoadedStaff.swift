import CoreData

/// A context that holds the people of a filled store and their companies, in the order of their
/// insertion.
final class LoadedStaff {
    let context: NSManagedObjectContext
    let people: [Person]
    let companies: [Company]

    /// Fills a store and loads everything from it.
    ///
    /// - Parameters:
    ///   - size: The number of people.
    ///   - asFaults: Whether the values stay in the store.
    init(_ size: Int, asFaults: Bool = false) throws {
        let context = Staff.makeContext(try Staff.makeFilledCoordinator(size))
        self.context = context
        let people: NSFetchRequest<Person> = Person.fetchRequest()
        people.returnsObjectsAsFaults = asFaults
        self.people = try context.fetch(people)
        let companies: NSFetchRequest<Company> = Company.fetchRequest()
        companies.returnsObjectsAsFaults = asFaults
        self.companies = try context.fetch(companies)
    }

    /// Several independent instances.
    static func copies(
        _ copies: Int, of size: Int, asFaults: Bool = false
    ) throws -> [LoadedStaff] {
        try (0..<copies).map { _ in try LoadedStaff(size, asFaults: asFaults) }
    }
}
