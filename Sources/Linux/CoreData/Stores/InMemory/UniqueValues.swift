import FoundationGaps

/// The values in an in-memory store that its uniqueness constraints allow only once.
struct UniqueValues {
    /// The values of one object under one constraint.
    struct Identity: Hashable {
        /// The names of the entity that declares the constraint, and of its attributes.
        let constraint: [String]
        let values: [AnyHashable]

        /// The names of the attributes.
        var names: [String] { Array(constraint.dropFirst()) }
    }

    /// A constraint of an entity, or one that it inherits.
    private struct Constraint {
        let names: [String]
        let indexes: [Int]
    }

    private var owners: [Identity: NSManagedObjectID] = [:]
    private var constraints: [ObjectIdentifier: [Constraint]] = [:]

    /// The saved object that has values; nil if there is none.
    func owner(of identity: Identity) -> NSManagedObjectID? { owners[identity] }

    /// The values of an object under its constraints. Nil equals nothing.
    mutating func identities(
        of entity: NSEntityDescription, _ attributes: [AttributeValue]
    ) -> [Identity] {
        constraints(of: entity).compactMap { constraint in
            let values = constraint.indexes.compactMap { index in
                attributes.indices.contains(index) ? attributes[index].hashableValue : nil
            }
            guard values.count == constraint.indexes.count else { return nil }
            return Identity(constraint: constraint.names, values: values)
        }
    }

    /// Replaces the values that saved objects had by those that they have now.
    mutating func replace(_ old: [Identity], by new: [(Identity, NSManagedObjectID)]) {
        for identity in old { owners[identity] = nil }
        for (identity, objectID) in new { owners[identity] = objectID }
    }

    private mutating func constraints(of entity: NSEntityDescription) -> [Constraint] {
        if let known = constraints[ObjectIdentifier(entity)] { return known }
        let line = sequence(first: entity) { $0.superentity }
        let found = line.flatMap { owner in
            owner.uniquenessConstraints.compactMap { properties -> Constraint? in
                let names = properties.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
                let indexes = names.compactMap { entity.attributesByName[$0]?.valueIndex }
                guard !names.isEmpty, indexes.count == names.count else { return nil }
                return Constraint(names: [owner.name ?? ""] + names, indexes: indexes)
            }
        }
        constraints[ObjectIdentifier(entity)] = found
        return found
    }
}

extension AttributeValue {
    /// The value, of which equal ones are equal under a constraint; nil for nil.
    fileprivate var hashableValue: AnyHashable? {
        // Swift's strings are also equal if they encode a character differently.
        if case .string(let string) = self { return Array(string.utf8) }
        return object as? AnyHashable
    }
}

extension InMemoryStore {
    /// Notes the values of a save that must be unique.
    ///
    /// - Throws: `CocoaError.managedObjectConstraintMerge` with the conflicts if another saved
    ///   object has them, or several objects of the save. Nothing is noted then.
    func claimUniqueValues(
        of request: NSSaveChangesRequest, for context: NSManagedObjectContext?
    ) throws {
        let written = (request.inserted?.objects ?? []) + (request.updated?.objects ?? [])
        let changed = written + (request.deleted?.objects ?? [])
        var groups: [(identity: UniqueValues.Identity, objects: [NSManagedObject])] = []
        var positions: [UniqueValues.Identity: Int] = [:]
        for object in written {
            for identity in uniqueValues.identities(of: object.entity, object.attributes) {
                if let position = positions[identity] {
                    groups[position].objects.append(object)
                } else {
                    positions[identity] = groups.count
                    groups.append((identity, [object]))
                }
            }
        }
        let changedIDs = Set(changed.map(\.objectID))
        let conflicts = groups.compactMap { identity, objects -> NSConstraintConflict? in
            let owner = uniqueValues.owner(of: identity).flatMap { owner in
                changedIDs.contains(owner) ? nil : owner
            }
            guard owner != nil || objects.count > 1 else { return nil }
            return conflict(identity.names, objects, with: owner, for: context)
        }
        guard conflicts.isEmpty else {
            throw CocoaError(
                .managedObjectConstraintMerge,
                userInfo: [
                    NSPersistentStoreSaveConflictsErrorKey: conflicts,
                    NSLocalizedDescriptionKey: "Could not merge changes.",
                ])
        }
        let old = changed.compactMap { table.row($0.objectID) }.flatMap { row in
            uniqueValues.identities(of: row.objectID.entity, row.attributes)
        }
        uniqueValues.replace(
            old,
            by: groups.compactMap { identity, objects in
                objects.first.map { (identity, $0.objectID) }
            })
    }

    private func conflict(
        _ names: [String], _ objects: [NSManagedObject], with owner: NSManagedObjectID?,
        for context: NSManagedObjectContext?
    ) -> NSConstraintConflict {
        let saved = owner.flatMap { owner in context?.object(with: owner) }
        let row = owner.flatMap { table.row($0) }
        let snapshot = saved.flatMap { saved in row.map { saved.snapshot(of: $0.values) } }
        return NSConstraintConflict(
            constraint: names, database: snapshot == nil ? nil : saved,
            databaseSnapshot: snapshot, conflicting: objects,
            conflictingSnapshots: objects.map { object in
                object.snapshot(
                    of: Row(
                        attributes: object.attributes, relationships: object.relationships,
                        version: 0))
            })
    }
}
