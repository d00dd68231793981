import FoundationGaps

/// The value of one property of a destination entity in a migration.
open class NSPropertyMapping: NSObject {
    /// The name of the property in the destination entity.
    open var name: String?

    /// The expression for the value; nil keeps the property's default.
    ///
    /// The expression may use the variables `$manager`, `$source`, `$destination`,
    /// `$entityMapping`, `$propertyMapping` and `$entityPolicy`, and call methods with `FUNCTION`;
    /// see ``NSMigrationManager`` for those that can be called on Linux.
    open var valueExpression: NSExpression?

    /// Information of the app, which has no effect here.
    open var userInfo: [AnyHashable: Any]? = [:]

    /// Creates an empty mapping.
    public override init() {
        super.init()
    }

    /// Whether the other object is a mapping with the same contents.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyMapping else { return false }
        return name == other.name && valueExpression == other.valueExpression
            && _areEqual(userInfo ?? [:], other.userInfo ?? [:])
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int { name.hashValue }

    open override var description: String {
        "(<\(type(of: self))>) name \(name ?? "nil"), valueExpression "
            + "\(valueExpression?.description ?? "nil")"
    }
}
