import FoundationGaps

/// How a save treats objects that somebody else has saved since they were read.
public enum NSMergePolicyType: UInt, Sendable {
    /// The save fails.
    case errorMergePolicyType = 0
    /// Property by property; where both changed one, the store's value stays.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property; where both changed one, the context's value is saved.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// All of the context's values are saved.
    case overwriteMergePolicyType = 3
    /// The context's changes of the object are dropped.
    case rollbackMergePolicyType = 4
}

/// The policy that fails a save on any conflict; the default.
nonisolated(unsafe) public var NSErrorMergePolicy: AnyObject = NSMergePolicy.error
/// The policy that merges properties and prefers the store's.
nonisolated(unsafe) public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject =
    NSMergePolicy.mergeByPropertyStoreTrump
/// The policy that merges properties and prefers the context's.
nonisolated(unsafe) public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject =
    NSMergePolicy.mergeByPropertyObjectTrump
/// The policy that saves all of the context's values.
nonisolated(unsafe) public var NSOverwriteMergePolicy: AnyObject = NSMergePolicy.overwrite
/// The policy that drops the context's changes.
nonisolated(unsafe) public var NSRollbackMergePolicy: AnyObject = NSMergePolicy.rollback
// The five above are unchecked because Apple declares them as mutable globals; nobody sets them.

/// Resolves the conflicts of a save. A subclass may decide object by object and call super.
open class NSMergePolicy: NSObject {
    /// How conflicts are resolved.
    open private(set) var mergeType: NSMergePolicyType

    /// Creates a policy.
    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
        super.init()
    }

    // Unchecked because a policy is immutable.
    private nonisolated(unsafe) static let shared: [NSMergePolicyType: NSMergePolicy] = {
        let types: [NSMergePolicyType] = [
            .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
            .rollbackMergePolicyType,
        ]
        return Dictionary(uniqueKeysWithValues: types.map { ($0, NSMergePolicy(merge: $0)) })
    }()

    private class func policy(_ type: NSMergePolicyType) -> NSMergePolicy {
        shared[type] ?? NSMergePolicy(merge: type)
    }

    /// The policy that fails a save on any conflict.
    open class var error: NSMergePolicy { policy(.errorMergePolicyType) }

    /// The policy that merges properties and prefers the context's.
    open class var mergeByPropertyObjectTrump: NSMergePolicy {
        policy(.mergeByPropertyObjectTrumpMergePolicyType)
    }

    /// The policy that merges properties and prefers the store's.
    open class var mergeByPropertyStoreTrump: NSMergePolicy {
        policy(.mergeByPropertyStoreTrumpMergePolicyType)
    }

    /// The policy that saves all of the context's values.
    open class var overwrite: NSMergePolicy { policy(.overwriteMergePolicyType) }

    /// The policy that drops the context's changes.
    open class var rollback: NSMergePolicy { policy(.rollbackMergePolicyType) }

    /// Resolves conflicts of either kind.
    ///
    /// - Parameter list: `NSMergeConflict`s and `NSConstraintConflict`s.
    /// - Throws: `CocoaError.managedObjectMerge` with the conflicts if the policy is to fail.
    open func resolve(mergeConflicts list: [Any]) throws {
        let constraintConflicts = list.compactMap { $0 as? NSConstraintConflict }
        let conflicts = list.compactMap { $0 as? NSMergeConflict }
        if !conflicts.isEmpty { try resolve(optimisticLockingConflicts: conflicts) }
        if !constraintConflicts.isEmpty {
            try resolve(constraintConflicts: constraintConflicts)
        }
    }

    /// Resolves conflicts with what others have saved.
    ///
    /// - Throws: `CocoaError.managedObjectMerge` with the conflicts if the policy is to fail, and
    ///   whatever a store throws when it is asked for the present row.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else {
            throw CocoaError(
                .managedObjectMerge,
                userInfo: [
                    NSPersistentStoreSaveConflictsErrorKey: list,
                    NSLocalizedDescriptionKey: "Could not merge changes.",
                ])
        }
        for conflict in list {
            let object = conflict.sourceObject
            try object.context?.resolve(conflict, by: mergeType)
        }
    }

    /// Resolves violations of uniqueness constraints.
    ///
    /// Where the store wins (store trump and rollback) the new objects in conflict are dropped;
    /// otherwise the objects that they conflict with are deleted.
    ///
    /// - Throws: `CocoaError.managedObjectConstraintMerge` with the conflicts if the policy is to
    ///   fail, or if the conflict is among unsaved objects only.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        let unresolvable = list.contains { $0.databaseObject == nil }
        guard mergeType != .errorMergePolicyType, !unresolvable else {
            throw CocoaError(
                .managedObjectConstraintMerge,
                userInfo: [
                    NSPersistentStoreSaveConflictsErrorKey: list,
                    NSLocalizedDescriptionKey: "Could not merge changes.",
                ])
        }
        let storeWins =
            mergeType == .rollbackMergePolicyType
            || mergeType == .mergeByPropertyStoreTrumpMergePolicyType
        for conflict in list {
            let losers =
                storeWins
                ? conflict.conflictingObjects : [conflict.databaseObject].compactMap { $0 }
            for object in losers {
                guard let context = object.context else { continue }
                if storeWins, !object.isInserted {
                    context.refresh(object, mergeChanges: false)
                } else {
                    context.delete(object)
                    context.processPendingChanges()
                }
            }
        }
    }
}

/// An object whose row was saved or deleted by somebody else since it was read.
open class NSMergeConflict: NSObject {
    /// The object that is being saved.
    public let sourceObject: NSManagedObject

    /// The object's values as they were read, with its changes.
    public let objectSnapshot: [String: Any]?

    /// The values that the coordinator's store has, if the conflict is with another context.
    public let cachedSnapshot: [String: Any]?

    /// The values in the file, if the conflict is with another process.
    public let persistedSnapshot: [String: Any]?

    /// The version of the present row; 0 if it is gone.
    public let newVersionNumber: Int

    /// The version that the object was read at.
    public let oldVersionNumber: Int

    /// Creates a conflict; for stores that detect one themselves.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        objectSnapshot = srcObject.committedSnapshot()
        super.init()
    }

    open override var description: String {
        "NSMergeConflict for \(sourceObject.objectID) with oldVersion = \(oldVersionNumber) "
            + "and newVersion = \(newVersionNumber)"
    }
}

/// Objects that share the values of a uniqueness constraint.
open class NSConstraintConflict: NSObject {
    /// The names of the attributes that are unique together.
    public let constraint: [String]

    /// The saved object with these values; nil if only unsaved objects share them.
    public let databaseObject: NSManagedObject?

    /// The saved object's values.
    public let databaseSnapshot: [String: Any]?

    /// The objects being saved with these values.
    public let conflictingObjects: [NSManagedObject]

    /// The values of the objects being saved.
    public let conflictingSnapshots: [[AnyHashable: Any]]

    /// Creates a conflict; for stores that detect one.
    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        self.constraint = contraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot.map { snapshot in
            var named: [String: Any] = [:]
            for (key, value) in snapshot { named["\(key.base)"] = value }
            return named
        }
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.compactMap { $0 as? [AnyHashable: Any] }
        super.init()
    }

    /// The values that the objects share.
    open var constraintValues: [String: Any] {
        guard let object = conflictingObjects.first else { return [:] }
        var values: [String: Any] = [:]
        for key in constraint { values[key] = object.value(forKey: key) ?? NSNull() }
        return values
    }
}
