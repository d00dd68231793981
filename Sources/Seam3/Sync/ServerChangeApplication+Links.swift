import CoreData

/// Links of many-to-many relationships. Concurrent additions and removals of different pairs never
/// meet; of the same pair, a removal counts.
extension ServerChangeApplication {
    /// Takes over a link that the server has.
    mutating func apply(_ received: ReceivedLink) throws {
        let link = received.content.link
        guard let entry = try database.object(recordName: received.recordName) else {
            let pk = try database.takeKeys(1)
            try database.insertObject(
                pk, entityNumber: link.number, recordName: received.recordName)
            return try write(received, pk)
        }
        if entry.changeTag != nil, entry.changeTag == received.changeTag { return }
        if entry.isDeleted {
            if try database.pendingChange(of: entry.pk)?.followsDeletionOfEnd == true {
                try database.removeChange(of: entry.pk)
                try database.setEntity(link.number, of: entry.pk)
                return try write(received, entry.pk)
            }
            // It was removed here; the deletion goes to the server as it is.
            return try database.setSystemFields(
                received.systemFields, changeTag: received.changeTag, of: entry.pk)
        }
        // The pair is the same on both sides; only its places may differ, and there the server's
        // count.
        try database.removeChange(of: entry.pk)
        try write(received, entry.pk)
    }

    private mutating func write(_ received: ReceivedLink, _ pk: Int64) throws {
        let content = received.content
        let row = StoreDatabase.LinkRow(
            source: try database.keyForReference(recordName: content.source),
            target: try database.keyForReference(recordName: content.target),
            sourceOrder: content.sourceOrder, targetOrder: content.targetOrder)
        let old = try database.linkRow(pk, content.link)
        try database.setSystemFields(
            received.systemFields, changeTag: received.changeTag, of: pk)
        guard row != old else { return }
        try database.setLinkRow(row, pk, content.link)
        noteUpdated([row.source, row.target])
    }

    /// Takes over that the server has deleted a link's record.
    mutating func applyDeletion(of entry: ObjectEntry, _ link: LinkSchema) throws {
        if entry.isDeleted {
            try database.removeChange(of: entry.pk)
            return try database.forgetObject(entry.pk)
        }
        if let pending = try database.pendingChange(of: entry.pk), pending.kind == .insert {
            // It was removed elsewhere and has been added here since.
            return try database.setSystemFields(nil, changeTag: nil, of: entry.pk)
        }
        if let row = try database.linkRow(entry.pk, link) { noteUpdated([row.source, row.target]) }
        try database.forgetLink(entry.pk, link)
    }

    /// Takes over that an object which the server has deleted has no links any more.
    mutating func removeLinks(ofDeletedObject pk: Int64) throws {
        noteUpdated(
            try database.removeLinks(
                ofDeletedObject: pk, revision: revision, isSynced: mappings.isSynced))
    }

    /// Links a new object with all that another one is linked with, at the same places.
    mutating func copyLinks(of original: ObjectRow, to pk: Int64) throws {
        for toMany in original.entity.toManys {
            guard case .link(let link, let isSource) = toMany.storage else { continue }
            let isSynced = mappings.isSynced(link)
            for member in try database.linkedMembers(of: original.pk, link, isSource: isSource)
            where member.pk != original.pk {
                guard let row = try database.linkRow(member.linkPK, link) else { continue }
                let isFirst = row.source == original.pk
                try database.addLink(
                    link, source: isFirst ? pk : row.source, target: isFirst ? row.target : pk,
                    sourceOrder: row.sourceOrder, targetOrder: row.targetOrder,
                    isSynced: isSynced, revision: revision)
                noteUpdated([member.pk])
            }
        }
    }
}
