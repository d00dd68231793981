import CoreData

/// Links of many-to-many relationships. Concurrent additions and removals of different pairs never
/// meet; of the same pair, a removal counts.
extension ServerChangeApplication {
    /// Takes over a link that the server has.
    mutating func apply(_ received: ReceivedLink) throws {
        let link = received.content.link
        guard let entry = try entry(named: received.recordName, entity: link.number) else {
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
        if entry.changeTag != nil, entry.changeTag == received.changeTag { return }
        if entry.isDeleted {
            let deletion = try database.outbox.entry(of: entry.pk)
            if deletion?.followsEnd == true
                || isCarriedOut(deletion, of: entry, received.source)
            {
                try database.outbox.remove(of: entry.pk)
                try database.objects.setPresent(entry.pk, entity: link.number)
                return try update(entry.pk, by: received)
            }
            // It was removed here; the deletion goes to the server as it is.
            return try database.objects.setSystemFields(
                received.systemFields, changeTag: received.changeTag, of: entry.pk)
        }
        // The pair is the same on both sides; only its places may differ, and there the server's
        // count.
        try database.outbox.remove(of: entry.pk)
        try update(entry.pk, by: received)
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

    private func end(_ recordName: String, _ entity: String) throws -> Int64 {
        try database.objects.keyForReference(
            recordName: recordName, toOneOf: database.schema.entity(named: entity)?.familyNumbers)
    }

    /// Which of two records of one pair stays, the same on all devices: the one that a device of this
    /// framework would make, else the one with the smaller name.
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

    /// Takes over that the server has deleted a link's record.
    mutating func applyDeletion(of entry: ObjectEntry, _ link: LinkSchema) throws {
        if entry.isDeleted {
            try database.outbox.remove(of: entry.pk)
            return try database.objects.forget(entry.pk)
        }
        if let pending = try database.outbox.entry(of: entry.pk), pending.kind == .insert,
            pending.sent.isEmpty
        {
            // It was removed elsewhere and has been added here since.
            return try database.objects.setSystemFields(nil, changeTag: nil, of: entry.pk)
        }
        if let row = try database.links.row(entry.pk, link) {
            noteUpdated([row.source, row.target])
        }
        try database.links.forget(entry.pk, link)
    }

    /// Takes over that an object which the server has deleted has no links any more.
    mutating func removeLinks(ofDeletedObject pk: Int64) throws {
        noteUpdated(
            try database.links.removeAll(ofDeletedObject: pk, isSynced: mappings.isSynced))
    }

    /// Links a new object with all that another one is linked with, at the same places. Where a record has
    /// come without a place in an order, there is one for the new link.
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

    /// A key behind those of all members of an ordered relationship.
    private func placeBehindAll(
        of pk: Int64, _ link: LinkSchema, isSource: Bool
    ) throws -> String {
        let members = try database.links.members(of: pk, link, isSource: isSource)
        return OrderKey.between(members.compactMap(\.order).max(), nil)
    }
}
