import CoreData

/// Resolves a conflict from three versions of an object: the local one, the server's, and their
/// common ancestor.
///
/// It reads and writes nothing, so every policy can be tested without an engine.
struct ConflictResolution {
    /// The result for an object.
    struct Outcome: Equatable {
        /// The object's new properties.
        var fields: PropertyValues
        /// Whether the local version is kept as a new object.
        var keepsLocalAsNewObject = false
        /// Whether both sides changed the same properties to different values.
        var isConflict = false
    }

    let mapping: RecordMapping
    let policy: SMSyncConflictResolutionPolicy
    let local: PropertyValues
    let server: PropertyValues
    /// The base values of the locally changed properties; nil if the two sides never agreed,
    /// because each created the object.
    let base: PropertyValues?
    /// The values that count as unchanged if the two sides never agreed and their properties are
    /// merged, so that a value that one side has set beats one that the other has left alone.
    let defaults: PropertyValues
    /// The properties whose local changes were not made by a user.
    let automatic: Set<String>
    /// The same for the server's changes.
    let automaticOnServer: Set<String>
    /// The properties that were changed on the server even if they are as in the ancestor, because their values
    /// come from former fields.
    let followed: Set<String>

    /// The last version that both sides agreed on: the local object with the base values restored.
    /// Empty if they never agreed.
    var ancestor: PropertyValues {
        base?.adding(local) ?? PropertyValues()
    }

    /// Whether a conflict is between the same versions of an object.
    func hasVersions(of other: ConflictResolution) -> Bool {
        local == other.local && server == other.server && base == other.base
    }

    /// The values with which both sides are compared when their properties are merged.
    private var unchanged: PropertyValues { base == nil ? defaults : ancestor }

    /// The properties that were changed locally.
    private var localChanges: Set<String> {
        let differing = mapping.differences(local, unchanged)
        guard let names = base?.unknownNames, !names.isEmpty else { return differing }
        return differing.union(names.intersection(mapping.propertyNames))
    }

    /// The properties that were changed on the server.
    private var serverChanges: Set<String> {
        mapping.differences(server, unchanged).union(followed)
    }

    /// The properties that both sides changed to different values.
    private var contested: Set<String> {
        mapping.differences(local, server).intersection(localChanges).intersection(serverChanges)
    }

    /// The contested properties that users have changed on both sides, and that a policy decides.
    private var contestedByUsers: Set<String> {
        contested.subtracting(automatic).subtracting(automaticOnServer).subtracting(contestedOrders)
    }

    /// The order keys of members that both sides have moved within one relationship. No policy decides an order: the
    /// server's keys win.
    private var contestedOrders: Set<String> {
        let orders = mapping.references.map(\.column)
            .filter { $0.orderIndex != nil && local[$0.name] == server[$0.name] }.map(\.orderName)
        return orders.isEmpty ? [] : contested.intersection(orders)
    }

    /// Whether the app's block has to be called.
    var needsApplication: Bool {
        guard policy.asksApplication, outcomeWithoutConflict == nil else { return false }
        return policy == .clientTellsWhichWins || !contestedByUsers.isEmpty
    }

    /// The outcome if only one side changed something, or both have the same values; nil otherwise.
    private var outcomeWithoutConflict: Outcome? {
        let differing = mapping.differences(local, server)
        if differing.isEmpty { return Outcome(fields: server) }
        guard base != nil else { return nil }
        let decided = differing.subtracting(contestedOrders)
        let serverEdits = serverChanges.subtracting(automaticOnServer)
        if serverEdits.isDisjoint(with: decided) {
            return Outcome(fields: merged(contestedFrom: local))
        }
        if localChanges.subtracting(automatic).isDisjoint(with: decided) {
            return Outcome(fields: merged(contestedFrom: server))
        }
        return nil
    }

    /// Resolves the conflict.
    ///
    /// - Parameter decision: The app's decision, if it was asked; nil lets the server win.
    func outcome(decision: PropertyValues? = nil) -> Outcome {
        if let outcome = outcomeWithoutConflict { return outcome }
        var outcome = Outcome(fields: server, isConflict: true)
        switch policy {
        case .serverRecordWins:
            break
        case .clientRecordWins:
            outcome.fields = local
        case .clientTellsWhichWins:
            outcome.fields = decision ?? server
        case .keepBoth:
            outcome.keepsLocalAsNewObject = true
        case .mergeByProperty:
            outcome.fields = merged(contestedFrom: server)
        case .mergeByPropertyClientWins:
            outcome.fields = merged(contestedFrom: local)
        case .mergeByPropertyClientTells:
            outcome.fields = merged(contestedFrom: decision ?? server)
        }
        return outcome
    }

