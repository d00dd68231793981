import FoundationGaps

/// Gives managed objects `init(context:)` and `init(entity:insertInto:)` again, in a form that can
/// be called on a metatype and on a generic parameter, as on Apple's systems, without every
/// subclass having to mark its own as required.
public protocol _ContextInitializable: NSManagedObject {}

extension NSManagedObject: _ContextInitializable {}

extension _ContextInitializable {
    /// Creates an object of the entity that the context's model has for this class.
    public init(context moc: NSManagedObjectContext) {
        self.init(_insertedInto: moc)
    }

    /// Creates an object with the default values of its entity, and inserts it if there is a context.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        self.init(_entity: entity, insertedInto: context)
    }
}
