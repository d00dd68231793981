import CoreData

/// Which changes no user has made: they follow from deletions, or from changes of other objects.
extension StoreDatabase {
    /// Whether another device may have removed a reference of a changed object because of its destination.
    func mayBeReleased(
        _ relationship: String, leadingTo recordName: String, _ pending: OutboxEntry,
        _ mapping: RecordMapping, _ deletions: Set<String>
    ) throws -> Bool {
        try mayBeKnownAsDeleted(recordName, deletions)
            || isTaken(recordName, from: pending.pk, relationship, mapping)
    }

    /// Whether the former destination of an object's one-to-one relationship has another owner here, of which
    /// another device may know. Setting that owner has removed it from the object.
    private func isTaken(
        _ recordName: String, from pk: Int64, _ relationship: String, _ mapping: RecordMapping
    ) throws -> Bool {
        guard let column = mapping.entity.toOne(named: relationship),
            column.relationship.inverseRelationship?.isToMany == false,
            let target = try objects.entry(named: recordName)
        else { return false }
        return try references.keysPointing(column, in: mapping.entity.table, at: target.pk)
            .contains { try $0 != pk && !isOnlySetHere(relationship, of: $0) }
    }

    /// Whether no other device can know the present value of an object's property.
    private func isOnlySetHere(_ name: String, of pk: Int64) throws -> Bool {
        guard let pending = try outbox.entry(of: pk), pending.isUnsent else { return false }
        switch pending.kind {
        case .insert: return !pending.wasSent
        case .update: return pending.changes.edits().contains(name)
        case .delete: return false
        }
    }

    /// Whether other devices may know that a record is deleted, and may have removed references to
    /// it: its deletion has arrived here, perhaps without removing the object, or was sent from here.
    ///
    /// - Parameter deletions: The names of the records whose deletions have just arrived.
    func mayBeKnownAsDeleted(_ recordName: String, _ deletions: Set<String>) throws -> Bool {
        if deletions.contains(recordName) { return true }
        let entry = try objects.entry(named: recordName)
        if let entry, entry.isPresent {
            guard entry.wasSent, entry.systemFields == nil else { return false }
            return try outbox.entry(of: entry.pk)?.kind == .insert
        }
        if let entry, entry.isDeleted, let deletion = try outbox.entry(of: entry.pk),
            deletion.mayBeDeleted
        {
            return true
        }
        return try tombstones.contains(recordName)
    }

    /// Whether a record lacks a reference that the locally changed object has or had, or with which it was sent. A
    /// deletion that has not arrived yet may have removed it, or another object may have become the owner of its
    /// destination.
    func mayFollowDeletion(
        _ received: ReceivedRecord, _ pending: OutboxEntry, _ deletions: Set<String>
    ) throws -> Bool {
        let mapping = received.mapping
        let missing = mapping.references.map(\.column.name).filter { name in
            received.fields[name].isNull && !mapping.derivedNames.contains(name)
        }
        guard !missing.isEmpty else { return false }
        let row = try rows.row(pending.pk, of: mapping.entity)
        let local = try row.map { try fields(of: $0, mapping) } ?? PropertyValues()
        return try missing.contains { name in
            let known =
                pending.changes.values(of: name) + [local[name]]
                + pending.requests.map { $0.held[name] }
            return try Set(known.compactMap(\.text)).contains {
                try !mayBeKnownAsDeleted($0, deletions)
            }
        }
    }
}
