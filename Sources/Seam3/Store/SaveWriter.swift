import CoreData

/// An object of a save, with the number and entity that identify its row.
struct SavedObject {
    let object: NSManagedObject
    let pk: Int64
    let entity: EntitySchema
}

/// Writes the objects of one save.
struct SaveWriter {
    let store: SMStore
    let database: StoreDatabase
    let mappings: RecordMappings
    /// Why the objects are written: by a user, or as default content.
    let cause: ChangeLayers.Cause
    private var conflicts: [NSMergeConflict] = []
    /// The objects that were written, with their new versions.
    private(set) var versions: [(pk: Int64, version: Int64)] = []
    /// The first rows that were written, for the cache.
    private(set) var rows: [ObjectRow] = []
    /// The objects whose position in an ordered relationship was written.
    var reordered: [Int64] = []
    var hasOutgoingChanges = false
    private var recordNames = RecordNames()
    /// The objects of this save that have new values under uniqueness constraints.
    var constrained = ConstrainedObjects()

    init(
        store: SMStore, database: StoreDatabase, mappings: RecordMappings,
        _ cause: ChangeLayers.Cause
    ) {
        self.store = store
        self.database = database
        self.mappings = mappings
        self.cause = cause
    }

    /// How many rows of a save are cached, so that a very large save does not need much more memory
    /// than its context.
    static let mostCachedRows = 10_000

    /// The objects that the save deletes. New objects may take over their natural keys, and other
    /// objects drop references to them.
    private(set) var toBeDeleted: Set<Int64> = []

    /// The objects that the save inserts.
    private var inserted: Set<Int64> = []
    /// Other objects that were found to exist.
    private var found: Set<Int64> = []

    /// The highest number of an object that was deleted on the server. New objects have higher
    /// ones.
    private(set) var highestDeleted: Int64 = 0
    /// Whether the store knows any record that is not present.
    private(set) var hasAbsent = false

    /// The ends of one-to-one relationships that the save has written.
    var oneToOnes = WrittenOneToOnes()
    /// The objects whose relationships were adjusted to those that the save has written.
    var corrected: [Int64] = []
    /// The deleted objects with the numbers of their entities.
    private(set) var deletedEntities: [(pk: Int64, entity: Int64)] = []
    /// The deleted objects that are still to be forgotten.
    private var unsentDeleted: [Int64] = []
    /// The objects that joined an owner whose ordered relationship the save may not write.
    var newcomers: [Newcomer.Owner: [Newcomer]] = [:]
    /// The other ends of new links, if their relationships are ordered, which the save may not write.
    var linkedEnds: Set<LinkedEnd> = []
    /// The owners whose ordered relationships the save has written.
    var orderedOwners: Set<Newcomer.Owner> = []

    mutating func begin(
        deleting deleted: Set<NSManagedObject>, inserting inserted: [SavedObject]
    ) throws {
        if !inserted.isEmpty {
            highestDeleted = try database.tombstones.highestKey()
            hasAbsent = try database.objects.hasAbsent()
        }
        toBeDeleted = Set(deleted.compactMap { store.key(of: $0.objectID) })
        self.inserted = Set(inserted.map(\.pk))
    }

    /// Whether an object exists or is inserted by the save. A context may not have merged its
    /// deletion yet.
    mutating func isPresent(_ pk: Int64) throws -> Bool {
        if inserted.contains(pk) || found.contains(pk) || store.rowCache.contains(pk) {
            return true
        }
        guard try database.objects.entry(pk)?.isPresent == true else { return false }
        found.insert(pk)
        return true
    }

    // MARK: - Objects

    /// The objects of one kind of change, sorted by number, so that rows that are adjacent in the
    /// file are written one after the other.
    func ordered(_ objects: Set<NSManagedObject>) throws -> [SavedObject] {
        try objects.map(saved).sorted { $0.pk < $1.pk }
    }

    /// An abstract entity has no record type, so other devices could not read such an object.
    private static func abstractEntity(_ saved: SavedObject) -> any Error {
        CocoaError(
            .managedObjectValidation,
            userInfo: [
                NSValidationObjectErrorKey: saved.object,
                NSLocalizedDescriptionKey:
                    "The entity \(saved.entity.name) is abstract, so the object cannot be saved. Insert an object of one of"
                    + " its subentities, or make the entity concrete in the model.",
            ])
    }

    mutating func insert(_ saved: SavedObject) throws {
        let (object, pk, entity) = (saved.object, saved.pk, saved.entity)
        if entity.description.isAbstract { throw Self.abstractEntity(saved) }
        var row = ObjectRow(pk: pk, entity: entity)
        if try isReturning(pk) {
            row.version = ObjectRow.versionOfReturned()
            corrected += try database.references.referrers(of: pk)
        }
        for attribute in entity.attributes where !attribute.isDerived {
            row.values[attribute.index] = try database.kept(
                attribute.stored(attributeValue: attribute.value(of: object)), of: attribute)
        }
        for toOne in entity.toOnes {
            let destination = try destination(of: object, toOne)
            row.values[toOne.index] = SQLiteValue(destination?.pk)
            row.setDestination(destination?.entity, of: toOne)
            note(toOne, of: row, old: nil, destination)
        }
        let undone = try undoneDeletion(by: row)
        let takenName = try addEntry(of: row)
        try adoptPartners(&row)
        try database.rows.insert(row)
        if let mapping = mappings.mapping(of: entity) {
            try noteInsertion(of: row, mapping, undoing: undone)
            hasOutgoingChanges = true
        }
        noteWritten(row)
        constrained.note(object, row, naturalName: takenName)
    }

