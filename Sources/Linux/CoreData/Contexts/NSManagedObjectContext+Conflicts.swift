import FoundationGaps

/// Optimistic locking.
extension NSManagedObjectContext {
    /// Finds the objects whose rows others have saved since they were read, and lets the merge
    /// policy resolve these conflicts.
    ///
    /// An in-memory store does that itself before it writes anything. If the coordinator has
    /// several stores, all are checked before the first one writes.
    func checkConflicts(with coordinator: NSPersistentStoreCoordinator) throws {
        try joinReturnedObjects()
        let stores = coordinator.persistentStores
        if stores.count == 1, stores.first is InMemoryStore { return }
        let objects = [updated, deleted, locked].flatMap { objects in
            objects.filter { !$0.state.contains(.inserted) }
        }
        for object in objects { object.fireFault() }
        let versions = try source?.versions(of: objects.map(\.objectID), in: self) ?? []
        let conflicts = try zip(objects, versions).compactMap { object, version in
            try conflict(of: object, presentVersion: version)
        }
        guard !conflicts.isEmpty else { return }
        try policy.resolve(mergeConflicts: conflicts)
    }

    /// Turns new objects whose deletion was undone, and which others have brought back meanwhile, into changed ones.
    /// What was set since the undo stays; otherwise the others' values hold.
    private func joinReturnedObjects() throws {
        for object in inserted.objects
        where object.state.contains(.returning) && !object.objectID.isTemporaryID {
            guard let row = try presentRow(of: object) else { continue }
            inserted.remove(object)
            object.state.subtract([.inserted, .returning])
            object.join(row)
            if !object.changedProperties.isEmpty {
                object.state.insert(.updated)
                updated.append(object)
            }
            event.refreshed.append(object)
            object.awake(fromSnapshotEvents: .mergePolicy)
        }
    }

    private var policy: NSMergePolicy {
        mergePolicy as? NSMergePolicy ?? .error
    }

    private func conflict(
        of object: NSManagedObject, presentVersion: UInt64?
    ) throws -> NSMergeConflict? {
        guard !object.state.contains(.vanished), let version = object.committed?.version else {
            return nil
        }
        if presentVersion == version { return nil }
        guard let row = try presentRow(of: object) else {
            return NSMergeConflict(
                source: object, newVersion: 0, oldVersion: Int(clamping: version),
                cachedSnapshot: nil, persistedSnapshot: nil)
        }
        if row.version == version { return nil }
        // A store that does not count versions still has the version before the last save.
        if object.state.contains(.versionAssumed), row.version + 1 == version {
            object.committed?.version = row.version
            return nil
        }
        return NSMergeConflict(
            source: object, newVersion: Int(clamping: row.version),
            oldVersion: Int(clamping: version),
            cachedSnapshot: object.snapshot(of: row), persistedSnapshot: nil)
    }

    /// The store's current row of an object; nil if it is gone.
    private func presentRow(of object: NSManagedObject) throws -> Row? {
        do {
            return try source?.row(of: object.objectID, in: self)
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            return nil
        }
    }

    /// Lets the merge policy resolve the conflicts that a store found; throws every other error.
    func resolve(_ error: CocoaError) throws {
        guard error.code == .managedObjectMerge || error.code == .managedObjectConstraintMerge,
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any],
            !conflicts.isEmpty
        else { throw error }
        // A subclass may resolve conflicts itself, whatever its type says.
        if policy.mergeType == .errorMergePolicyType, type(of: policy) == NSMergePolicy.self {
            throw error
        }
        try policy.resolve(mergeConflicts: conflicts)
    }

    /// Resolves a conflict as a policy of the given type does.
    func resolve(_ conflict: NSMergeConflict, by type: NSMergePolicyType) throws {
        let object = conflict.sourceObject
        let storeWins =
            type == .rollbackMergePolicyType
            || type == .mergeByPropertyStoreTrumpMergePolicyType
        guard let row = try presentRow(of: object) else {
            return resolveMissingRow(of: object, storeWins: storeWins)
        }
        if object.state.contains(.deleted) {
            object.committed?.version = row.version
            if storeWins {
                undelete(object)
                event.dropInsertion(of: object)
                object.materialize(row)
            }
            return
        }
        switch type {
        case .rollbackMergePolicyType:
            dropFromChanges(object)
            object.materialize(row)
        case .overwriteMergePolicyType:
            object.rebase(on: row) { _, _ in .mine }
        case .mergeByPropertyStoreTrumpMergePolicyType:
            object.rebase(on: row) { mine, theirs in mine && !theirs ? .mine : .theirs }
        default:
            object.rebase(on: row) { mine, _ in mine ? .mine : .theirs }
        }
        object.state.remove(.versionAssumed)
        event.refreshed.append(object)
        object.awake(fromSnapshotEvents: .mergePolicy)
    }

    /// Resolves a conflict with a deletion: it stands, or the object is inserted again.
    private func resolveMissingRow(of object: NSManagedObject, storeWins: Bool) {
        if object.state.contains(.deleted) || storeWins {
            dropFromChanges(object)
            object.state.insert(.vanished)
            event.deleted.append(object)
        } else {
            updated.remove(object)
            locked.remove(object)
            object.state.remove(.updated)
            object.state.formUnion([.inserted, .returning])
            object.committed = nil
            inserted.append(object)
        }
    }
}

