import CoreData

/// Records that are named for the natural key of a new object, but belong to an object that another
/// device created.
extension StoreDatabase {
    /// Whether a record is named for the natural key of a new object, but belongs to another
    /// object, whose key has been changed since.
    func isOfAnotherObject(
        _ received: ReceivedRecord, than entry: ObjectEntry
    ) throws -> Bool {
        guard let key = received.mapping.naturalKey, entry.isPresent, entry.systemFields == nil,
            entry.entity == received.mapping.entity.number,
            let pending = try outbox.entry(of: entry.pk), pending.kind == .insert
        else { return false }
        if pending.saves.contains(where: { received.hasSaved($0) == true }) { return false }
        // Default content is what was made from the same key, also if a user has given that another value since.
        if pending.changes.isSeed,
            received.edits.isUnedited
                || pending.changes.edits().isDisjoint(with: key.attributeNames)
        {
            return false
        }
        // An object whose deletion was undone keeps its record, also with another key, unless somebody has made a
        // new record since.
        let replaced = pending.replaced
        if !replaced.values.isEmpty, received.hasKey(ofAnyOf: [replaced], key),
            !received.source.isMadeAgain(since: entry)
        {
            return false
        }
        // A record without stamps is ours if it has a key that was sent.
        let local =
            try rows.row(entry.pk, of: received.mapping.entity)
            .map { try fields(of: $0, received.mapping) } ?? PropertyValues()
        let sent = pending.saves.filter { !$0.isRefused && received.hasSaved($0) == nil }
            .map { pending.version(of: $0, current: local) }
        if received.hasKey(ofAnyOf: sent, key) { return false }
        var row = ObjectRow(pk: entry.pk, entity: received.mapping.entity)
        for attribute in received.mapping.attributes {
            row.values[attribute.column.index] = received.fields[attribute.column.name]
        }
        guard let name = key.recordName(of: row) else { return false }
        return try name != naturalName(of: entry, received.mapping)
    }

    /// The record name that the natural key of an object gives.
    func naturalName(of entry: ObjectEntry, _ mapping: RecordMapping) throws -> String? {
        try rows.row(entry.pk, of: mapping.entity).flatMap {
            mapping.naturalKey?.recordName(of: $0)
        }
    }
}

extension ServerChangeApplication {
    /// Gives a new object that the server does not have another record name. References in other
    /// records to the former name now refer to the object whose record has that name.
    mutating func makeWay(_ entry: ObjectEntry, for received: ReceivedRecord) throws {
        try database.objects.makeWay(
            entry, naturalName: database.naturalName(of: entry, received.mapping))
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
            if pending?.kind == .insert || pending?.names.contains(column.name) == true {
                continue
            }
            let other = try database.objects.keyForReference(recordName: recordName)
            try setDestination(other, of: referrer, entity, column, sent: nil)
            noteOneToOne(column, of: row, targets: [pk, other])
        }
    }

    /// Keeps what is set in an object whose record another device has made in a new zone, perhaps without
    /// knowing the object: what that record leaves unset, nobody has removed, so it counts as set here. So does what a
    /// user has edited here, and is default content there, and what was edited in a version that the device did not know.
    ///
    /// - Returns: The waiting change of the object; nil if there is none.
    func keepingSetValues(
        of row: ObjectRow, _ received: ReceivedRecord, _ entry: ObjectEntry,
        _ pending: OutboxEntry?
    ) throws -> OutboxEntry? {
        let mapping = received.mapping
        // Only a feed that is read from its beginning can be that of a new zone. What decodes the system
        // fields comes last.
        guard mapping.naturalKey != nil || pending == nil, pending?.kind != .insert,
            try database.syncState.sweep() != nil,
            received.source.isMadeAgain(since: entry)
        else { return pending }
        if pending == nil, try received.edits.isBehind(database.objects.edits(of: row.pk)) {
            // Nothing has changed here since, but what was sent in vain counts.
            try database.outbox.noteResend([], of: row.pk)
            return try database.outbox.entry(of: row.pk)
        }
        guard mapping.naturalKey != nil else { return pending }
        let (defaults, local) = (try mapping.defaults, try database.fields(of: row, mapping))
        let ignored = mapping.derivedNames.union(mapping.idleOrderNames(in: local))
        let isMerged = policies.policy(of: mapping).mergesProperties
        let known = try database.objects.edits(of: row.pk)
        let kept = mapping.differences(local, received.fields).subtracting(ignored)
            .filter { name in
                if isMerged, mapping.isEqual(name, received.fields[name], defaults[name]) {
                    return true
                }
                guard let key = received.stampKey(name), !received.fields[name].isNull,
                    !received.edits.isEdited(key, hasValue: true)
                else { return false }
                return known?.isEdited(key, hasValue: !local[name].isNull) ?? true
            }
        guard !kept.isEmpty else { return pending }
        let base = received.fields.limited(to: kept)
        var changes = pending?.changes ?? ChangeLayers()
        changes.setBase(base)
        try changes.note(base, .edit, revision: database.revision(), sent: nil)
        try database.outbox.replace(of: row.pk, changes, resend: pending?.resend ?? [])
        return try database.outbox.entry(of: row.pk)
    }
}