    /// - Returns: The record name of its natural key, if another object has it.
    private mutating func addEntry(of row: ObjectRow) throws -> String? {
        guard let name = mappings.mapping(of: row.entity)?.naturalKey?.recordName(of: row) else {
            try addEntryWithoutKey(of: row)
            return nil
        }
        // The links of a deleted object have the same names as those of the new object, and are
        // removed first.
        if !toBeDeleted.isEmpty, let entry = try database.objects.entry(named: name),
            toBeDeleted.contains(entry.pk),
            let entity = database.schema.entity(number: entry.entity)
        {
            try removeLinks(of: entry.pk, entity)
        }
        let (isNamed, referrers) = try database.objects.insert(
            row.pk, entity: row.entity.number, naturalName: name,
            otherName: recordNames.next(), isBeingDeleted: toBeDeleted.contains)
        reordered += referrers
        return isNamed ? nil : name
    }

    /// Restores an object that its context still had when it was deleted.
    private mutating func addEntryWithoutKey(of row: ObjectRow) throws {
        guard let former = try formerRecordName(of: row.pk),
            try database.objects.entry(named: former).map({ $0.pk == row.pk }) ?? true
        else {
            return try database.objects.insert(
                row.pk, entity: row.entity.number, recordName: recordNames.next())
        }
        try database.objects.insert(row.pk, entity: row.entity.number, recordName: former)
        try database.objects.setSent(true, row.pk)
        try database.tombstones.remove(former)
    }

    /// Writes the differences from the row version that the object was read at. Core Data's
    /// `changedValues` misses primitive values, and writing all values would clear references to
    /// records that have not arrived.
    mutating func update(_ saved: SavedObject) throws {
        guard let old = try currentRow(of: saved) else { return }
        let (object, entity) = (saved.object, old.entity)
        var row = old
        var columns: [Int] = []
        var base = PropertyValues()
        var released: Set<String> = []
        for attribute in entity.attributes where !attribute.isDerived {
            let value = attribute.value(of: object)
            let stored = try attribute.stored(attributeValue: value)
            let oldStored = old.values[attribute.index]
            if try attribute.isSame(
                value, stored: stored, as: database.inlined(oldStored, of: attribute))
            {
                continue
            }
            row.values[attribute.index] = try database.kept(stored, of: attribute)
            columns.append(attribute.index)
            base[attribute.name] = oldStored
        }
        for toOne in entity.toOnes where Self.mayHaveChanged(toOne.name, of: object) {
            let destination = try destination(of: object, toOne)
            let former = old.values[toOne.index].integer
            let isInserted = former.map(inserted.contains) ?? false
            guard destination?.pk != (isInserted ? former : old.destination(toOne)?.pk),
                // The context may not have merged the deletion of the destination yet,
                destination == nil || destination?.pk != former,
                // or its arrival.
                destination != nil || isInserted || isSetToNil(toOne, of: object, from: former)
            else { continue }
            row.values[toOne.index] = SQLiteValue(destination?.pk)
            row.setDestination(destination?.entity, of: toOne)
            columns.append(toOne.index)
            note(toOne, of: row, old: former, destination)
            base[toOne.name] = SQLiteValue(
                try former.flatMap(database.objects.recordNameForReference))
            if destination == nil, let former, toBeDeleted.contains(former) {
                released.insert(toOne.name)
            }
        }
        try write(&row, over: old, columns: columns)
        let mapping = mappings.mapping(of: entity)
        constrained.note(
            object, row, changedAt: columns,
            naturalName: mapping?.naturalKey.flatMap {
                $0.hasColumn(among: columns) ? $0.recordName(of: row) : nil
            })
        if let mapping {
            base.values = base.values.filter { mapping.propertyNames.contains($0.key) }
            if !base.values.isEmpty {
                // Dropping a reference to an object that the save deletes is not an edit by a user.
                try database.outbox.noteUpdate(
                    row.pk, base, cause, following: released, .deletion
                ) {
                    Self.has(row, $0, $1)
                }
                hasOutgoingChanges = true
            }
        }
    }

    /// Whether the context has removed a destination. Otherwise it has none, because it read the object before
    /// the destination's record arrived.
    private func isSetToNil(
        _ toOne: ToOneColumn, of object: NSManagedObject, from former: Int64?
    ) -> Bool {
        if let former, toBeDeleted.contains(former) { return true }
        guard let committed = object.committedDestinations(of: toOne.name) else {
            return object.changedValues()[toOne.name] != nil
        }
        return !committed.isEmpty
    }

