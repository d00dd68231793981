import FoundationGaps

/// The rows of a parent's save, for a merge that need not ask the parent.
///
/// A child merges on its own queue, some time after the save, and the parent's queue may by then be
/// waiting for the child's. So the rows are passed along with the message.
///
/// Unchecked because a row that leaves its context contains no objects, and does not change.
struct MergeableRows: @unchecked Sendable {
    /// The parent's rows when the save was done.
    let rows: [NSManagedObjectID.Key: Row]
    /// Increases with each save, so that the newer of two rows is known.
    let number: Int
}

/// The merges that a child has not begun yet, and what it saved itself in the meantime.
///
/// Used on the queues of the parent and the child, behind a lock.
struct AwaitedMerges {
    private var count = 0
    private var lastNumber = 0
    /// The parent's rows after the child's own saves.
    private var ownRows: [NSManagedObjectID.Key: (row: Row, number: Int)] = [:]

    /// Whether there are any.
    var isEmpty: Bool { count == 0 }

    /// Records a merge; called on the parent's queue.
    mutating func append(_ rows: [NSManagedObjectID.Key: Row]) -> MergeableRows {
        count += 1
        lastNumber += 1
        return MergeableRows(rows: rows, number: lastNumber)
    }

    /// Records what the child saved; called on the parent's queue.
    mutating func noteOwnSave(_ rows: [NSManagedObjectID.Key: Row]) {
        lastNumber += 1
        for (key, row) in rows { ownRows[key] = (row, lastNumber) }
    }

    /// Begins a merge; called on the child's queue.
    ///
    /// - Returns: The newest known row of each object.
    mutating func begin(_ merge: MergeableRows) -> [NSManagedObjectID.Key: Row] {
        count -= 1
        var rows = merge.rows
        for (key, own) in ownRows where own.number > merge.number && rows[key] != nil {
            rows[key] = own.row
        }
        if count == 0 { ownRows = [:] }
        return rows
    }
}

extension NSManagedObjectContext {
    /// Makes the children that merge automatically merge a save of this context or of another
    /// child, each on its queue. Called on this context's queue.
    ///
    /// - Parameters:
    ///   - userInfo: The IDs of the saved objects.
    ///   - saver: The child that saved, if one did.
    func mergeIntoChildren(
        _ userInfo: [AnyHashable: Any], except saver: NSManagedObjectContext? = nil
    ) {
        var rows: [NSManagedObjectID.Key: Row]?
        for reference in children.withLock({ $0 }) {
            guard let child = reference.context, child !== saver else { continue }
            child.readAheadIsOutdated.withLock { $0 = true }
            guard child.automaticallyMergesChangesFromParent else { continue }
            let changes = MergeableChanges(userInfo, in: nil)
            guard !changes.isEmpty else { continue }
            let present = rows ?? presentRows(of: changes.inserted.union(changes.updated))
            rows = present
            let awaited = child.awaitedMerges.withLock { $0.append(present) }
            child.runLater { child.merge(changes, awaited) }
        }
    }

    /// The rows of objects in the form that children get.
    func presentRows(
        of objectIDs: some Sequence<NSManagedObjectID>
    ) -> [NSManagedObjectID.Key: Row] {
        var rows: [NSManagedObjectID.Key: Row] = [:]
        for objectID in objectIDs {
            guard let object = registeredObject(for: objectID), !object.isFault,
                !object.isDeleted
            else { continue }
            rows[.init(objectID)] = object.rowForChildren
        }
        return rows
    }

    private func merge(_ changes: MergeableChanges, _ awaited: MergeableRows) {
        rowsToMerge = awaitedMerges.withLock { $0.begin(awaited) }
        defer { rowsToMerge = [:] }
        merge(changes)
    }

    /// The row of an object: the one that came with the save that is being merged, or the source's
    /// current one.
    func currentRow(of objectID: NSManagedObjectID, from source: any RowSource) throws -> Row {
        if !rowsToMerge.isEmpty, let row = rowsToMerge[.init(objectID)] { return row }
        return try source.row(of: objectID, in: self)
    }
}

extension NSManagedObject {
    /// The object's current values as a row that belongs to no context, without transient
    /// properties.
    final var rowForChildren: Row {
        var row = Row(
            attributes: attributes, relationships: relationships.map(Self.withoutObjects),
            version: committed?.version ?? 0)
        for index in layout.transientAttributes { row.attributes[index] = .none }
        for relationship in layout.relationships where relationship.isTransient {
            let position = layout.relationshipPositions[relationship.valueIndex]
            row.relationships[position] = layout.unreadRelationships[position]
        }
        return row
    }

    private static func withoutObjects(_ value: RelationshipValue) -> RelationshipValue {
        switch value {
        case .none: .none
        case .identifier, .object: value.destinationID.map { .identifier($0) } ?? .none
        case .unresolved, .pending, .members: .unresolved
        }
    }
}
