import CoreData

extension RecordMapping {
    /// What ``Arrival`` has to know of the properties.
    var rules: Arrival.Rules {
        get throws {
            Arrival.Rules(
                names: propertyNames, composites: compositeNames, stampKeys: stampKeys,
                encrypted: Set(attributes.filter(\.isEncrypted).map(\.column.name)),
                hasNaturalKey: naturalKey != nil, required: Set(requiredColumns.map(\.name)),
                defaults: try defaults,
                idle: { self.idleOrderNames(in: $0) }, isEqual: { self.isEqual($0, $1, $2) })
        }
    }
}

extension StoreDatabase {
    /// What a record means for an object with a change.
    ///
    /// - Parameters:
    ///   - received: The record.
    ///   - pending: The change.
    ///   - values: The object's present values; those that it had if it was deleted.
    ///   - isCurrent: Whether the record is certainly the present version.
    func arrival(
        of received: ReceivedRecord, at pending: OutboxEntry, _ values: PropertyValues,
        isCurrent: Bool
    ) throws -> Arrival {
        let known = pending.systemFields.flatMap { try? SystemFields.record(from: $0) }
        var record = Arrival.Record(
            edits: received.edits, created: received.source.creationDate, isCurrent: isCurrent,
            values: received.fields)
        record.isKnown = known?.changeTag != nil && known?.changeTag == received.changeTag
        record.confirmsUnknown =
            record.isKnown || received.isOnlyRewritten(since: pending.base.adding(values))
        record.formerKeys = received.formerKeys
        let object = Arrival.Object(
            isNew: pending.kind == .insert,
            isMadeAgain: known == nil && !pending.replaced.values.isEmpty,
            edits: pending.edits, created: known?.creationDate, values: values,
            changes: pending.changes, resend: pending.resend, requests: pending.saves)
        return Arrival(of: record, at: object, try received.mapping.rules)
    }

    /// The conflict between a pending change and the server's record; nil if the record is older than what is known here.
    func resolution(
        _ received: ReceivedRecord, _ row: ObjectRow, _ pending: OutboxEntry,
        _ policy: SMSyncConflictResolutionPolicy, isCurrent: Bool
    ) throws -> ConflictResolution? {
        let mapping = received.mapping
        let arrival = try arrival(
            of: received, at: pending, fields(of: row, mapping), isCurrent: isCurrent)
        if arrival.relation == .lagging { return nil }
        return ConflictResolution(
            mapping: mapping, policy: policy, local: arrival.local, server: arrival.server,
            ancestor: arrival.ancestor, theirs: arrival.theirs, ours: arrival.ours,
            automatic: arrival.automatic, unwritten: arrival.unwritten)
    }
}
