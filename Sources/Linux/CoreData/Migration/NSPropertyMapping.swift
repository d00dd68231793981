import FoundationGaps

/// How one property of a destination entity gets its value in a migration.
open class NSPropertyMapping: NSObject {
    /// The name of the property in the destination entity.
    open var name: String?

    /// What the value is; nil leaves the property with its default.
    ///
    /// The expression may use the variables `$manager`, `$source`, `$destination`,
    /// `$entityMapping`, `$propertyMapping` and `$entityPolicy`, and call methods with `FUNCTION`;
    /// see ``NSMigrationManager`` for those that can be called on Linux.
    open var valueExpression: NSExpression?

    /// Notes of the app, without a meaning here.
    open var userInfo: [AnyHashable: Any]? = [:]

    /// Creates a mapping of nothing.
    public override init() {
        super.init()
    }

    open override var description: String {
        "(<\(type(of: self))>) name \(name ?? "nil"), valueExpression "
            + "\(valueExpression?.description ?? "nil")"
    }
}
