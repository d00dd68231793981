import FoundationGaps

extension InMemoryStore {
    /// Writes a context's changes, all or none.
    ///
    /// - Throws: `CocoaError.managedObjectMerge` with the conflicts if another context has saved a
    ///   row since the object was read, `.managedObjectConstraintMerge` if values are not unique.
    func save(_ request: NSSaveChangesRequest, for context: NSManagedObjectContext?) throws {
        let inserted = request.inserted?.objects ?? []
        let updated = request.updated?.objects ?? []
        let deleted = request.deleted?.objects ?? []
        let locked = request.locked ?? ObjectSet()
        let lockedOnly = locked.filter { object in
            request.updated?.contains(object) != true && request.deleted?.contains(object) != true
        }
        let updatedRows = rows(of: updated)
        let lockedRows = rows(of: lockedOnly)
        try requirePresentVersions([
            (updated, updatedRows), (deleted, rows(of: deleted)), (lockedOnly, lockedRows),
        ])
        try claimUniqueValues(of: request, for: context)

        // All rows must exist before the first link is made.
        let rows = inserted.map { table.insert($0.objectID) }
        for (object, row) in zip(inserted, rows) {
            if object.state.contains(.returning) { row.version = table.unreadVersion }
            write(object, to: row)
        }
        for case (let object, let row?) in zip(updated, updatedRows) {
            row.version += 1
            write(object, to: row)
        }
        for row in lockedRows { row?.version += 1 }
        for object in deleted { table.remove(object.objectID) }
    }

    private func rows(of objects: [NSManagedObject]) -> [InMemoryRow?] {
        objects.map { table.row($0.objectID) }
    }

    private func requirePresentVersions(_ objects: [([NSManagedObject], [InMemoryRow?])]) throws {
        var conflicts: [NSMergeConflict] = []
        for (objects, rows) in objects {
            for (object, row) in zip(objects, rows) {
                let known = object.committedVersion
                guard known > 0, known != row?.version ?? 0, !object.state.contains(.vanished)
                else { continue }
                conflicts.append(
                    NSMergeConflict(
                        source: object, newVersion: Int(row?.version ?? 0), oldVersion: Int(known),
                        cachedSnapshot: row.map { object.snapshot(of: $0.values) },
                        persistedSnapshot: nil))
            }
        }
        guard conflicts.isEmpty else {
            throw CocoaError(
                .managedObjectMerge,
                userInfo: [
                    NSPersistentStoreSaveConflictsErrorKey: conflicts,
                    NSLocalizedDescriptionKey: "Could not merge changes.",
                ])
        }
    }

    private func write(_ object: NSManagedObject, to row: InMemoryRow) {
        // The row shares the object's array until one of them changes.
        row.attributes = object.attributes
        for index in row.layout.transientAttributes { row.attributes[index] = .none }
        // Values that were not set are already in the row.
        let writesAll = !object.state.isDisjoint(with: [.inserted, .primitivelyChanged])
        for (position, relationship) in row.layout.relationships.enumerated()
        where writesAll || object.changedProperties.contains(relationship.valueIndex) {
            if relationship.isTransient { continue }
            switch object.relationships[position] {
            case .unresolved:
                break
            case .none:
                replace(relationship, of: row, at: position, by: [])
            case .identifier(let objectID):
                replace(relationship, of: row, at: position, by: [objectID])
            case .object(let destination):
                replace(relationship, of: row, at: position, by: [destination.objectID])
            case .members(let members):
                replace(relationship, of: row, at: position, by: members.objects.map(\.objectID))
            case .pending(let pending):
                for destination in pending.removed {
                    unlink(destination.objectID, from: row, relationship, at: position)
                }
                for destination in pending.added {
                    link(destination.objectID, to: row, relationship, at: position)
                }
            }
        }
    }

    // MARK: - Links

    private func replace(
        _ relationship: NSRelationshipDescription, of row: InMemoryRow, at position: Int,
        by destinations: [NSManagedObjectID]
    ) {
        switch (row.links[position], destinations.first) {
        case (.none, nil): return
        case (.one(let old), let new?) where old.isSame(as: new): return
        case (.set(let old), nil) where old.isEmpty: return
        default: break
        }
        let old = Set(row.links[position].objectIDs.map(NSManagedObjectID.Key.init))
        let new = Set(destinations.map(NSManagedObjectID.Key.init))
        for key in old.subtracting(new) {
            unlink(key.objectID, from: row, relationship, at: position)
        }
        for destination in destinations where !old.contains(NSManagedObjectID.Key(destination)) {
            link(destination, to: row, relationship, at: position)
        }
        if relationship.isToMany, relationship.isOrdered {
            row.links[position] = .list(destinations)
        }
    }

    /// Links two rows on both sides. A context changes both sides, too, but may know only one of
    /// them if the other is a fault.
    private func link(
        _ destination: NSManagedObjectID, to row: InMemoryRow,
        _ relationship: NSRelationshipDescription, at position: Int
    ) {
        let displaced = row.add(destination, at: position)
        guard let inverse = relationship.inverseRelationship else { return }
        if let displaced, let other = table.row(displaced) {
            other.remove(row.objectID, at: inversePosition(inverse, in: other))
        }
        guard let other = table.row(destination) else { return }
        let former = other.add(row.objectID, at: inversePosition(inverse, in: other))
        if let former, let formerRow = table.row(former) {
            formerRow.remove(destination, at: position)
        }
    }

    private func unlink(
        _ destination: NSManagedObjectID, from row: InMemoryRow,
        _ relationship: NSRelationshipDescription, at position: Int
    ) {
        row.remove(destination, at: position)
        guard let inverse = relationship.inverseRelationship,
            let other = table.row(destination)
        else { return }
        other.remove(row.objectID, at: inversePosition(inverse, in: other))
    }

    private func inversePosition(
        _ inverse: NSRelationshipDescription, in row: InMemoryRow
    ) -> Int {
        row.layout.relationshipPositions[inverse.valueIndex]
    }
}
