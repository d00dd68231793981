import CoreData

extension RecordMapping {
    /// What ``Arrival`` has to know of the properties.
    var rules: Arrival.Rules {
        get throws {
            Arrival.Rules(
                names: propertyNames, composites: compositeNames,
                required: Set(requiredColumns.map(\.name)),
                key: Set(naturalKey?.attributeNames ?? []), derived: derivedNames,
                defaults: try defaults, idle: { self.idleOrderNames(in: $0) },
                isEqual: { self.isEqual($0, $1, $2) })
        }
    }
}

extension StoreDatabase {
    /// What waits of an object, with what the zone's log of requests says about it.
    func waiting(
        _ pending: OutboxEntry, _ values: PropertyValues = PropertyValues()
    ) throws -> Arrival.Object {
        Arrival.Object(
            isNew: pending.kind == .insert, wasSent: pending.wasSent,
            hasRecord: pending.systemFields != nil, values: values, changes: pending.changes,
            resend: pending.resend,
            requests: try pending.saves.map {
                Arrival.Object.Request(request: $0, hasArrived: try hasArrived($0))
            })
    }

    /// What a record means for an object with a change.
    ///
    /// - Parameter deletions: The names of records whose deletions arrived with it.
    func record(
        _ received: ReceivedRecord, _ pending: OutboxEntry, deletions: Set<String>
    ) throws -> Arrival.Record {
        let mapping = received.mapping
        let references = Set(mapping.references.map(\.column.name))
        var record = Arrival.Record(values: received.fields)
        if try received.isVersion(pending.systemFields) {
            record.version = .same
        } else if !received.source.isLaterVersion(of: pending.systemFields) {
            record.version = .other
        }
        record.followed = received.followed
        record.unmoved = received.unmoved
        record.isReleased = { name, former, local in
            guard references.contains(name) else { return false }
            // Another device may have set the same reference, and removed it with a destination that has just been
            // deleted.
            if let local = local.text, deletions.contains(local) { return true }
            guard let former = former.text else { return false }
            return try self.mayBeReleased(name, leadingTo: former, pending, mapping, deletions)
        }
        return record
    }

    /// The conflict between a pending change and the server's record.
    ///
    /// - Parameter deletions: The names of records whose deletions arrived with it.
    func resolution(
        _ received: ReceivedRecord, _ row: ObjectRow, _ pending: OutboxEntry,
        _ policy: SMSyncConflictResolutionPolicy, deletions: Set<String>
    ) throws -> ConflictResolution {
        let mapping = received.mapping
        let object = try waiting(pending, fields(of: row, mapping))
        var record = try self.record(received, pending, deletions: deletions)
        record.confirmsUnknown =
            record.version == .same
            || received.isOnlyRewritten(since: pending.base.adding(object.values))
        record.firstValues = firstValues(pending, object.values, mapping)
        let arrival = try Arrival(of: record, at: object, mapping.rules)
        return ConflictResolution(
            mapping: mapping, policy: policy, local: arrival.local, server: arrival.server,
            ancestor: arrival.ancestor, theirs: arrival.theirs, ours: arrival.ours,
            automatic: arrival.automatic,
            unsent: mapping.sentByMigrations.intersection(pending.resend)
                .subtracting(received.followed).filter { name in
                    mapping.compositeNames(with: name).allSatisfy { received.fields[$0].isNull }
                })
    }

    /// The properties of which the server's value may be the first one, sent by another device's migration, so that it
    /// does not compete with an edit: this device has yet to send them because of a migration, too, or has no value.
    private func firstValues(
        _ pending: OutboxEntry, _ values: PropertyValues, _ mapping: RecordMapping
    ) -> Set<String> {
        let (names, base) = (pending.changes.names, pending.base)
        let unset = mapping.sentByMigrations.subtracting(names)
            .filter { pending.kind == .update && base.adding(values)[$0].isNull }
        return pending.resend.union(pending.changes.unread).subtracting(names).union(unset)
            .subtracting(mapping.references.filter(\.isOneToOne).map(\.column.name))
    }
}
