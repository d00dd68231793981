import FoundationGaps

/// The migration of a store to another one, while contexts have its objects.
extension NSManagedObjectContext {
    /// Gives the objects of this context and its children their new IDs: now if the caller is on the
    /// queue, else in a block of the queue.
    ///
    /// A context that is used before its block runs follows by itself; see ``followStoreMoves()``.
    ///
    /// - Parameter followers: The blocks that have not run.
    func follow(_ move: StoreMove, _ followers: DispatchGroup) {
        for reference in children.withLock({ $0 }) { reference.context?.follow(move, followers) }
        storeMoves.withLock { $0.append(move) }
        guard concurrencyType != .confinementConcurrencyType, !isOnQueue else {
            followStoreMoves()
            return
        }
        followers.enter()
        queue.async { [weak self] in
            if let self { runEvent { _ = self.followStoreMoves() } }
            followers.leave()
        }
    }

    /// Gives the objects the IDs that they have since their stores were migrated.
    ///
    /// - Returns: Whether a store was migrated since the last call.
    @discardableResult
    func followStoreMoves() -> Bool {
        let moves = storeMoves.withLock { moves in
            defer { moves = [] }
            return moves
        }
        for move in moves { apply(move) }
        return !moves.isEmpty
    }

    private func apply(_ move: StoreMove) {
        unregisterDeallocatedObjects()
        indexInsertions()
        reachableStore = nil
        readAhead.removeAll()
        for (object, store) in assignedStores where store.reference === move.old {
            assignedStores[object] = move.new
        }
        for (temporary, objectID) in permanentIDsByTemporaryID {
            if let objectID = move.objectID(for: objectID) {
                permanentIDsByTemporaryID[temporary] = objectID
            }
        }
        mergedDeletions = mergedDeletions.map { key in
            move.objectID(for: key.objectID).map { .init($0) } ?? key
        }
        awaitedMerge.withLock { $0 = $0?.moved(by: move) }
        collectingRegistrations {
            for object in registry.objects { self.move(object, by: move) }
        }
    }

    private func move(_ object: NSManagedObject, by move: StoreMove) {
        object.moveDestinations(by: move)
        let oldID = object.objectID
        // If the store gives no ID, the next save reports that the object has none.
        let unsavedID =
            object.state.contains(.inserted) ? try? move.objectID(forUnsaved: object) : nil
        guard let objectID = unsavedID ?? move.objectID(for: oldID) else { return }
        rename(object, to: objectID)
        if let version = object.committed?.version {
            object.committed?.version = move.version(version, of: oldID)
        }
        object.state.subtract([.knownToStore, .versionAssumed])
        if !object.state.contains(.inserted) { noteKnownToStore(object) }
    }
}

extension NSManagedObject {
    /// Replaces the IDs of destinations that were not used yet by those that they have now.
    fileprivate final func moveDestinations(by move: StoreMove) {
        for position in relationships.indices {
            if let value = move.moved(relationships[position]) { relationships[position] = value }
        }
        guard let committed = committed?.relationships else { return }
        for (position, value) in committed.enumerated() {
            guard let value = move.moved(value) else { continue }
            self.committed?.relationships[position] = value
        }
    }
}

extension MergeableChanges {
    /// The changes of the same objects in the store that they were moved to.
    fileprivate func moved(by move: StoreMove) -> MergeableChanges {
        map { move.objectID(for: $0) ?? $0 }
    }
}
