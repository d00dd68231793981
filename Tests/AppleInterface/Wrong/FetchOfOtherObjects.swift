// error: cannot convert
import CoreData

func identifiers(_ context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    return try context.fetch(request)
}