extension NSManagedObject {
    /// The side whose value of a property a merge keeps.
    enum Side {
        case mine
        case theirs
    }

    /// Replaces the committed values with those of a newer row, and merges the current ones.
    ///
    /// - Parameters:
    ///   - row: The newer row.
    ///   - choose: Chooses the side whose value is kept, by whether it was changed here, and by
    ///     whether it was changed there.
    final func rebase(on row: Row, _ choose: (_ mine: Bool, _ theirs: Bool) -> Side) {
        let base = committed
        var merged = row
        var changed = PropertyIndexSet()
        for property in layout.properties {
            let index = property.valueIndex
            let position = layout.relationshipPositions[index]
            let mine = changedProperties.contains(index) && !isCommitted(at: index)
            let theirs = base.map { row.differs(from: $0, at: index, position) } ?? true
            guard property.isTransient || choose(mine, theirs) == .mine else { continue }
            if position < 0 {
                merged.attributes[index] = attributes[index]
            } else if !layout.relationships[position].isToMany {
                merged.relationships[position] = relationships[position]
            } else if mine || base == nil {
                merged.relationships[position] = pendingValue(at: position, since: base)
            }
            if mine || merged.differs(from: row, at: index, position) { changed.insert(index) }
        }
        attributes = merged.attributes
        relationships = merged.relationships
        replaceCommitted(by: row)
        changedProperties = changed
    }

    /// Takes the values of a row that others have made, and keeps what was set here. Destinations of to-many
    /// relationships are added to the row's.
    final func join(_ row: Row) {
        for position in relationships.indices {
            guard case .members(let members) = relationships[position] else { continue }
            relationships[position] = .pending(PendingMembers(from: ObjectSet(), to: members))
        }
        rebase(on: row) { mine, _ in mine ? .mine : .theirs }
    }

    /// The changes of a to-many relationship, ready to be applied to the store's current members.
    private func pendingValue(at position: Int, since base: Row?) -> RelationshipValue {
        guard case .members(let now) = relationships[position],
            case .members(let before)? = base?.relationships[position]
        else { return relationships[position] }
        if layout.relationships[position].isOrdered, now.hasSameMembers(as: before) {
            return .pending(PendingMembers(arrangedAs: now))
        }
        return .pending(PendingMembers(from: before, to: now))
    }

    /// The committed values, by name, as merge conflicts show them.
    final func committedSnapshot() -> [String: Any]? {
        committed.map(snapshot(of:))
    }

    /// The attributes and to-one destinations of a row by name.
    final func snapshot(of row: Row) -> [String: Any] {
        var values: [String: Any] = [:]
        for property in layout.persistentProperties {
            let position = layout.relationshipPositions[property.valueIndex]
            if position < 0 {
                values[property.name] = row.attributes[property.valueIndex].object ?? NSNull()
            } else if !layout.relationships[position].isToMany {
                values[property.name] = row.relationships[position].destinationID ?? NSNull()
            }
        }
        return values
    }
}

extension Row {
    /// Whether an attribute or a to-one relationship differs. The members of a to-many are not part
    /// of a row.
    fileprivate func differs(from other: Row, at index: Int, _ position: Int) -> Bool {
        if position < 0 {
            return !attributes[index].isEqual(to: other.attributes[index])
        }
        switch (relationships[position], other.relationships[position]) {
        case (.members, _), (_, .members), (.unresolved, _), (_, .unresolved),
            (.pending, _), (_, .pending):
            return false
        case (let left, let right):
            switch (left.destinationID, right.destinationID) {
            case (nil, nil): return false
            case (let left?, let right?): return !left.isSame(as: right)
            default: return true
            }
        }
    }
}
