import CoreData

/// The objects of a save that have new values under uniqueness constraints.
///
/// They are checked after the save has written all rows and deleted its objects. An object is not
/// checked if its values under a constraint have not changed: a violation that the file already
/// contains, or that another device has sent, must not block other edits.
struct ConstrainedObjects {
    fileprivate struct Candidate {
        let object: NSManagedObject
        let pk: Int64
        let entity: EntitySchema
        /// The constraint's index among those of the entity. An index instead of the constraint,
        /// and no row, because there may be very many candidates.
        let index: Int
        /// The record name of its natural key, if another object may have that record.
        let naturalName: String?

        var constraint: UniquenessConstraint { entity.constraints[index] }

        /// Distinguishes the constraint from those of other tables.
        var key: String { "\(entity.table.name) \(constraint.name)" }
    }

    private var candidates: [Candidate] = []

    /// Notes an inserted or changed object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - row: Its row as it was written.
    ///   - columns: The indexes of the columns that changed; nil for all.
    ///   - naturalName: The record name of its natural key, if another object may have that record.
    mutating func note(
        _ object: NSManagedObject, _ row: ObjectRow, changedAt columns: [Int]? = nil,
        naturalName: String? = nil
    ) {
        for (index, constraint) in row.entity.constraints.enumerated() {
            if let columns, Set(columns).isDisjoint(with: constraint.indexes) { continue }
            guard !constraint.indexes.contains(where: { row.values[$0].isNull }) else { continue }
            candidates.append(
                Candidate(
                    object: object, pk: row.pk, entity: row.entity, index: index,
                    naturalName: constraint.isNaturalKey ? naturalName : nil))
        }
    }

    /// Checks all noted objects.
    ///
    /// - Parameters:
    ///   - database: The store's connection, in the save's transaction.
    ///   - store: The store.
    ///   - context: The context that saves.
    /// - Throws: 133021 with an `NSConstraintConflict` for each set of equal values.
    func check(
        in database: StoreDatabase, of store: SMStore, for context: NSManagedObjectContext?
    ) throws {
        var violations: [(Candidate, others: [Int64])] = []
        for candidate in candidates {
            var others = try database.keys(sharing: candidate.constraint, with: candidate.pk)
            if others.isEmpty, let name = candidate.naturalName, let mappings = store.mappings,
                let holder = try database.key(naturallyNamed: name, mappings),
                holder != candidate.pk
            {
                others = [holder]
            }
            if !others.isEmpty { violations.append((candidate, others)) }
        }
        guard !violations.isEmpty else { return }
        var saved: [String: [Int64: NSManagedObject]] = [:]
        for candidate in candidates {
            saved[candidate.key, default: [:]][candidate.pk] = candidate.object
        }
        var conflicts: [NSConstraintConflict] = []
        var told: [String: Set<Int64>] = [:]
        for (candidate, others) in violations
        where told[candidate.key]?.contains(candidate.pk) != true {
            let inSave = saved[candidate.key] ?? [:]
            let conflicting = [candidate.object] + others.compactMap { inSave[$0] }
            told[candidate.key, default: []].formUnion(others.filter { inSave[$0] != nil })
            conflicts.append(
                try conflict(
                    candidate.constraint, conflicting,
                    with: others.first { inSave[$0] == nil }, in: database, of: store,
                    for: context))
        }
        throw Self.error(conflicts)
    }

    private func conflict(
        _ constraint: UniquenessConstraint, _ conflicting: [NSManagedObject], with pk: Int64?,
        in database: StoreDatabase, of store: SMStore, for context: NSManagedObjectContext?
    ) throws -> NSConstraintConflict {
        var databaseObject: NSManagedObject?
        var snapshot: [String: Any]?
        if let pk, let entry = try database.objects.entry(pk),
            let entity = database.schema.entity(number: entry.entity)
        {
            databaseObject = context?.object(with: store.objectID(pk, entity))
            snapshot = try database.rows.row(pk, of: entity).map {
                store.snapshot(of: $0, in: database)
            }
        }
        return NSConstraintConflict(
            constraint: constraint.keys, database: snapshot == nil ? nil : databaseObject,
            databaseSnapshot: databaseObject == nil ? nil : snapshot, conflicting: conflicting,
            conflictingSnapshots: conflicting.map(Self.snapshot))
    }

    /// The attributes and to-one destinations of an object that is being saved, with `NSNull` for
    /// nil.
    private static func snapshot(of object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            values[name] = object.value(forKey: name) ?? NSNull()
        }
        for (name, relationship) in object.entity.relationshipsByName
        where !relationship.isTransient && !relationship.isToMany {
            values[name] = object.objectIDs(forRelationshipNamed: name).first ?? NSNull()
        }
        return values
    }

    /// Core Data's error for violated constraints.
    static func error(_ conflicts: [NSConstraintConflict]) -> any Error {
        let sentences = conflicts.map { conflict in
            let entity = (conflict.conflictingObjects.first ?? conflict.databaseObject)?.entity.name
            return " Objects of \(entity ?? "an entity") have the same"
                + " \(conflict.constraint.joined(separator: ", "))."
        }
        return CocoaError(
            .managedObjectConstraintMerge,
            userInfo: [
                NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSLocalizedDescriptionKey: "Could not merge changes." + sentences.joined(),
            ])
    }
}
