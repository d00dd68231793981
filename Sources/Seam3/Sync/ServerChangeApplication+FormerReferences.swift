import CoreData

/// What devices with a former model change in the references that they have in place of links.
extension ServerChangeApplication {
    /// Removes the pair that a record no longer has in such a reference, and makes the one that it has there now.
    /// All devices do the same.
    mutating func followFormerReferences(
        of received: ReceivedRecord, _ pk: Int64, isNew: Bool
    ) throws {
        let mapping = received.mapping
        guard !mapping.formerReferences.isEmpty else { return }
        let form = mapping.formerForm(received.formerFields)
        let known = isNew ? FieldVersions() : try database.objects.formerFields(of: pk)
        for (link, reference) in mapping.formerReferences
        where !known.isKnown(form[reference.field], in: reference.field) && mappings.isSynced(link)
        {
            // If it may have been empty before, it says nothing about a pair.
            let isRemoval = !known.contains(.null, of: reference.field)
            let members = try database.links.members(of: pk, link, isSource: reference.isSource)
            for member in members where isRemoval {
                let name = SQLiteValue(try database.objects.recordName(of: member.pk))
                guard known.contains(RecordMapping.digested(name), of: reference.field),
                    name != received.formerFields[reference.field]
                else { continue }
                try database.links.remove(member.link, link, isSynced: true, followsEnd: true)
                noteUpdated([pk, member.pk])
            }
            if let name = received.formerFields[reference.field].text {
                try add(name, to: pk, link, reference)
            }
        }
    }

    /// The references of removed pairs that a record still has.
    func formerReferences(
        stillIn received: ReceivedRecord, removedBy pending: OutboxEntry
    ) throws -> PropertyValues {
        var remaining = PropertyValues()
        for (link, reference) in received.mapping.formerReferences {
            let value = received.formerFields[reference.field]
            guard let destination = value.text else { continue }
            guard pending.changes.base[reference.name] == value,
                // The change of an object whose server was forgotten may be older than the pair.
                try pending.kind != .insert
                    || !isMember(destination, of: pending.pk, link, reference)
            else { continue }
            remaining[reference.name] = value
        }
        return remaining
    }

    private func isMember(
        _ recordName: String, of pk: Int64, _ link: LinkSchema,
        _ reference: LinkSchema.FormerReference
    ) throws -> Bool {
        try database.links.members(of: pk, link, isSource: reference.isSource).contains {
            try database.objects.recordName(of: $0.pk) == recordName
        }
    }

    private mutating func add(
        _ recordName: String, to pk: Int64, _ link: LinkSchema,
        _ reference: LinkSchema.FormerReference
    ) throws {
        let other = try end(
            recordName, reference.isSource ? link.targetEntity : link.sourceEntity)
        var row = LinkRow(owner: pk, member: other, isSource: reference.isSource)
        let links = database.links
        guard try links.key(of: link, source: row.source, target: row.target) == nil else { return }
        if link.isOrdered(seenFromSource: false) {
            row.sourceOrder = try placeBehindAll(of: row.target, link, isSource: false)
        }
        if link.isOrdered(seenFromSource: true) {
            row.targetOrder = try placeBehindAll(of: row.source, link, isSource: true)
        }
        try links.add(
            link, source: row.source, target: row.target, sourceOrder: row.sourceOrder,
            targetOrder: row.targetOrder, isSynced: true)
        if let added = try links.key(of: link, source: row.source, target: row.target) {
            try database.objects.setSent(true, added)
        }
        noteUpdated([pk, other])
    }

    /// Notes that a reference may be empty although its pair is there, because another device may have made the link
    /// again after it had removed the pair.
    func noteRepeatedLink(_ received: ReceivedLink, _ entry: ObjectEntry?) throws {
        let content = received.content
        let places = content.link.formerReferences(of: content.source, content.target)
        guard !places.isEmpty else { return }
        // The version of a link that was never received may be the first one, or made again.
        if let entry, entry.systemFields != nil, !received.source.isMadeAgain(since: entry) {
            return
        }
        for (reference, own, other) in places {
            guard let pk = try database.objects.entry(named: own)?.pk,
                try database.objects.formerFields(of: pk).contains(
                    RecordMapping.digested(.text(other)), of: reference.field)
            else { continue }
            try database.noteEmptied([reference.field], of: pk, isAcknowledged: false)
        }
    }
}
