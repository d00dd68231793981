import CoreData

extension RecordMapping {
    /// Whether a value is the one from before an edit; see ``OutboxEntry/former``.
    func isFormer(_ value: SQLiteValue, of name: String, _ pending: OutboxEntry) -> Bool {
        pending.former.values[name].map { isEqual(name, value, $0) } ?? false
    }

    /// The base values of a pending change. If the server has a value from before an edit of a property of which it
    /// was not known what the server has, it was not changed there. Neither was a property that is not in its
    /// present field yet.
    fileprivate func base(
        of pending: OutboxEntry, facing received: ReceivedRecord
    ) -> PropertyValues {
        var base = pending.base
        let former = pending.former.keys.filter { isFormer(received.fields[$0], of: $0, pending) }
        for name in received.unmoved.union(former) where base.values[name] == .null {
            base[name] = received.fields[name]
        }
        return base
    }
}

extension StoreDatabase {
    /// The conflict between a pending change and the server's record.
    ///
    /// - Parameter deletions: The names of records whose deletions arrived with it.
    func resolution(
        _ received: ReceivedRecord, _ row: ObjectRow, _ pending: OutboxEntry,
        _ policy: SMSyncConflictResolutionPolicy, deletions: Set<String>
    ) throws -> ConflictResolution {
        let mapping = received.mapping
        let isKnown = try received.isVersion(pending.systemFields)
        let defaults = try mapping.defaults
        var local = try fields(of: row, mapping)
        var pendingBase = mapping.base(of: pending, facing: received)
        if isKnown || received.isOnlyRewritten(since: pendingBase.adding(local)) {
            pendingBase = pendingBase.knowing(received.fields)
        }
        var agreed = defaults
        if pending.kind == .update {
            agreed = pendingBase.adding(local)
        }
        var server = received.fields
        for column in mapping.attributes.map(\.column) where server[column.name].isNull {
            // The record of an older version of the app may lack it. That is not an edit: the value
            // that both sides agreed on remains valid. An optional value may only lack the default:
            // otherwise a newer version has removed a value that this one required.
            let value = agreed[column.name]
            guard
                !column.isOptional
                    || isKnown && pendingBase.keys.contains(column.name)
                        && mapping.isEqual(column, value, defaults[column.name])
            else { continue }
            server[column.name] = value
        }
        if pending.kind == .update, isKnown {
            for name in mapping.propertyNames where !pendingBase.keys.contains(name) {
                local[name] = server[name]
            }
        }
        // What a migration has put where the old model had nothing is nobody's version. A former value tells a
        // reference whose destination was deleted.
        for name in pending.automatic.subtracting(pendingBase.keys)
            .subtracting(pending.former.keys)
        where !server[name].isNull
            && (local[name].isNull || mapping.isEqual(name, local[name], defaults[name]))
        {
            local[name] = server[name]
        }
        var base: PropertyValues? = pending.kind == .update ? pendingBase : nil
        if isKnown, pending.kind == .insert {
            base = server
        } else if !isKnown, !pending.sent.isEmpty,
            try !pending.isUnsent || received.isAnswer(to: sentVersions(of: pending, mapping))
        {
            base = try ancestor(
                received, pending, local, server, agreed: agreed, deletions: deletions)
        } else if !pending.replaced.values.isEmpty, pending.isUnsent,
            received.source.isLaterVersion(of: pending.systemFields)
        {
            base = pending.replaced
        }
        // What is known of a server that was forgotten: the values from before a deletion, and from before edits.
        var unchanged = pending.wasSent ? pending.former.present.adding(defaults) : defaults
        if pending.systemFields == nil { unchanged = pending.replaced.adding(unchanged) }
        let derived = mapping.derivedNames
        let released = try self.released(
            server, from: base?.adding(local) ?? PropertyValues(), local: local, pending, mapping,
            deletions)
        return ConflictResolution(
            mapping: mapping, policy: policy, local: local, server: server, base: base,
            defaults: unchanged,
            automatic: pending.automatic.union(derived).union(mapping.idleOrderNames(in: local)),
            automaticOnServer: derived.union(released)
                .union(mapping.idleOrderNames(in: server))
                .union(firstValues(pending, pendingBase, agreed, mapping)),
            followed: received.followed,
            unsent: mapping.sentByMigrations.filter { name in
                pending.kind == .update && pendingBase.values[name] == .null
                    && pending.sent.versions.allSatisfy { $0[name].isNull }
            })
    }

