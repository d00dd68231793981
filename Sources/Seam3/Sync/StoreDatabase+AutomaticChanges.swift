import CoreData

/// Which changes no user has made: they follow from deletions, or from changes of other objects.
extension StoreDatabase {
    /// Whether a pending change is an edit, so that the object differs from the server's record. A
    /// change that was undone, that only rewrites a reference, or that no user has made is not an
    /// edit. Neither is a change to an end of a relationship that another record decides. What was sent
    /// without an answer and has arrived is what the server has.
    func isEdit(_ pending: OutboxEntry, of row: ObjectRow, _ mapping: RecordMapping?) throws
        -> Bool
    {
        guard let mapping, pending.kind == .update else { return true }
        let local = try fields(of: row, mapping)
        let automatic = pending.automatic.union(mapping.derivedNames)
            .union(mapping.idleOrderNames(in: local))
        let form = mapping.sentForm(local)
        let arrived =
            try hasArrived(pending) == true ? sentVersions(of: pending, mapping).versions.last : nil
        return mapping.propertyNames.subtracting(automatic).contains { name in
            if let value = arrived?.values[name] { return form[name] != value }
            guard var value = pending.base.values[name] else { return false }
            // A property that a migration sends again has another value than its base before an edit.
            if value.isNull { value = pending.former[name] }
            return pending.base.isUnknown(name) || !mapping.isEqual(name, local[name], value)
        }
    }

    /// The references that a record lacks and had before, to records that other devices may know as deleted, or
    /// that belong to another object now.
    ///
    /// - Parameter local: The object's own values. Another device may have set the same reference, and
    ///   removed it with a destination that has just been deleted.
    func released(
        _ server: PropertyValues, from former: PropertyValues,
        local: PropertyValues = PropertyValues(), _ pending: OutboxEntry,
        _ mapping: RecordMapping, _ deletions: Set<String>
    ) throws -> [String] {
        try mapping.references.map(\.column.name).filter { name in
            guard server[name].isNull else { return false }
            if let destination = local[name].text, deletions.contains(destination) { return true }
            guard let destination = former[name].text else { return false }
            return try mayBeReleased(name, leadingTo: destination, pending, mapping, deletions)
        }
    }

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
        case .update: return pending.base.keys.contains(name) && !pending.automatic.contains(name)
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
            deletion.attempts > 0
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
        var known = pending.base
        if let row = try rows.row(pending.pk, of: mapping.entity) {
            known.add(try fields(of: row, mapping))
        }
        return try missing.contains { name in
            let versions = [known, pending.replaced] + pending.sent.versions
            let former = Set(versions.compactMap { $0[name].text })
            return try former.contains { try !mayBeKnownAsDeleted($0, deletions) }
        }
    }
}
