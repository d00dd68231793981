import CoreData

/// Saving: one transaction of rows, relationships and outbox.
@nonobjc extension SMStore {
    /// Executes a save.
    ///
    /// - Parameters:
    ///   - request: The objects.
    ///   - context: Their context.
    /// - Returns: Whether there is something new for the server.
    /// - Throws: 133020 with the conflicts if an object has been changed elsewhere, 133021 with
    ///   the conflicts if a uniqueness constraint is violated,
    ///   ``SMStoreError/unreadObjectDeleted(entity:)`` if an object counts as deleted that could not be read.
    func executeSave(
        _ request: NSSaveChangesRequest, with context: NSManagedObjectContext?
    ) throws -> Bool {
        // What Apple's frameworks do here is an assumption: CD-11.
        let database = try database()
        // Each set is read only once because it may be large.
        let (inserted, updated) = (request.insertedObjects ?? [], request.updatedObjects ?? [])
        let (deleted, locked) = (request.deletedObjects ?? [], request.lockedObjects ?? [])
        let isEmpty = [inserted, updated, deleted, locked].allSatisfy(\.isEmpty)
        guard let mappings, !isEmpty || changedMetadata != nil else { return false }
        try refuseUnread(deleted, in: context)
        database.historyWriter?.note(context)
        var writer = SaveWriter(
            store: self, database: database, mappings: mappings, .init(of: context))
        var newMetadata: NSDictionary?
        let (_, changes) = try database.write { changes in
            try dropStaleRows(database)
            // Only other objects of the save can take over a deleted object's natural key, or drop
            // references to it.
            let makingWay = inserted.isEmpty && updated.isEmpty ? [] : deleted
            let inserted = try writer.ordered(inserted)
            try writer.begin(deleting: makingWay, inserting: inserted)
            let updated = try writer.ordered(updated)
            for object in updated { writer.readOrders(of: object) }
            for object in inserted { try autoreleasepool { try writer.insert(object) } }
            for object in updated { try autoreleasepool { try writer.update(object) } }
            for object in try writer.ordered(locked) { try writer.touch(object) }
            for object in inserted {
                try autoreleasepool { try writer.writeToManys(of: object, isInserted: true) }
            }
            for object in updated {
                try autoreleasepool { try writer.writeToManys(of: object, isInserted: false) }
            }
            try writer.placeNewcomers()
            try writer.placeLinks()
            for object in try writer.ordered(deleted) {
                try autoreleasepool { try writer.delete(object) }
            }
            try writer.forgetUnsent()
            try writer.settleOneToOnes()
            try writer.releaseReferrers()
            try writer.checkConflicts()
            try writer.constrained.check(in: database, of: self, for: context)
            // The reordering changed their rows after they were cached.
            changes.updated.formUnion(writer.reordered)
            changes.updated.formUnion(writer.corrected)
            newMetadata = changedMetadata
            if let metadata, newMetadata != nil { try StoreFile.write(metadata, to: database) }
        }
        if let newMetadata { savedMetadata = newMetadata }
        hasNewMetadata = false
        // An index set cannot have `NSNotFound`, which a file from elsewhere can.
        for (pk, _) in writer.deletedEntities where pk < .max { deletedKeys.insert(Int(pk)) }
        rowCache.invalidate(writer.deletedEntities.map(\.pk))
        rowCache.noteSaved(writer.versions, rows: writer.rows)
        rowCache.invalidate(changes.keys)
        // These are not part of the save, so no notification of it names them.
        if !writer.corrected.isEmpty {
            var corrected = StoreChanges()
            corrected.updated.formUnion(writer.corrected)
            mergeIntoContexts(corrected)
        }
        return writer.hasOutgoingChanges
    }

    /// The metadata, if it differs from the file's.
    private var changedMetadata: NSDictionary? {
        guard hasNewMetadata, let metadata else { return nil }
        let current = NSDictionary(dictionary: metadata)
        return current == savedMetadata ? nil : current
    }
}

extension NSSaveChangesRequest {
    /// Whether the save contains no objects.
    var isOfMetadataOnly: Bool {
        let sets = [insertedObjects, updatedObjects, deletedObjects]
        return sets.allSatisfy { $0?.isEmpty ?? true }
    }
}

extension ChangeLayers.Cause {
    /// Why a context writes: it contains edits of a user, or default content.
    init(of context: NSManagedObjectContext?) {
        self = context?.transactionAuthor == SMStore.seedAuthor ? .other : .edit
    }
}
