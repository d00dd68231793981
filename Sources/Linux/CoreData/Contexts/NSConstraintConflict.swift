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
    ///   - databaseSnapshot: Its attributes and to-one destinations by name; there is one if there is
    ///     such an object.
    ///   - conflictingObjects: The objects of the save with these values, at least one.
    ///   - conflictingSnapshots: For each of them a dictionary of its attributes and to-one
    ///     destinations as they were read or inserted; `NSNull` for one that was not changed, which
    ///     becomes an empty dictionary.
    ///
    /// Anything else stops the process: a merge policy on Apple's systems reads all of it.
    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        let problem = Self.problem(
            contraint, databaseObject, databaseSnapshot, conflictingObjects, conflictingSnapshots)
        if let problem { raise(.invalidArgument, "NSConstraintConflict: \(problem)") }
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

    /// Creates an empty conflict, which code uses to compare errors.
    public override init() {
        constraint = []
        constraintValues = [:]
        databaseObject = nil
        databaseSnapshot = nil
        conflictingObjects = []
        conflictingSnapshots = []
        super.init()
    }

    /// What the arguments lack for a conflict.
    private static func problem(
        _ constraint: [String], _ databaseObject: NSManagedObject?,
        _ databaseSnapshot: [AnyHashable: Any]?, _ objects: [NSManagedObject], _ snapshots: [Any]
    ) -> String? {
        if constraint.isEmpty { return "the constraint has no attributes" }
        if objects.isEmpty { return "there is no conflicting object" }
        guard objects.count == snapshots.count else {
            return "there are \(snapshots.count) snapshots of \(objects.count) conflicting objects"
        }
        guard (databaseObject == nil) == (databaseSnapshot == nil) else {
            return "the object in the database and its snapshot come together"
        }
        if let databaseObject, let databaseSnapshot {
            let missing = databaseObject.names(missingIn: databaseSnapshot)
            if !missing.isEmpty { return "the snapshot of the database lacks \(missing)" }
        }
        for (object, snapshot) in zip(objects, snapshots) where !(snapshot is NSNull) {
            guard let values = snapshot as? [AnyHashable: Any] else {
                return "a snapshot is neither a dictionary nor NSNull"
            }
            let missing = object.names(missingIn: values)
            if !missing.isEmpty { return "the snapshot of \(object.objectID) lacks \(missing)" }
        }
        return nil
    }

    open override var description: String {
        "NSConstraintConflict for constraint \(constraint): database: "
            + "\(databaseObject.map { "\($0.objectID)" } ?? "nil"), conflictedObjects: "
            + "\(conflictingObjects.map(\.objectID))"
    }
}

extension NSManagedObject {
    /// The names of the persistent attributes and to-one relationships that a snapshot lacks.
    fileprivate final func names(missingIn snapshot: [AnyHashable: Any]) -> [String] {
        layout.persistentProperties.filter { property in
            (property as? NSRelationshipDescription)?.isToMany != true
                && snapshot[property.name] == nil
        }.map(\.name)
    }
}
