import CoreData

/// The pairs of many-to-many relationships, whose records are named after their ends' records.
extension MigrationTransfer {
    private typealias Row = LinkRow

    /// Whether links were synced under the old model.
    func wasSynced(_ link: LinkSchema) -> Bool {
        source.schema.link(recordType: link.recordType).map(sourceMappings.isSynced) ?? false
    }

    /// Assigns the links of a relationship to their previous records.
    mutating func transferLinks(_ link: LinkSchema) throws {
        let old = source.schema.link(recordType: link.recordType)
        var links: [(pk: Int64, row: Row, known: ObjectEntry?)] = []
        for pk in try destination.links.keys(of: link) {
            guard var row = try destination.links.row(pk, link),
                let sourceName = try destination.objects.recordName(of: row.source),
                let targetName = try destination.objects.recordName(of: row.target)
            else { continue }
            if link.isReflexive, targetName < sourceName {
                // The end with the smaller record name is the source.
                row = Row(
                    source: row.target, target: row.source, sourceOrder: row.targetOrder,
                    targetOrder: row.sourceOrder)
                try destination.links.delete(pk, link)
                try destination.links.set(row, pk, link)
            }
            let name = LinkTable.recordName(of: link, source: sourceName, target: targetName)
            guard try rename(pk, name) else { continue }
            let entry = try source.objects.entry(named: name)
            let isKnown = entry?.isPresent == true && entry?.entity == old?.number
            links.append((pk, row, isKnown ? entry : nil))
        }
        let wasSynced = wasSynced(link)
        // Other devices that migrate make the same links, so the server may have any of them.
        for (pk, _, known) in links where known == nil || !wasSynced {
            try destination.objects.setSent(true, pk)
        }
        guard let old else { return }
        let before = try links.map { try $0.known.flatMap { try source.links.row($0.pk, old) } }
        let rows = keepingOrder(links.map(\.row), before, link)
        for (index, (pk, row, known)) in links.enumerated() {
            if rows[index] != row { try destination.links.set(rows[index], pk, link) }
            guard let known, let oldRow = before[index] else { continue }
            claimed.insert(known.pk)
            // Links that are synced from now on are new for the server.
            if !wasSynced { continue }
            let changes = Self.changes(from: oldRow, to: rows[index], link)
            try transfer(known, to: pk, changes: changes)
        }
        try keepAbsentEnds(of: old, link)
    }

    /// Queues the removal of pairs that a waiting change has removed from references that are links now: another
    /// device may have sent the links.
    func removePairs(of old: Int64, to new: Int64) throws {
        guard let entity = try destination.objects.entry(new)?.entity,
            let translation = destination.schema.entity(number: entity).flatMap(translation),
            !translation.leftReferences.isEmpty,
            let change = try source.outbox.entry(of: old), change.kind == .update
        else { return }
        for (oldName, link, reference) in translation.leftReferences
        where destinationMappings.isSynced(link) {
            guard let former = change.base[oldName].text,
                let other = try destination.objects.entry(named: former), other.isPresent
            else { continue }
            let row = Row(owner: new, member: other.pk, isSource: reference.isSource)
            if try destination.links.removeAbsent(row, link) {
                try destination.links.emptyFormerReferences(of: row, link)
            }
        }
    }

    /// The rows with their previous order keys, as far as these rise in the new order.
    private func keepingOrder(_ new: [Row], _ old: [Row?], _ link: LinkSchema) -> [Row] {
        var rows = new
        func keep(_ owner: KeyPath<Row, Int64>, _ order: WritableKeyPath<Row, String?>) {
            for places in Dictionary(grouping: new.indices, by: { new[$0][keyPath: owner] }).values
            {
                let sorted = places.sorted {
                    (new[$0][keyPath: order] ?? "", $0) < (new[$1][keyPath: order] ?? "", $1)
                }
                let keys = OrderKey.rising(sorted.map { old[$0]?[keyPath: order] })
                for (place, key) in zip(sorted, keys) { rows[place][keyPath: order] = key }
            }
        }
        if link.source.isOrdered { keep(\.source, \.targetOrder) }
        if link.target?.isOrdered == true, !link.isReflexive { keep(\.target, \.sourceOrder) }
        return rows
    }

    private static func changes(
        from old: Row, to new: Row, _ link: LinkSchema
    ) -> PropertyValues {
        var base = PropertyValues()
        if link.source.isOrdered, old.targetOrder != new.targetOrder {
            base[LinkRecord.targetOrder] = SQLiteValue(old.targetOrder)
        }
        if link.target?.isOrdered == true, old.sourceOrder != new.sourceOrder {
            base[LinkRecord.sourceOrder] = SQLiteValue(old.sourceOrder)
        }
        return base
    }

    /// A link to a record that has not arrived yet is kept, because Core Data did not see it.
    private mutating func keepAbsentEnds(of old: LinkSchema, _ link: LinkSchema) throws {
        for pk in try source.links.keys(of: old) where !claimed.contains(pk) {
            guard let entry = try source.objects.entry(pk), let row = try source.links.row(pk, old),
                let ends = try keysOfEnds(row)
            else { continue }
            let new = try destination.sequence.takeKeys(1)
            try destination.objects.insert(
                new, entity: link.number, recordName: entry.recordName)
            try destination.outbox.noteInsertion(new)
            try destination.links.set(
                Row(
                    source: ends.source, target: ends.target, sourceOrder: row.sourceOrder,
                    targetOrder: row.targetOrder), new, link)
            claimed.insert(pk)
            try transfer(entry, to: new, changes: PropertyValues())
        }
    }

    /// The ends of a link in the destination, if one has not arrived and the other is present.
    private func keysOfEnds(_ row: Row) throws -> (source: Int64, target: Int64)? {
        let ends = try [row.source, row.target].compactMap(source.objects.entry)
        guard ends.count == 2, ends.contains(where: \.isPlaceholder) else { return nil }
        for end in ends where !end.isPlaceholder {
            guard let known = try destination.objects.entry(named: end.recordName), known.isPresent
            else { return nil }
        }
        let keys = try ends.map {
            try destination.objects.keyForReference(recordName: $0.recordName)
        }
        return (keys[0], keys[1])
    }
}
