import CoreData

/// A context that holds the people of a filled store and their companies, in the order of their
/// insertion.
///
/// Unchecked because a comparison uses it on one queue at a time.
final class LoadedStaff: @unchecked Sendable {
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
        (people, companies) = try context.performAndWait {
            let people: NSFetchRequest<Person> = Person.fetchRequest()
            people.returnsObjectsAsFaults = asFaults
            let companies: NSFetchRequest<Company> = Company.fetchRequest()
            companies.returnsObjectsAsFaults = asFaults
            return (try context.fetch(people), try context.fetch(companies))
        }
    }
}
