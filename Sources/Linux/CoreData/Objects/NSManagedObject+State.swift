import FoundationGaps

extension NSManagedObject {
    /// The state of an object in its context.
    struct State: OptionSet {
        let rawValue: UInt16

        /// The values are not in memory.
        static let fault = State(rawValue: 1 << 0)
        /// In the context's inserted objects.
        static let inserted = State(rawValue: 1 << 1)
        /// In the context's updated objects.
        static let updated = State(rawValue: 1 << 2)
        /// In the context's deleted objects.
        static let deleted = State(rawValue: 1 << 3)
        /// Gone from the store: deleted by another context, or found missing.
        static let vanished = State(rawValue: 1 << 4)
        /// Delete rules have run.
        static let deletionPropagated = State(rawValue: 1 << 5)
        /// To be checked for conflicts by the next save.
        static let locked = State(rawValue: 1 << 6)
        /// The committed version was computed, not read from the store.
        static let versionAssumed = State(rawValue: 1 << 7)
        /// Inserted in the event with the object's event number.
        static let insertedInEvent = State(rawValue: 1 << 8)
        /// Updated in the event with the object's event number.
        static let updatedInEvent = State(rawValue: 1 << 9)
        /// Inserted and not in the context's registry yet.
        static let unindexed = State(rawValue: 1 << 10)
        /// The store knows that the context uses the ID.
        static let knownToStore = State(rawValue: 1 << 11)
        /// A primitive value was set since the last save, which need not be among the changed ones.
        static let primitivelyChanged = State(rawValue: 1 << 12)

        /// Read through a key path to find the key that it asks for; see `KeyPathProbe`.
        static let probe = State(rawValue: 1 << 13)
        /// Inserted again with the ID that it had when it was deleted.
        static let returning = State(rawValue: 1 << 14)

        /// The states that a save ends.
        static let unsaved: State = [
            .inserted, .updated, .deleted, .deletionPropagated, .returning,
        ]
    }
}

/// Why values were replaced: an undo, a redo, a refresh, a rollback or a merge policy.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The bits of the type.
    public let rawValue: UInt

    /// Creates a type from its bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// An insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// A deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// A change was undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The object was refreshed.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy resolved a conflict.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
