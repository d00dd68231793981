import CoreData

/// Records that have the name of a new object's natural key, and belong to an object that another device
/// has made.
extension ServerChangeApplication {
    /// Whether a record has the name of a new object's natural key, but belongs to an object that has
    /// been given other values for the key since.
    func isOfAnotherObject(
        _ received: ReceivedRecord, than entry: ObjectEntry
    ) throws -> Bool {
        guard let key = received.mapping.naturalKey, entry.isPresent, entry.systemFields == nil,
            entry.entity == received.mapping.entity.number,
            let pending = try database.outbox.entry(of: entry.pk), pending.kind == .insert
        else { return false }
        // As long as nobody has edited it, a record that was sent from here is as it was sent.
        let mayBeOurs =
            received.source.isAsCreated
            ? received.isAnswer(to: pending) : received.hasKey(ofAnyOf: pending.sent, key)
        if mayBeOurs { return false }
        var row = ObjectRow(pk: entry.pk, entity: received.mapping.entity)
        for attribute in received.mapping.attributes {
            row.values[attribute.column.index] = received.fields[attribute.column.name]
        }
        guard let name = key.recordName(of: row) else { return false }
        return try name != naturalName(of: entry, received.mapping)
    }

    private func naturalName(of entry: ObjectEntry, _ mapping: RecordMapping) throws -> String? {
        try database.rows.row(entry.pk, of: mapping.entity).flatMap {
            mapping.naturalKey?.recordName(of: $0)
        }
    }

    /// Gives a new object, of which the server has heard nothing, another record name, and what other
    /// records tell of its former name to the object whose record has it.
    mutating func makeWay(_ entry: ObjectEntry, for received: ReceivedRecord) throws {
        try database.objects.makeWay(
            entry, naturalName: naturalName(of: entry, received.mapping))
        try moveLinks(of: entry.pk, to: received.recordName)
        for entity in database.schema.entities {
            guard let mapping = mappings.mapping(of: entity) else { continue }
            for reference in mapping.references where !reference.isDecidedByInverse {
                try moveReferrers(of: entry.pk, reference.column, entity, to: received.recordName)
            }
        }
    }

    /// Moves the links that have come. Those that were made here wait for the object's own record.
    private mutating func moveLinks(of pk: Int64, to recordName: String) throws {
        for link in database.schema.links {
            for (linkPK, _) in try database.links.links(of: pk, link) {
                guard try database.outbox.entry(of: linkPK)?.kind != .insert,
                    var row = try database.links.row(linkPK, link)
                else { continue }
                let other = try database.objects.keyForReference(recordName: recordName)
                noteUpdated([row.source, row.target])
                if row.source == pk { row.source = other }
                if row.target == pk { row.target = other }
                try database.links.move(linkPK, link, to: row)
            }
        }
    }

    /// Moves the references that have come. Those that were set here wait for the object's own record.
    private mutating func moveReferrers(
        of pk: Int64, _ column: ToOneColumn, _ entity: EntitySchema, to recordName: String
    ) throws {
        for referrer in try database.references.keysPointing(column, in: entity.table, at: pk) {
            guard let row = try database.rows.row(referrer, of: entity),
                row.entity.number == entity.number
            else { continue }
            let pending = try database.outbox.entry(of: referrer)
            if pending?.kind == .insert || pending?.base.keys.contains(column.name) == true {
                continue
            }
            let other = try database.objects.keyForReference(recordName: recordName)
            try setDestination(other, of: referrer, entity, column, sent: nil)
            noteOneToOne(column, of: row, targets: [pk, other])
        }
    }
}
