import CoreData

/// Determines what to send for changes, within one transaction.
struct OutgoingReader {
    /// What to do with a change.
    enum Step {
        case send(OutgoingChange)
        /// Another change has to be acknowledged first.
        case wait
        /// There is nothing to send.
        case drop
    }

    let database: StoreDatabase
    let mappings: RecordMappings
    let occupied: OccupiedDestinations

    /// What to do with a change.
    func step(for change: OutboxEntry) throws -> Step {
        guard RecordNames.accepts(change.recordName) else { return .drop }
        if change.kind == .delete {
            return .send(OutgoingChange(change: change, content: .deletion))
        }
        if let link = database.schema.link(number: change.entity) {
            return try step(for: change, link)
        }
        guard let entity = database.schema.entity(number: change.entity),
            let mapping = mappings.mapping(of: entity),
            let row = try database.rows.row(change.pk, of: entity)
        else { return .drop }
        let known = mapping.propertyNames.union(mapping.formerReferences.map(\.reference.name))
        if change.kind == .update, change.names.isDisjoint(with: known) { return .drop }
        return try step(for: change, row, mapping)
    }

    private func step(for change: OutboxEntry, _ link: LinkSchema) throws -> Step {
        guard let record = try database.linkRecord(change.pk, link),
            [record.source, record.target].allSatisfy(RecordNames.accepts),
            let row = try database.links.row(change.pk, link)
        else { return .drop }
        if try mayNeedAnotherRecord(row.source, link.sourceEntity)
            || mayNeedAnotherRecord(row.target, link.targetEntity)
        {
            return .wait
        }
        return .send(OutgoingChange(change: change, content: .link(record)))
    }

    private func step(
        for change: OutboxEntry, _ row: ObjectRow, _ mapping: RecordMapping
    ) throws -> Step {
        var fields = try database.fields(of: row, mapping)
        var held: Set<String> = []
        var released: Set<String> = []
        var destinations: [Int64] = []
        let (names, base) = (change.names, change.base)
        for reference in mapping.references {
            let name = reference.column.name
            guard change.kind == .insert || names.contains(name) else { continue }
            guard let target = row.values[reference.column.index].integer else {
                if try isTakenByUnknownRecord(reference, of: change) {
                    held.insert(name)
                    fields[name] = base[name]
                }
                continue
            }
            if try mayNeedAnotherRecord(target, reference.column.destinationName) {
                held.insert(name)
                fields[name] = base[name]
            } else if try isOccupied(reference, from: change, to: target, fields[name].text) {
                held.insert(name)
                fields[name] = .null
                // Another object may be waiting for the former destination.
                if !base[name].isNull { released.insert(name) }
            } else {
                destinations.append(target)
            }
        }
        if change.kind == .update, held.subtracting(released).isSuperset(of: names) {
            return .wait
        }
        return .send(
            OutgoingChange(
                change: change, content: .object(mapping, fields), destinations: destinations,
                heldReferences: held, releasedReferences: released))
    }

    /// Whether the destination of a one-to-one relationship still belongs to another object on the server. Neither
    /// end is sent until then: other devices would remove one that does not match.
    private func isOccupied(
        _ reference: RecordMapping.Reference, from change: OutboxEntry, to target: Int64,
        _ recordName: String?
    ) throws -> Bool {
        if reference.decidesInverse {
            return try recordName.map {
                try occupied.contains($0, of: reference.column, except: change.pk)
            } ?? false
        }
        guard reference.isDecidedByInverse,
            let deciding = database.schema.inverse(of: reference.column)
        else { return false }
        return try occupied.contains(change.recordName, of: deciding, except: target)
    }

    /// Whether the destination that an object has lost belongs to one whose record the server does not have,
    /// and may refuse. Until it has it, the other devices keep the reference.
    private func isTakenByUnknownRecord(
        _ reference: RecordMapping.Reference, of change: OutboxEntry
    ) throws -> Bool {
        guard reference.decidesInverse, change.kind == .update,
            let former = change.base[reference.column.name].text,
            let table = database.schema.entity(named: reference.column.owner)?.table,
            let destination = try database.objects.entry(named: former)
        else { return false }
        return try database.references
            .keysPointing(reference.column, in: table, at: destination.pk)
            .contains { owner in
                guard owner != change.pk, let pending = try database.outbox.entry(of: owner) else {
                    return false
                }
                return pending.kind == .insert && pending.systemFields == nil
            }
    }

    /// Whether an object may have to give up the record name of its natural key to another device's
    /// object. That is possible until the server has acknowledged it, and a reference sent before
    /// then would refer to the other object.
    private func mayNeedAnotherRecord(_ pk: Int64, _ entityName: String) throws -> Bool {
        guard mappings.mayHaveNaturalKey(entityName), let entry = try database.objects.entry(pk),
            entry.isPresent, entry.systemFields == nil,
            let entity = database.schema.entity(number: entry.entity),
            mappings.mapping(of: entity)?.naturalKey != nil,
            let pending = try database.outbox.entry(of: pk)
        else { return false }
        return pending.kind == .insert && pending.state != .parked
    }
}
