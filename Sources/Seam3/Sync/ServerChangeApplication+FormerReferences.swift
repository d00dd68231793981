import CoreData

/// What devices with a former model change in the references that they have in place of links.
extension ServerChangeApplication {
    /// Removes the pair that a record no longer has in such a reference, and makes the one that it has there now.
    /// All devices do the same.
    ///
    /// - Parameter later: The edits of the record since the version that is known here; nil if none is.
    mutating func followFormerReferences(
        of received: ReceivedRecord, _ pk: Int64, _ later: LaterEdits?
    ) throws {
        for (link, reference) in received.mapping.formerReferences where mappings.isSynced(link) {
            let name = received.formerFields[reference.field].text
            let isEdit = later?.contains(reference.stampKey) ?? (name != nil)
            // The pairs here are newer than what this device has sent itself.
            let isChanged = later.map {
                $0.hasOtherValue(reference.stampKey) && !$0.isSent(reference.stampKey)
            }
            guard isEdit || isChanged == true else { continue }
            let members = try database.links.members(of: pk, link, isSource: reference.isSource)
            for member in members {
                guard let former = try database.objects.recordName(of: member.pk), former != name,
                    later?.former.refers(to: former, reference) == true,
                    // Whoever knows the links deletes the pair's record, too.
                    try isEdit || database.objects.entry(member.link)?.systemFields == nil
                else { continue }
                try database.links.remove(member.link, link, isSynced: true, followsEnd: true)
                noteUpdated([pk, member.pk])
            }
            if isEdit, let name { try add(name, to: pk, link, reference) }
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
}
