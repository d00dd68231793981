import CoreData

/// Links of many-to-many relationships. Concurrent additions and removals of different pairs do not
/// conflict. For the same pair, a removal wins.
extension ServerChangeApplication {
    /// Applies a link from the server.
    mutating func apply(_ received: ReceivedLink) throws {
        let link = received.content.link
        let entry = try entry(named: received.recordName, entity: link.number)
        guard let entry else {
            let pk = try keys.take(from: database.sequence)
            try database.objects.insertReceived(
                pk, entity: link.number, recordName: received.recordName,
                systemFields: received.systemFields, changeTag: received.changeTag)
            return try write(received, pk, over: nil)
        }
        if entry.isPlaceholder {
            try database.objects.setPresent(entry.pk, entity: link.number)
            try fitReferences(to: entry.pk, entity: link.number, received.recordName)
            return try update(entry.pk, by: received)
        }
        if entry.changeTag != nil, entry.changeTag == received.changeTag {
            return try restoreSystemFields(of: entry, from: received.source)
        }
        if entry.isDeleted {
            let deletion = try database.outbox.entry(of: entry.pk)
            if deletion?.followsEnd == true
                || isCarriedOut(deletion, of: entry, received.source)
            {
                try database.outbox.remove(of: entry.pk)
                try database.objects.setPresent(entry.pk, entity: link.number)
                return try update(entry.pk, by: received)
            }
            // It was removed here; the deletion is sent unchanged. If the link comes back with an end, it has the
            // places that it has on the server.
            if let deletion, LinkRecord(deletion.base, link: link) != nil {
                try database.outbox.setChanges(
                    ChangeLayers(
                        received.content.values, .removal, revision: deletion.revision),
                    of: deletion.pk)
            }
            return try database.objects.setSystemFields(
                received.systemFields, changeTag: received.changeTag, of: entry.pk)
        }
        // The pair is the same on both sides. Only its places in ordered relationships may differ.
        // If another device has moved it, the server's places win.
        if let base = try basePlaces(of: entry.pk, received) {
            try database.objects.setSystemFields(
                received.systemFields, changeTag: received.changeTag, of: entry.pk)
            return try database.outbox.replace(of: entry.pk, base: base)
        }
        try database.outbox.remove(of: entry.pk)
        try update(entry.pk, by: received)
    }

    /// The server's places where those here differ, if only this device has moved the link: the server has
    /// the places from before, or those that were sent without a response.
    private func basePlaces(of pk: Int64, _ received: ReceivedLink) throws -> PropertyValues? {
        let server = received.content
        guard let pending = try database.outbox.entry(of: pk),
            let row = try database.links.row(pk, server.link)
        else { return nil }
        let local = row.places
        let isMovedElsewhere = server.places.values.contains { name, place in
            // The server may have had a new link only if it was forgotten.
            let isNew = pending.kind == .insert && !pending.wasSent
            let former = isNew ? nil : pending.changes.base.values[name] ?? local[name]
            return place != former && !pending.hasSent(place, of: name, current: local)
        }
        return isMovedElsewhere ? nil : row.basePlaces(from: server)
    }

    private mutating func update(_ pk: Int64, by received: ReceivedLink) throws {
        try database.objects.setSystemFields(
            received.systemFields, changeTag: received.changeTag, of: pk)
        try write(received, pk, over: database.links.row(pk, received.content.link))
    }

    private mutating func write(
        _ received: ReceivedLink, _ pk: Int64, over old: LinkRow?
    ) throws {
        let content = received.content
        let link = content.link
        let row = LinkRow(
            source: try end(content.source, link.sourceEntity),
            target: try end(content.target, link.targetEntity),
            sourceOrder: content.sourceOrder, targetOrder: content.targetOrder)
        guard row != old else { return }
        if let rival = try database.links.key(of: link, source: row.source, target: row.target),
            rival != pk
        {
            let isSynced = mappings.isSynced(link)
            guard try prevails(received, over: rival) else {
                return try database.links.remove(pk, link, isSynced: isSynced)
            }
            try database.links.remove(rival, link, isSynced: isSynced)
        }
        try database.links.set(row, pk, link)
        noteUpdated([row.source, row.target])
    }

    func end(_ recordName: String, _ entity: String) throws -> Int64 {
        try database.objects.keyForReference(
            recordName: recordName, toOneOf: database.schema.entity(named: entity)?.familyNumbers)
    }

    /// Whether a received record replaces another record of the same pair. All devices decide the
    /// same way: the record with the name that this framework gives to the pair is kept, otherwise
    /// the one with the smaller name.
    private func prevails(_ received: ReceivedLink, over rival: Int64) throws -> Bool {
        let content = received.content
        let name = LinkTable.recordName(
            of: content.link, source: content.source, target: content.target)
        if received.recordName == name { return true }
        guard let rivalName = try database.objects.recordNameForReference(to: rival),
            rivalName != name
        else { return false }
        return received.recordName.precedes(rivalName)
    }

    /// Applies the deletion of a link's record on the server.
    mutating func applyDeletion(of entry: ObjectEntry, _ link: LinkSchema) throws {
        if entry.isDeleted {
            try database.outbox.remove(of: entry.pk)
            return try database.objects.forget(entry.pk)
        }
        if let pending = try database.outbox.entry(of: entry.pk), pending.kind == .insert,
            pending.isUnsent
        {
            // It was removed elsewhere, and added here afterward.
            return try database.objects.setSystemFields(nil, changeTag: nil, of: entry.pk)
        }
        if let row = try database.links.row(entry.pk, link) {
            noteUpdated([row.source, row.target])
            try database.links.emptyFormerReferences(of: row, link)
        }
        try database.links.forget(entry.pk, link)
    }

    /// Removes the links of an object that was deleted on the server.
    mutating func removeLinks(ofDeletedObject pk: Int64) throws {
        noteUpdated(
            try database.links.removeAll(ofDeletedObject: pk, isSynced: mappings.isSynced))
    }

    /// Copies all links of an object to a new object, with the same places in ordered
    /// relationships. A copy whose original has no place gets one.
    mutating func copyLinks(of original: ObjectRow, to pk: Int64) throws {
        for toMany in original.entity.toManys {
            guard case .link(let link, let isSource) = toMany.storage else { continue }
            let members = try database.links.members(of: original.pk, link, isSource: isSource)
                .filter { $0.pk != original.pk }
            let known = members.map(\.order)
            let places: [String?] = toMany.isOrdered ? OrderKey.rising(known) : known
            let isOrdered = toMany.relationship.inverseRelationship?.isOrdered == true
            for (member, place) in zip(members, places) {
                guard let row = try database.links.row(member.link, link) else { continue }
                let isFirst = row.source == original.pk
                var ownPlace = isFirst ? row.sourceOrder : row.targetOrder
                if isOrdered, ownPlace.map(OrderKey.isOwn) != true {
                    ownPlace = try placeBehindAll(of: member.pk, link, isSource: !isSource)
                }
                try database.links.add(
                    link, source: isFirst ? pk : row.source, target: isFirst ? row.target : pk,
                    sourceOrder: isFirst ? ownPlace : place,
                    targetOrder: isFirst ? place : ownPlace, isSynced: mappings.isSynced(link))
                noteUpdated([member.pk])
            }
        }
    }

    /// A key after those of all members of an ordered relationship.
    func placeBehindAll(
        of pk: Int64, _ link: LinkSchema, isSource: Bool
    ) throws -> String {
        let members = try database.links.members(of: pk, link, isSource: isSource)
        return OrderKey.between(members.compactMap(\.order).max(), nil)
    }
}
