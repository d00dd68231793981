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
        let known = isNew ? SentVersions() : try database.objects.formerFields(of: pk)
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

    private mutating func add(
        _ recordName: String, to pk: Int64, _ link: LinkSchema,
        _ reference: LinkSchema.FormerReference
    ) throws {
        let other = try end(
            recordName, reference.isSource ? link.targetEntity : link.sourceEntity)
        let (source, target) = reference.isSource ? (pk, other) : (other, pk)
        guard try database.links.key(of: link, source: source, target: target) == nil else {
            return
        }
        let isSourceOrdered = link.isOrdered(seenFromSource: false)
        let isTargetOrdered = link.isOrdered(seenFromSource: true)
        try database.links.add(
            link, source: source, target: target,
            sourceOrder: isSourceOrdered
                ? placeBehindAll(of: target, link, isSource: false) : nil,
            targetOrder: isTargetOrdered ? placeBehindAll(of: source, link, isSource: true) : nil,
            isSynced: true)
        if let added = try database.links.key(of: link, source: source, target: target) {
            try database.objects.setSent(true, added)
        }
        noteUpdated([source, target])
    }

    /// Notes that a reference may be empty although its pair is there, because another device may have made the link
    /// again after it had removed the pair.
    func noteRepeatedLink(_ received: ReceivedLink, _ entry: ObjectEntry?) throws {
        let content = received.content
        guard !content.link.formerReferences.isEmpty else { return }
        // The version of a link that was never received may be the first one, or made again.
        if let entry, entry.systemFields != nil, !received.source.isMadeAgain(since: entry) {
            return
        }
        let pairs = [(content.source, content.target), (content.target, content.source)]
        for reference in content.link.formerReferences {
            for (own, other) in content.link.isReflexive
                ? pairs : [reference.isSource ? pairs[0] : pairs[1]]
            {
                guard let pk = try database.objects.entry(named: own)?.pk else { continue }
                let known = try database.objects.formerFields(of: pk)
                let form = RecordMapping.digested(.text(other))
                guard known.contains(form, of: reference.field) else { continue }
                try database.noteEmptied([reference.field], of: pk, isAcknowledged: false)
            }
        }
    }
}
