import CoreData

/// Links of many-to-many relationships. Concurrent additions and removals of different pairs never
/// meet; of the same pair, a removal counts.
extension ServerChangeApplication {
    /// Takes over a link that the server has.
    mutating func apply(_ received: ReceivedLink) throws {
        let link = received.content.link
        guard let entry = try database.objects.entry(named: received.recordName) else {
            let pk = try database.sequence.takeKeys(1)
            try database.objects.insert(
                pk, entity: link.number, recordName: received.recordName)
            return try write(received, pk)
        }
        if entry.changeTag != nil, entry.changeTag == received.changeTag { return }
        if entry.isDeleted {
            if try database.outbox.entry(of: entry.pk)?.followsEnd == true {
                try database.outbox.remove(of: entry.pk)
                try database.objects.setPresent(entry.pk, entity: link.number)
                return try write(received, entry.pk)
            }
            // It was removed here; the deletion goes to the server as it is.
            return try database.objects.setSystemFields(
                received.systemFields, changeTag: received.changeTag, of: entry.pk)
        }
        // The pair is the same on both sides; only its places may differ, and there the server's
        // count.
        try database.outbox.remove(of: entry.pk)
        try write(received, entry.pk)
    }

    private mutating func write(_ received: ReceivedLink, _ pk: Int64) throws {
        let content = received.content
        let row = LinkRow(
            source: try database.objects.keyForReference(recordName: content.source),
            target: try database.objects.keyForReference(recordName: content.target),
            sourceOrder: content.sourceOrder, targetOrder: content.targetOrder)
        let old = try database.links.row(pk, content.link)
        try database.objects.setSystemFields(
            received.systemFields, changeTag: received.changeTag, of: pk)
        guard row != old else { return }
        try database.links.set(row, pk, content.link)
        noteUpdated([row.source, row.target])
    }

    /// Takes over that the server has deleted a link's record.
    mutating func applyDeletion(of entry: ObjectEntry, _ link: LinkSchema) throws {
        if entry.isDeleted {
            try database.outbox.remove(of: entry.pk)
            return try database.objects.forget(entry.pk)
        }
        if let pending = try database.outbox.entry(of: entry.pk), pending.kind == .insert {
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

    /// Links a new object with all that another one is linked with, at the same places.
    mutating func copyLinks(of original: ObjectRow, to pk: Int64) throws {
        for toMany in original.entity.toManys {
            guard case .link(let link, let isSource) = toMany.storage else { continue }
            let isSynced = mappings.isSynced(link)
            for member in try database.links.members(of: original.pk, link, isSource: isSource)
            where member.pk != original.pk {
                guard let row = try database.links.row(member.link, link) else { continue }
                let isFirst = row.source == original.pk
                try database.links.add(
                    link, source: isFirst ? pk : row.source, target: isFirst ? row.target : pk,
                    sourceOrder: row.sourceOrder, targetOrder: row.targetOrder,
                    isSynced: isSynced)
                noteUpdated([member.pk])
            }
        }
    }
}
