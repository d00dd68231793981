import FoundationGaps

/// Objects that share the values of a uniqueness constraint.
///
/// There is one for each constraint that is violated: either between one object that is being
/// saved and a saved one, or among several objects that are being saved.
open class NSConstraintConflict: NSObject {
    /// The names of the attributes that are unique together.
    public let constraint: [String]

    /// The saved object with these values; nil if only objects that are being saved share them.
    public let databaseObject: NSManagedObject?

    /// The saved object's values.
    public let databaseSnapshot: [String: Any]?

    /// The objects being saved with these values.
    public let conflictingObjects: [NSManagedObject]

    /// The values of the objects being saved as they were read or inserted, one for each object.
    public let conflictingSnapshots: [[AnyHashable: Any]]

    /// The values that the objects shared when the conflict was found; `NSNull` for nil.
    public let constraintValues: [String: Any]

    /// Creates a conflict; for stores that detect one.
    ///
    /// - Parameters:
    ///   - contraint: The names of the attributes that are unique together.
    ///   - databaseObject: The saved object with these values, in the context of the save.
    ///   - databaseSnapshot: Its attributes and to-one destinations by name.
    ///   - conflictingObjects: The objects of the save with these values.
    ///   - conflictingSnapshots: A dictionary for each of them; `NSNull` for one that was not
    ///     changed, which becomes an empty dictionary.
    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot.map { snapshot in
            var named: [String: Any] = [:]
            for (key, value) in snapshot { named["\(key.base)"] = value }
            return named
        }
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
        var values: [String: Any] = [:]
        for key in contraint {
            values[key] = conflictingObjects.last?.value(forKey: key) ?? NSNull()
        }
        constraintValues = values
        super.init()
    }

    open override var description: String {
        "NSConstraintConflict for constraint \(constraint): database: "
            + "\(databaseObject.map { "\($0.objectID)" } ?? "nil"), conflictedObjects: "
            + "\(conflictingObjects.map(\.objectID))"
    }
}
