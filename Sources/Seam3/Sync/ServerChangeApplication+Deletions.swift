import CoreData

/// Deletions on the server.
extension ServerChangeApplication {
    /// Applies the deletion of a record on the server.
    mutating func applyDeletion(recordName: String) throws {
        guard let entry = try database.objects.entry(named: recordName) else { return }
        if entry.isPlaceholder {
            if entry.wasSent { try database.tombstones.add(recordName) }
            // A link has arrived from a device that did not know of the deletion yet.
            try removeLinks(ofDeletedObject: entry.pk)
            return try database.objects.remove(entry.pk)
        }
        if let link = database.schema.link(number: entry.entity) {
            return try applyDeletion(of: entry, link)
        }
        if entry.isDeleted {
            try database.outbox.remove(of: entry.pk)
            try removeLinks(ofDeletedObject: entry.pk)
            return try database.objects.remove(entry.pk)
        }
        guard let entity = database.schema.entity(number: entry.entity),
            let row = try database.rows.row(entry.pk, of: entity)
        else { return }
        if let pending = try database.outbox.entry(of: entry.pk) {
            let mapping = mappings.mapping(of: entity)
            // The deletion concerns an earlier record with this name, or perhaps another device's: the server is not
            // known to have had this object. Default content goes: whoever has deleted its namesake is a user.
            if pending.kind == .insert, entry.systemFields == nil, !pending.isUneditedSeed,
                pending.isUnsent || mapping?.naturalKey != nil
            {
                return try database.objects.setSystemFields(nil, changeTag: nil, of: entry.pk)
            }
            let isEdit = try database.isEdit(pending, of: row, mapping)
            if isEdit { changes.conflictCount += 1 }
            let policy = policies.policy(of: entity.description)
            if isEdit, policy.localEditSurvivesServerDeletion {
                try database.objects.setSystemFields(nil, changeTag: nil, of: entry.pk)
                notePairs(of: row)
                return try database.outbox.noteInsertion(entry.pk)
            }
            try database.outbox.remove(of: entry.pk)
        }
        noteDestinations(of: row)
        changes.updated.formUnion(try database.references.referrers(of: entry.pk))
        try removeLinks(ofDeletedObject: entry.pk)
        _ = try database.rows.delete(entry.pk, of: entity, expectedVersion: row.version)
        try database.objects.remove(entry.pk)
        changes.deleted[entry.pk] = entry.entity
        changes.inserted[entry.pk] = nil
        changes.updated.remove(entry.pk)
    }
}
