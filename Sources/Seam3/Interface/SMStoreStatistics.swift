import CoreData

/// The contents of a store at one moment; see ``SMStore/statistics()``.
public struct SMStoreStatistics: Equatable, Sendable {
    /// The local changes of one entity's objects, or of the links of one many-to-many relationship,
    /// that the server has not acknowledged.
    public struct PendingChanges: Equatable, Sendable {
        /// How many objects were inserted.
        public internal(set) var insertions = 0
        /// How many objects were updated.
        public internal(set) var updates = 0
        /// How many objects were deleted.
        public internal(set) var deletions = 0
        /// How many of these changes are parked because the server has refused them.
        public internal(set) var refused = 0

        /// How many changes there are.
        public var count: Int { insertions + updates + deletions }
    }

    /// The size of the SQLite file and its write-ahead log, in bytes.
    public internal(set) var fileSize: Int64 = 0
    /// The size of the values that are kept in files of their own beside the store, in bytes.
    public internal(set) var externalDataSize: Int64 = 0
    /// The number of objects by the name of their own entity. It contains every entity that is not abstract;
    /// subentities are counted separately from their parents.
    public internal(set) var rowCounts: [String: Int] = [:]
    /// The changes that the server has not acknowledged, by the name of the objects' entity. Changes of the
    /// links of a many-to-many relationship are under the type of their records, such as
    /// `SM_Link_Item_tags`.
    public internal(set) var pendingChanges: [String: PendingChanges] = [:]

    /// The size of the store on disk, in bytes.
    public var size: Int64 { fileSize + externalDataSize }

    /// How many objects there are.
    public var rowCount: Int { rowCounts.values.reduce(0, +) }

    /// How many changes the server has not acknowledged.
    public var pendingChangeCount: Int {
        pendingChanges.values.reduce(0) { $0 + $1.count }
    }
}