    /// Whether a relationship must be compared. A relationship that was just set may count as a
    /// fault, too, if its destination is one.
    static func mayHaveChanged(_ relationship: String, of object: NSManagedObject) -> Bool {
        !object.hasFault(forRelationshipNamed: relationship)
            || object.changedValues()[relationship] != nil
    }

    /// Whether an attribute has a value, or a to-one relationship has none. A relationship's
    /// destination may still be waiting to be sent although it has not changed.
    private static func has(_ row: ObjectRow, _ name: String, _ value: SQLiteValue) -> Bool {
        if let attribute = row.entity.attribute(named: name) {
            return row.values[attribute.index] == value
        }
        guard value.isNull, let toOne = row.entity.toOne(named: name) else { return false }
        return row.values[toOne.index].isNull
    }

    /// Raises the version of an object for which the context requested conflict detection.
    mutating func touch(_ saved: SavedObject) throws {
        guard let old = try currentRow(of: saved) else { return }
        var row = old
        try write(&row, over: old, columns: [])
    }

    private mutating func write(
        _ row: inout ObjectRow, over old: ObjectRow, columns: [Int]
    ) throws {
        row.version = ObjectRow.version(after: old.version)
        _ = try database.rows.update(row, columnsAt: columns, expectedVersion: old.version)
        noteWritten(row)
    }

    private mutating func noteWritten(_ row: ObjectRow) {
        versions.append((row.pk, row.version))
        if rows.count < Self.mostCachedRows { rows.append(row) }
    }

    mutating func delete(_ saved: SavedObject) throws {
        guard let old = try currentRow(of: saved) else { return }
        try removeLinks(of: old.pk, old.entity)
        let mapping = mappings.mapping(of: old.entity)
        let values = try mapping.map { try database.fields(of: old, $0) }
        _ = try database.rows.delete(old.pk, of: old.entity, expectedVersion: old.version)
        if mapping != nil {
            let wasSent = try database.outbox.noteDeletionIfSent(
                old.pk, entity: old.entity.number, values: values)
            if !wasSent { unsentDeleted.append(old.pk) }
            hasOutgoingChanges = true
        } else {
            try database.objects.remove(old.pk)
        }
        deletedEntities.append((old.pk, old.entity.number))
    }

    /// Forgets the deleted objects that the server cannot have seen, after all objects of the save are deleted.
    mutating func forgetUnsent() throws {
        for pk in unsentDeleted { try database.objects.forget(pk) }
        unsentDeleted = []
    }

    // MARK: - Values

    private func saved(_ object: NSManagedObject) throws -> SavedObject {
        let objectID = object.objectID
        guard let pk = store.key(of: objectID) else { throw SMStore.missingRow(objectID) }
        return SavedObject(
            object: object, pk: pk, entity: try store.entity(of: objectID, in: database))
    }

    /// The destination of a to-one relationship; nil if it is deleted.
    ///
    /// - Throws: Core Data's error for a missing mandatory property if a required destination is
    ///   deleted.
    private mutating func destination(
        of object: NSManagedObject, _ toOne: ToOneColumn
    ) throws -> (pk: Int64, entity: EntitySchema)? {
        guard let place = toOne.place, let id = object.destinationID(at: place) else {
            return nil
        }
        guard let pk = store.key(of: id) else {
            throw SMStoreError.missingRelatedObject(
                entity: object.entity.name ?? "", property: toOne.name)
        }
        if try isPresent(pk) { return (pk, try store.entity(of: id, in: database)) }
        guard toOne.relationship.isOptional else {
            throw CocoaError.missingProperty(
                toOne.name, of: object.entity.name ?? "", object: object)
        }
        return nil
    }

    // MARK: - Conflicts

    /// The row of an object, if it still has the version that was last vended; otherwise a conflict
    /// is noted.
    private mutating func currentRow(of saved: SavedObject) throws -> ObjectRow? {
        // What Apple's frameworks do here is an assumption: CD-13.
        let (object, pk, entity) = (saved.object, saved.pk, saved.entity)
        let vended = store.rowCache.vendedVersion(pk)
        let cached = try store.rowCache.row(pk).map { try store.stored($0, in: database) }
        guard let row = try cached ?? database.rows.row(pk, of: entity) else {
            conflicts.append(
                NSMergeConflict(
                    source: object, newVersion: 0, oldVersion: Int(clamping: vended ?? 1),
                    cachedSnapshot: nil, persistedSnapshot: nil))
            return nil
        }
        guard vended == nil || vended == row.version else {
            conflicts.append(
                NSMergeConflict(
                    source: object, newVersion: Int(clamping: row.version),
                    oldVersion: Int(clamping: vended ?? 1),
                    cachedSnapshot: store.snapshot(of: row, in: database),
                    persistedSnapshot: nil))
            return nil
        }
        return row
    }

    func checkConflicts() throws {
        // What Apple's frameworks do here is an assumption: CD-1.
        guard !conflicts.isEmpty else { return }
        for conflict in conflicts {
            // The context resolves the conflict against the file's current row.
            if let pk = store.key(of: conflict.sourceObject.objectID) {
                store.rowCache.invalidate([pk])
            }
        }
        throw CocoaError(
            .managedObjectMerge,
            userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
    }
}
