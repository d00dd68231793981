import FoundationGaps

/// How a save treats objects that were saved elsewhere since they were read.
public enum NSMergePolicyType: UInt, Sendable {
    /// The save fails.
    case errorMergePolicyType = 0
    /// Property by property; if both changed a property, the store's value stays.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property; if both changed a property, the context's value is saved.
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
// The five above are unchecked because Apple declares them as mutable globals; nothing sets them.

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
    /// - Throws: `CocoaError.managedObjectMerge` with the conflicts if the policy fails.
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
    /// - Throws: `CocoaError.managedObjectMerge` with the conflicts if the policy fails, and
    ///   whatever a store throws when it reads the current row.
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

    /// Resolves violations of uniqueness constraints: one of the objects that share values stays.
    ///
    /// - Between a saved object and a new one, the saved object stays and keeps its ID. By property
    ///   with the object's values first, and when overwriting, it takes the new object's attributes
    ///   and to-one relationships, set or not; by property with the store's first, it keeps its
    ///   own. By property, to-many relationships become the union of both; when overwriting, the
    ///   new object's. A rollback takes nothing from the new object.
    /// - Between two saved objects, the changed one stays if the object wins, and the other is
    ///   deleted; by property with the store's values first, the values of the constraint are
    ///   reset; with a rollback, all of the object's changes are.
    /// - Among objects of the context, a saved one stays, or otherwise the first one; if the object
    ///   wins, it gets the values of the last.
    ///
    /// - Throws: `CocoaError.managedObjectConstraintMerge` with the conflicts if the policy fails,
    ///   or if the saved object is itself being deleted.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        let unresolved =
            mergeType == .errorMergePolicyType
            ? list
            : list.filter { conflict in
                guard let context = conflict.conflictingObjects.lazy.compactMap(\.context).first
                else { return false }
                return !context.resolve(conflict, by: mergeType)
            }
        guard unresolved.isEmpty else {
            throw CocoaError(
                .managedObjectConstraintMerge,
                userInfo: [
                    NSPersistentStoreSaveConflictsErrorKey: unresolved,
                    NSLocalizedDescriptionKey: unresolved.reduce("Could not merge changes.") {
                        let entity = $1.conflictingObjects.first?.entity.name ?? "an entity"
                        return "\($0) Objects of \(entity) have the same"
                            + " \($1.constraint.joined(separator: ", "))."
                    },
                ])
        }
    }
}

/// An object whose row was saved or deleted elsewhere since it was read.
open class NSMergeConflict: NSObject {
    /// The object that is being saved.
    public let sourceObject: NSManagedObject

    /// The object's values as they were read, with its changes.
    public let objectSnapshot: [String: Any]?

    /// The values that the coordinator's store has, if the conflict is with another context.
    public let cachedSnapshot: [String: Any]?

    /// The values in the file, if the conflict is with another process.
    public let persistedSnapshot: [String: Any]?

    /// The version of the current row; 0 if it is gone.
    public let newVersionNumber: Int

    /// The version that the object was read at.
    public let oldVersionNumber: Int

    /// Creates a conflict; for stores that detect one themselves.
    ///
    /// - Parameters:
    ///   - srcObject: The object that is being saved.
    ///   - newvers: The version of the current row; 0 if it is gone, in which case there are no
    ///     snapshots.
    ///   - oldvers: The version that the object was read at.
    ///   - cachesnap: The attributes and to-one destinations that the coordinator's store has.
    ///   - persnap: Those in the file, if these are even newer; never without `cachesnap`.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        guard persnap == nil || cachesnap != nil else {
            raise(
                .invalidArgument,
                "NSMergeConflict: a conflict with a persisted snapshot has a cached one too")
        }
        guard newvers != 0 || (persnap == nil && cachesnap == nil) else {
            raise(
                .invalidArgument,
                "NSMergeConflict: an object that was deleted (new version 0) has no snapshots")
        }
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
