import FoundationGaps

/// Reading the rows of many faults at once: batches of a fetch, and prefetched relationships.
extension NSManagedObjectContext {
    // MARK: - Firing

    /// The row for a fault: read ahead, or read now together with its batch.
    func takeRowReadAhead(for objectID: NSManagedObjectID) throws -> Row? {
        guard !readAhead.isEmpty, stalenessInterval != 0 else { return nil }
        removeOutdatedRows()
        let key = NSManagedObjectID.Key(objectID)
        let batch = readAhead.batches[key]
        if let batch, !isFresh(readAhead.rows[key]) {
            try read(batch, for: objectID)
        }
        readAhead.batches[key] = nil
        guard let taken = readAhead.rows.removeValue(forKey: key), isFresh(taken) else {
            return nil
        }
        return resolved(taken, of: objectID.entity.layout)
    }

    /// Drops rows that were read ahead if others have saved since.
    private func removeOutdatedRows() {
        let isOutdated = readAheadIsOutdated.withLock { isOutdated in
            defer { isOutdated = false }
            return isOutdated
        }
        if isOutdated { readAhead.removeRows() }
    }

    /// Whether a row may still be used, by the context's staleness interval.
    private func isFresh(_ ahead: RowReadAhead?) -> Bool {
        guard let ahead else { return false }
        guard stalenessInterval >= 0 else { return true }
        return ProcessInfo.processInfo.systemUptime - ahead.readingTime < stalenessInterval
    }

    /// A row with its prefetched destinations as objects, which keep their own rows.
    private func resolved(_ ahead: RowReadAhead, of layout: EntityLayout) -> Row {
        var row = ahead.row
        for (position, objectIDs) in ahead.destinations {
            let objects = objectIDs.map { object(with: $0) }
            if layout.relationships[position].isToMany {
                row.relationships[position] = .members(ObjectSet(objects))
            } else if let object = objects.first {
                row.relationships[position] = .object(object)
            }
            for object in objects { keep(ahead.related[.init(object.objectID)], for: object) }
        }
        return row
    }

    /// Keeps a row for an object that is a fault.
    private func keep(_ ahead: RowReadAhead?, for object: NSManagedObject) {
        guard let ahead, object.isFault else { return }
        readAhead.rows[.init(object.objectID)] = ahead
    }

    // MARK: - Batches

    /// Makes the results of a fetch read their rows in batches, when needed.
    func formBatches(
        of objects: [NSManagedObject], for request: NSFetchRequest<any NSFetchRequestResult>
    ) {
        var start = 0
        while start < objects.count {
            let end = min(start.addingWithinBounds(request.fetchBatchSize), objects.count)
            let faults = objects[start..<end].filter(\.isFault).map(\.objectID)
            let batch = FetchBatch(faults, of: request)
            for objectID in faults { readAhead.batches[.init(objectID)] = batch }
            start = end
        }
    }

    /// Reads the rows of the objects in a batch that are still faults, and sets their values unless
    /// the request wants faults.
    private func read(_ batch: FetchBatch, for objectID: NSManagedObjectID) throws {
        let faults = batch.objectIDs.compactMap { objectID -> NSManagedObject? in
            guard let object = registry.object(for: objectID), object.isFault else {
                return nil
            }
            return object
        }
        try readRows(of: faults.map(\.objectID), as: batch.request)
        if let paths = batch.request.relationshipKeyPathsForPrefetching {
            try prefetch(paths, for: faults, as: batch.request)
        }
        guard !batch.request.returnsObjectsAsFaults else { return }
        for object in faults where !object.objectID.isSame(as: objectID) { object.fireFault() }
    }

    /// Reads rows ahead. The store is told all of them first, so that it can read them at once.
    func readRows(
        of objectIDs: [NSManagedObjectID], as request: NSFetchRequest<any NSFetchRequestResult>
    ) throws {
        guard let source, !objectIDs.isEmpty else { return }
        source.prepareRows(of: objectIDs, as: request, in: self)
        for objectID in objectIDs {
            readAhead.rows[.init(objectID)] = try rowAhead(of: objectID, from: source)
        }
    }

    /// A row of the source; nil if there is none.
    private func rowAhead(
        of objectID: NSManagedObjectID, from source: any RowSource
    ) throws -> RowReadAhead? {
        do {
            return RowReadAhead(try source.row(of: objectID, in: self))
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            return nil
        }
    }
}

// MARK: - Relationships

extension NSManagedObjectContext {
    /// The position reached along a path of relationships.
    private enum Step {
        /// An object with its values in memory.
        case object(NSManagedObject)
        /// A fault, whose row was read ahead.
        case fault(NSManagedObjectID, RowReadAhead)
    }

    /// Reads the rows along relationship key paths from some objects, unless the source has done so
    /// in the fetch.
    func prefetch(
        _ paths: [String], for objects: [NSManagedObject],
        as request: NSFetchRequest<any NSFetchRequestResult>
    ) throws {
        guard let source, !source.readsRelationshipsAhead(for: request) else { return }
        for path in paths {
            let names = path.split(separator: ".").map(String.init)
            var steps = try objects.compactMap { object -> Step? in
                guard object.isFault else { return .object(object) }
                let key = NSManagedObjectID.Key(object.objectID)
                guard
                    let row = try readAhead.rows[key]
                        ?? rowAhead(of: object.objectID, from: source)
                else { return nil }
                readAhead.rows[key] = row
                return .fault(object.objectID, row)
            }
            for name in names { steps = try follow(name, from: steps, source) }
        }
    }

    /// Follows one relationship from each position, and reads each destination once.
    private func follow(
        _ name: String, from steps: [Step], _ source: any RowSource
    ) throws -> [Step] {
        var next: [Step] = []
        var rows: [NSManagedObjectID.Key: RowReadAhead] = [:]
        var visited = Set<NSManagedObjectID.Key>()
        for step in steps {
            for objectID in try destinations(of: step, along: name, source) {
                let key = NSManagedObjectID.Key(objectID)
                if let object = registry.object(for: objectID), !object.isFault {
                    if visited.insert(key).inserted { next.append(.object(object)) }
                    continue
                }
                guard let row = try rows[key] ?? rowAhead(of: objectID, from: source) else {
                    continue
                }
                rows[key] = row
                if visited.insert(key).inserted { next.append(.fault(objectID, row)) }
                switch step {
                case .object: keep(row, for: object(with: objectID))
                case .fault(_, let ahead): ahead.related[key] = row
                }
            }
        }
        return next
    }

    /// The destinations of a relationship from one position; none if its entity lacks the
    /// relationship.
    private func destinations(
        of step: Step, along name: String, _ source: any RowSource
    ) throws -> [NSManagedObjectID] {
        switch step {
        case .object(let object):
            guard object.layout.relationshipsByName[name] != nil else { return [] }
            return object.objectIDs(forRelationshipNamed: name)
        case .fault(let objectID, let ahead):
            let layout = objectID.entity.layout
            guard let relationship = layout.relationshipsByName[name] else { return [] }
            let position = layout.relationshipPositions[relationship.valueIndex]
            if let known = ahead.destinations[position] { return known }
            let objectIDs =
                relationship.isToMany
                ? try source.destinationIDs(of: relationship, from: objectID, in: self)
                : ahead.row.relationships[position].destinationID.map { [$0] } ?? []
            ahead.destinations[position] = objectIDs
            return objectIDs
        }
    }
}
