import CoreData

/// Records that are named for the natural key of a new object, but belong to an object that another
/// device created.
extension ServerChangeApplication {
    /// Whether a record is named for the natural key of a new object, but belongs to another
    /// object, whose key has been changed since.
    func isOfAnotherObject(
        _ received: ReceivedRecord, than entry: ObjectEntry
    ) throws -> Bool {
        guard let key = received.mapping.naturalKey, entry.isPresent, entry.systemFields == nil,
            entry.entity == received.mapping.entity.number,
            let pending = try database.outbox.entry(of: entry.pk), pending.kind == .insert
        else { return false }
        // As long as nobody has edited it, a record that this device sent has the values that were
        // sent.
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

    /// Gives a new object that the server does not have another record name. References in other
    /// records to the former name now refer to the object whose record has that name.
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

    /// Moves the links that came from the server. Links that were made here belong to the object
    /// and wait for its own record.
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

    /// Moves the references that came from the server. References that were set here belong to the
    /// object and wait for its own record.
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
