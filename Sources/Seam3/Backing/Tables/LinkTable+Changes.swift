import CoreData

/// Adding and removing links, together with their outbox changes.
extension LinkTable {
    /// Links two objects, unless they are linked, and queues the link's record.
    func add(
        _ link: LinkSchema, source: Int64, target: Int64, sourceOrder: String? = nil,
        targetOrder: String? = nil, isSynced: Bool
    ) throws {
        let (objects, outbox) = (database.objects, database.outbox)
        guard let sourceName = try objects.recordName(of: source),
            let targetName = try objects.recordName(of: target)
        else { return }
        // In a relationship without direction, the end with the smaller record name is the source.
        let isSwapped = link.isReflexive && targetName < sourceName
        let row = LinkRow(
            source: isSwapped ? target : source, target: isSwapped ? source : target,
            sourceOrder: isSwapped ? targetOrder : sourceOrder,
            targetOrder: isSwapped ? sourceOrder : targetOrder)
        let name = Self.recordName(of: link, source: sourceName, target: targetName)
        // Another device may have linked the two through a record with another name.
        guard try key(of: link, source: row.source, target: row.target) == nil else { return }
        guard let entry = try objects.entry(named: name) else {
            let pk = try database.sequence.takeKeys(1)
            try objects.insert(pk, entity: link.number, recordName: name)
            try set(row, pk, link)
            if isSynced { try outbox.noteInsertion(pk) }
            return
        }
        guard entry.isDeleted else { return }
        // The link was removed here and is added again before the server has acknowledged the
        // removal.
        try objects.setPresent(entry.pk, entity: link.number)
        try set(row, entry.pk, link)
        if let pending = try outbox.entry(of: entry.pk), pending.requests.isEmpty,
            // Of a link that a migration has made, the server need not have a record.
            pending.systemFields != nil
        {
            try outbox.remove(of: entry.pk)
        } else if isSynced {
            try objects.setSystemFields(nil, changeTag: nil, of: entry.pk)
            try outbox.noteInsertion(entry.pk)
        }
    }

    /// Changes the ends of a link. If the new pair is already linked, this link is a duplicate:
    /// only its record remains, until another device or a later fetch removes it.
    func move(_ pk: Int64, _ link: LinkSchema, to row: LinkRow) throws {
        let known = try key(of: link, source: row.source, target: row.target)
        guard known == nil || known == pk else { return try forget(pk, link) }
        try set(row, pk, link)
    }

    /// Removes a link, and queues the deletion of its record.
    func remove(_ pk: Int64, _ link: LinkSchema, isSynced: Bool, followsEnd: Bool = false) throws {
        guard isSynced else { return try forget(pk, link) }
        try delete(pk, link)
        try database.outbox.noteDeletion(pk, entity: link.number, followsEnd: followsEnd)
    }

    /// Removes a link because one of its ends is deleted here, and queues the deletion of its record. The link comes
    /// back if that end does; see ``ServerChangeApplication/restoreRelationships()``.
    func removeWithEnd(_ pk: Int64, _ link: LinkSchema, isSynced: Bool) throws {
        guard isSynced else { return try forget(pk, link) }
        let pair = try database.linkRecord(pk, link)?.values
        try delete(pk, link)
        try database.outbox.noteDeletion(pk, entity: link.number, values: pair)
    }

    /// Removes a link without telling the server.
    func forget(_ pk: Int64, _ link: LinkSchema) throws {
        try database.outbox.remove(of: pk)
        try delete(pk, link)
        try database.objects.forget(pk)
    }

    /// Removes all links of an object that the server has deleted, and queues the deletion of those
    /// whose records the server still has: the device that deleted the object did not know them.
    ///
    /// - Parameter isSynced: Whether the records of a kind of link are synced.
    /// - Returns: The other ends.
    func removeAll(
        ofDeletedObject pk: Int64, isSynced: (LinkSchema) -> Bool
    ) throws -> [Int64] {
        var others: [Int64] = []
        for link in database.schema.links {
            for (linkPK, other) in try links(of: pk, link) {
                try remove(linkPK, link, isSynced: isSynced(link), followsEnd: true)
                others.append(other)
            }
        }
        return others
    }
}
