// error: cannot convert value of type 'String' to expected argument type 'NSManagedObjectID'
import CoreData

func object(_ context: NSManagedObjectContext) -> NSManagedObject { context.object(with: "x") }