    /// The server's properties with the local changes, and with the winner's values where both
    /// sides changed them. A property that a user has changed on one side only is not contested.
    private func merged(contestedFrom winner: PropertyValues) -> PropertyValues {
        var merged = server
        let (contested, contestedByUsers) = (contested, contestedByUsers)
        for name in localChanges.subtracting(contestedOrders) {
            if contestedByUsers.contains(name) {
                merged[name] = winner[name]
            } else if !contested.contains(name) || !automatic.contains(name) {
                merged[name] = local[name]
            }
        }
        return merged
    }
}

extension SMSyncConflictResolutionPolicy {
    /// Whether the app's block may be called.
    var asksApplication: Bool {
        self == .clientTellsWhichWins || self == .mergeByPropertyClientTells
    }

    /// Whether the properties of the two sides are merged.
    var mergesProperties: Bool {
        switch self {
        case .mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells: return true
        case .serverRecordWins, .clientRecordWins, .clientTellsWhichWins, .keepBoth: return false
        }
    }

    /// Whether an object with local edits survives a deletion on the server.
    var localEditSurvivesServerDeletion: Bool { self != .serverRecordWins }

    /// Whether a locally deleted object comes back because its record was edited on the server.
    var serverEditSurvivesLocalDeletion: Bool { self != .clientRecordWins }
}

extension ReceivedRecord {
    /// Whether the server has exactly the values that were sent for a change. If so, the save was
    /// this device's, and only its response was lost.
    func isAnswer(to pending: OutboxEntry) -> Bool { isAnswer(to: pending.sent) }

    /// Whether the server has exactly the values of one of some versions.
    func isAnswer(to sent: SentVersions) -> Bool {
        guard !sent.isEmpty else { return false }
        let form = mapping.sentForm(fields)
        let names = mapping.propertyNames.subtracting(lackingNames)
        return sent.versions.contains { version in
            names.allSatisfy { version[$0] == form[$0] }
        }
    }

    /// The required values that it lacks, for example because an older version of the app made the record. They were
    /// not changed there.
    private var lackingNames: Set<String> {
        Set(mapping.requiredColumns.map(\.name)).filter { fields[$0].isNull }
    }

    /// Whether nobody seems to have edited it since a version of which some properties are unknown, because they were
    /// changed before the file was adopted: all others are the same, and another device has rewritten the references
    /// of Seam3 1, which cascaded.
    ///
    /// - Parameter version: All of its properties.
    func isOnlyRewritten(since version: PropertyValues) -> Bool {
        let unknown = version.unknownNames
        guard !unknown.isEmpty, cascadingReferences.isEmpty,
            mapping.references.contains(where: { !fields[$0.column.name].isNull })
        else { return false }
        return mapping.differences(fields, version).subtracting(lackingNames)
            .isSubset(of: unknown)
    }

    /// Whether the values of its natural key match one of some versions, in the form of
    /// ``RecordMapping/sentForm(_:)``.
    func hasKey(ofAnyOf versions: [PropertyValues], _ key: NaturalKey) -> Bool {
        let form = mapping.sentForm(fields)
        return versions.contains { version in
            key.attributeNames.allSatisfy { version[$0] == form[$0] }
        }
    }

    /// Whether it is the version that the store already has. Such a record is fetched again after a
    /// migration, for fields that the older model did not have. Nobody has edited it.
    func isVersion(_ systemFields: Data?) throws -> Bool {
        guard let systemFields, let changeTag else { return false }
        return (try? SystemFields.record(from: systemFields))?.changeTag == changeTag
    }
}

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
        let derived = mapping.derivedNames
        let released = try self.released(
            server, from: base?.adding(local) ?? PropertyValues(), local: local, pending, mapping,
            deletions)
        return ConflictResolution(
            mapping: mapping, policy: policy, local: local, server: server, base: base,
            defaults: pending.wasSent ? pending.former.present.adding(defaults) : defaults,
            automatic: pending.automatic.union(derived).union(mapping.idleOrderNames(in: local)),
            automaticOnServer: derived.union(released)
                .union(mapping.idleOrderNames(in: server))
                .union(firstValues(pending, pendingBase, agreed, mapping)),
            followed: received.followed)
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
