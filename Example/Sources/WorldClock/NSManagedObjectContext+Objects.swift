import CoreData

extension NSManagedObjectContext {
    /// Creates an object of a class whose entity has the same name.
    public func insert<Object: NSManagedObject>(_ type: Object.Type) -> Object {
        let name = "\(type)"
        let object = NSEntityDescription.insertNewObject(forEntityName: name, into: self)
        guard let typed = object as? Object else {
            fatalError("The model's entity \(name) has another class.")
        }
        return typed
    }

    /// The objects of a class that match a predicate, sorted by a key path.
    public func objects<Object: NSManagedObject>(
        _ type: Object.Type, sortedBy keys: String..., where predicate: NSPredicate? = nil
    ) throws -> [Object] {
        let request = NSFetchRequest<Object>(entityName: "\(type)")
        request.predicate = predicate
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return try fetch(request)
    }
}
