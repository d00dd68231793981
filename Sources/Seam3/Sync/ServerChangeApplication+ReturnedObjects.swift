import CoreData

/// The relationships of objects that come back because another device's edit survives their deletion here.
extension ServerChangeApplication {
    /// Restores the references and links to such objects that only the deletion has removed, as long as no other
    /// device can know of that.
    ///
    /// Otherwise nil would be sent, and other devices would take it for an edit, because they know of no deletion.
    mutating func restoreRelationships() throws {
        if returned.isEmpty { return }
        for pk in try database.outbox.keysOfUpdates() {
            try autoreleasepool { try restoreReferences(of: pk) }
        }
        for link in database.schema.links where mappings.isSynced(link) {
            for deletion in try database.outbox.deletions(ofEntity: link.number) {
                try autoreleasepool { try restore(link, removedBy: deletion) }
            }
        }
        returned = []
    }

    private mutating func restore(_ link: LinkSchema, removedBy deletion: OutboxEntry) throws {
        guard !deletion.mayBeDeleted, let pair = LinkRecord(deletion.base, link: link),
            returned.contains(pair.source) || returned.contains(pair.target),
            let source = try presentKey(pair.source), let target = try presentKey(pair.target),
            // Another record may be the pair's now.
            try database.links.key(of: link, source: source, target: target) == nil
        else { return }
        let row = LinkRow(
            source: source, target: target, sourceOrder: pair.sourceOrder,
            targetOrder: pair.targetOrder)
        try database.outbox.remove(of: deletion.pk)
        try database.objects.setPresent(deletion.pk, entity: link.number)
        try database.links.set(row, deletion.pk, link)
        // Of a link that a migration has made, the server need not have a record.
        if deletion.systemFields == nil { try database.outbox.noteInsertion(deletion.pk) }
        try database.links.keepFormerReferences(of: row, link)
        noteUpdated([source, target])
    }

    private mutating func restoreReferences(of pk: Int64) throws {
        guard var pending = try database.outbox.entry(of: pk),
            let entity = database.schema.entity(number: pending.entity),
            let mapping = mappings.mapping(of: entity),
            let old = try database.rows.row(pk, of: entity)
        else { return }
        var (row, columns) = (old, [Int]())
        for reference in mapping.references {
            let column = reference.column
            guard row.values[column.index].isNull,
                let before = pending.changes.unsent(
                    column.name, because: .deletion, sent: pending.requests.lastRevision),
                let name = before.text, returned.contains(name),
                let target = try presentKey(name)
            else { continue }
            row.values[column.index] = .integer(target)
            columns.append(column.index)
            if let place = column.orderIndex,
                let key = pending.changes.unsent(
                    column.orderName, sent: pending.requests.lastRevision)
            {
                row.values[place] = key
                columns.append(place)
            }
            pending.changes.takeBack([column.name, column.orderName]) { _, _ in true }
            if !reference.isDecidedByInverse { noteOneToOne(column, of: row, targets: [target]) }
        }
        if columns.isEmpty { return }
        row.version = ObjectRow.version(after: old.version)
        _ = try database.rows.update(row, columnsAt: columns, expectedVersion: old.version)
        changes.updated.insert(pk)
        noteDestinations(of: row)
        if pending.names.isEmpty, pending.requests.isEmpty {
            return try database.outbox.remove(of: pk)
        }
        try database.outbox.setChanges(pending.changes, of: pk)
    }

    /// The key of an object; nil if it has been deleted, perhaps again.
    private func presentKey(_ recordName: String) throws -> Int64? {
        guard let entry = try database.objects.entry(named: recordName), entry.isPresent else {
            return nil
        }
        return entry.pk
    }
}