    /// The properties of which the server's value may be the first one, sent by another device's migration, so that it
    /// does not compete with an edit: this device has yet to send them because of a migration, too, or has no value.
    private func firstValues(
        _ pending: OutboxEntry, _ base: PropertyValues, _ agreed: PropertyValues,
        _ mapping: RecordMapping
    ) -> Set<String> {
        let oneToOnes = mapping.references.filter(\.isOneToOne).map(\.column.name)
        let unset = mapping.sentByMigrations.subtracting(base.keys)
            .filter { pending.kind == .update && agreed[$0].isNull }
        return pending.automatic.filter { base[$0].isNull }.union(unset).subtracting(oneToOnes)
    }

    /// The common ancestor if something was sent and the response is missing.
    ///
    /// If the zone's log says that the last version has arrived, it is the ancestor. If not, a property was not
    /// changed on the server if it has the value that was sent, or the value from before.
    ///
    /// - Parameters:
    ///   - agreed: The values that both sides agreed on before; the defaults for a new object.
    ///   - deletions: The names of records whose deletions arrived with it.
    /// - Returns: nil if the server's record was not sent by this device.
    private func ancestor(
        _ received: ReceivedRecord, _ pending: OutboxEntry, _ local: PropertyValues,
        _ server: PropertyValues, agreed: PropertyValues, deletions: Set<String>
    ) throws -> PropertyValues? {
        let mapping = received.mapping
        var sent = try sentVersions(of: pending, mapping)
        let hasLastArrived = try hasArrived(pending)
        if hasLastArrived == true { sent.keepLast() }
        var forms = (
            local: mapping.sentForm(local), server: mapping.sentForm(server),
            agreed: mapping.sentForm(agreed)
        )
        // A device that knows of a destination's deletion, or of its new owner, may have removed the reference from
        // the former version.
        let released =
            try hasLastArrived == true
            ? [] : Set(self.released(forms.server, from: forms.agreed, pending, mapping, deletions))
        for name in released { forms.server[name] = forms.agreed[name] }
        let isNew = pending.kind == .insert
        var mayHaveArrived = hasLastArrived == true
        if !mayHaveArrived {
            // Another device may have made a record with the same name, and therefore with the same
            // key. As long as nobody has edited the record, it is ours only if it has every value that
            // was sent. After an edit, the values in common decide, unless the log says that nothing has arrived.
            // What follows from a migration is the same on each device.
            let key = isNew ? mapping.naturalKey?.attributeNames : nil
            let isSeen = sent.hasArrived(
                server: forms.server, agreed: forms.agreed,
                names: mapping.propertyNames.subtracting(key ?? []).subtracting(pending.automatic))
            let isRefuted = hasLastArrived == false && sent.versions.count == 1
            if key != nil {
                let isOurs = received.source.isAsCreated ? received.isAnswer(to: sent) : isSeen
                guard isOurs == true, !isRefuted else { return nil }
            }
            // Only this device can have made a record with the name of a new object, unless it has forgotten that
            // the server had the object, or another device has sent it to a new zone.
            if isNew, key == nil, pending.attempts == 1, isRefuted { return nil }
            mayHaveArrived = isNew || isSeen == true
        }
        let version = mayHaveArrived ? sent.closest(to: forms.server) : nil
        var ancestor = agreed
        for name in mapping.propertyNames.subtracting(released) {
            let value = forms.server[name]
            let isUnchanged =
                hasLastArrived != true
                && (isNew
                    ? mapping.isFormer(server[name], of: name, pending)
                    : value == forms.agreed[name])
            // A value that the record lacks was filled in here, or taken from its former field.
            let isFilledIn =
                received.fields[name].isNull && !server[name].isNull
                || received.unmoved.contains(name)
            if isUnchanged || isFilledIn || sent.contains(value, of: name) {
                ancestor[name] = server[name]
            } else if let form = version?.values[name] {
                ancestor[name] =
                    form == forms.local[name]
                    ? local[name] : mapping.value(name, sent: form) ?? agreed[name]
            } else if ancestor.values[name] == nil {
                // What was sent with an older model may lack a property.
                ancestor[name] = .null
            }
        }
        return ancestor
    }
}
