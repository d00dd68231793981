import CoreData

/// A book of the reader.
public final class Book: NSManagedObject {
    @NSManaged var title: String?
    @NSManaged var pages: Int32
    @NSManaged var author: Author?
}
