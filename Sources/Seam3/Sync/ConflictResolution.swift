import CoreData

/// The three versions of an object that both sides may have changed, and what happens to it.
///
/// Pure: it reads and writes nothing, so every policy can be tested without an engine.
struct ConflictResolution {
    /// What happens to an object.
    struct Outcome: Equatable {
        /// The object's properties from now on.
        var fields: PropertyValues
        /// Whether the local version lives on as a new object.
        var keepsLocalAsNewObject = false
        /// Whether the two versions really differed in what both changed.
        var isConflict = false
    }

    let mapping: RecordMapping
    let policy: SMSyncConflictResolutionPolicy
    let local: PropertyValues
    let server: PropertyValues
    /// The properties changed here with their values before; nil where the two sides never agreed,
    /// because each created the object.
    let base: PropertyValues?
    /// What counts as unchanged where the two sides never agreed and their properties are merged, so
    /// that what one side has set beats what the other has left alone; nil if everything counts as
    /// changed.
    let defaults: PropertyValues?
    /// The properties that no user has changed here, whatever they are now.
    let automatic: Set<String>
    /// The same of the server's.
    let automaticOnServer: Set<String>

    /// The object as both sides last agreed: the local one with the changed properties put back.
    /// Without fields where they never agreed.
    var ancestor: PropertyValues {
        guard let base else { return PropertyValues() }
        return PropertyValues(local.values.merging(base.values) { _, old in old })
    }

    /// What the properties of both sides are compared with when they are merged.
    private var unchanged: PropertyValues? { base == nil ? defaults : ancestor }

    /// The properties that were changed here.
    private var localChanges: Set<String> {
        unchanged.map { mapping.differences(local, $0) } ?? mapping.propertyNames
    }

    /// The properties that both sides changed, and not to the same value.
    private var contested: Set<String> {
        let differing = mapping.differences(local, server)
        guard let unchanged else { return differing }
        return differing.intersection(localChanges)
            .filter { !mapping.isEqual($0, server[$0], unchanged[$0]) }
    }

    /// Those of them that users have changed on both sides.
    private var contestedByUsers: Set<String> {
        contested.subtracting(automatic).subtracting(automaticOnServer)
    }

    /// Whether the policy's block has to be asked.
    var needsApplication: Bool {
        guard policy.asksApplication, outcomeWithoutConflict == nil else { return false }
        return policy == .clientTellsWhichWins || !contestedByUsers.isEmpty
    }

    /// The outcome where one side changed nothing, or both came to the same.
    private var outcomeWithoutConflict: Outcome? {
        let differing = mapping.differences(local, server)
        if differing.isEmpty { return Outcome(fields: server) }
        guard base != nil else { return nil }
        let serverEdits = mapping.differences(server, ancestor).subtracting(automaticOnServer)
        if serverEdits.isDisjoint(with: differing) {
            return Outcome(fields: merged(contestedFrom: local))
        }
        if localChanges.subtracting(automatic).isDisjoint(with: differing) {
            return Outcome(fields: merged(contestedFrom: server))
        }
        return nil
    }

    /// Decides.
    ///
    /// - Parameter decision: What the app decided, if it was asked; nil lets the server win.
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

    /// The server's properties with those that were changed here, and with some version's where both
    /// sides changed them. What a user has changed on one side only is no contest.
    private func merged(contestedFrom winner: PropertyValues) -> PropertyValues {
        var merged = server
        let (contested, contestedByUsers) = (contested, contestedByUsers)
        for name in localChanges.union(contested) {
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
    /// Whether the app's block may be asked.
    var asksApplication: Bool {
        self == .clientTellsWhichWins || self == .mergeByPropertyClientTells
    }

    /// Whether an object that was edited here lives on though the server deleted it.
    var localEditSurvivesServerDeletion: Bool { self != .serverRecordWins }

    /// Whether an object that was deleted here comes back because the server's record was edited.
    var serverEditSurvivesLocalDeletion: Bool { self != .clientRecordWins }
}

extension ReceivedRecord {
    /// Whether the server has exactly what was sent for a change: then that save was ours and only
    /// its answer was lost.
    func isAnswer(to pending: OutboxEntry) -> Bool {
        guard !pending.sent.isEmpty else { return false }
        let form = mapping.sentForm(fields)
        // A value that the server lacks though it is required, as in a record of an older
        // application, was not changed there.
        let lacking = Set(mapping.attributes.map(\.column).filter { !$0.isOptional }.map(\.name))
            .filter { form[$0].isNull }
        return pending.sent.versions.contains { version in
            mapping.propertyNames.subtracting(lacking).allSatisfy { version[$0] == form[$0] }
        }
    }

    /// Whether the values of its natural key were sent in some version of a change.
    func hasKey(ofAnyOf sent: SentVersions, _ key: NaturalKey) -> Bool {
        let form = mapping.sentForm(fields)
        return sent.versions.contains { version in
            key.attributeNames.allSatisfy { version[$0] == form[$0] }
        }
    }

    /// Whether it is the version that the store knows already. Such a record is fetched again after a
    /// migration, for what the older model had no place for; nobody has edited it.
    func isVersion(_ systemFields: Data?) throws -> Bool {
        guard let systemFields, let changeTag else { return false }
        return (try? SystemFields.record(from: systemFields))?.changeTag == changeTag
    }
}

extension StoreDatabase {
    /// The conflict between a pending change and what the server has.
    ///
    /// - Parameter deletions: The names of the records that were deleted since.
    func resolution(
        _ received: ReceivedRecord, _ row: ObjectRow, _ pending: OutboxEntry,
        _ policy: SMSyncConflictResolutionPolicy, deletions: Set<String>
    ) throws -> ConflictResolution {
        let mapping = received.mapping
        let isKnown = try received.isVersion(pending.systemFields)
        let defaults = try mapping.defaults
        var local = try fields(of: row, mapping)
        var agreed = defaults
        if pending.kind == .update {
            agreed = PropertyValues(local.values.merging(pending.base.values) { _, old in old })
        }
        var server = received.fields
        for column in mapping.attributes.map(\.column) where server[column.name].isNull {
            // A record of an older application may lack it. That is no edit: what both sides agreed
            // on still counts.
            guard !column.isOptional || isKnown && pending.base.keys.contains(column.name)
            else { continue }
            let value = agreed[column.name]
            // A new object may lack a default as well.
            let isLacking = value.isNull && !column.isOptional
            server[column.name] = isLacking ? local[column.name] : value
        }
        if pending.kind == .update, isKnown {
            for name in mapping.propertyNames where !pending.base.keys.contains(name) {
                local[name] = server[name]
            }
        }
        var base: PropertyValues? = pending.kind == .update ? pending.base : nil
        if isKnown, pending.kind == .insert {
            base = server
        } else if !isKnown, !pending.sent.isEmpty {
            base = try ancestor(received, pending, local, server, agreed: agreed)
        }
        let derived = mapping.derivedNames
        let released = try base.map { base in
            try mapping.references.map(\.column.name).filter { name in
                guard server[name].isNull, let former = (base.values[name] ?? local[name]).text
                else { return false }
                return try mayBeKnownAsDeleted(former, deletions)
            }
        }
        return ConflictResolution(
            mapping: mapping, policy: policy, local: local, server: server, base: base,
            defaults: mapping.naturalKey == nil ? nil : defaults,
            automatic: pending.automatic.union(derived).union(mapping.idleOrderNames(in: local)),
            automaticOnServer: derived.union(released ?? [])
                .union(mapping.idleOrderNames(in: server)))
    }

    /// Whether other devices may know of a record that it is deleted, and have taken references to it
    /// away: its deletion has come, or was sent.
    ///
    /// - Parameter deletions: The names of the records whose deletions have just come.
    func mayBeKnownAsDeleted(_ recordName: String, _ deletions: Set<String>) throws -> Bool {
        if deletions.contains(recordName) { return true }
        let entry = try objects.entry(named: recordName)
        if entry?.isPresent == true { return false }
        if let entry, entry.isDeleted, let deletion = try outbox.entry(of: entry.pk),
            deletion.attempts > 0
        {
            return true
        }
        return try tombstones.contains(recordName)
    }

    /// Whether a record lacks a reference that an object changed here has, or had, and which a deletion
    /// that has not come yet may have taken from it, or an object that is the reference's new owner.
    func mayFollowDeletion(
        _ received: ReceivedRecord, _ pending: OutboxEntry, _ deletions: Set<String>
    ) throws -> Bool {
        let mapping = received.mapping
        let missing = mapping.references.map(\.column.name).filter { name in
            received.fields[name].isNull && !mapping.derivedNames.contains(name)
        }
        guard !missing.isEmpty else { return false }
        var known = pending.base
        if let row = try rows.row(pending.pk, of: mapping.entity) {
            known = PropertyValues(
                try fields(of: row, mapping).values.merging(pending.base.values) { _, old in old })
        }
        return try missing.contains { name in
            guard let former = known[name].text else { return false }
            return try !mayBeKnownAsDeleted(former, deletions)
        }
    }

    /// What both sides have in common where something was sent and not answered.
    ///
    /// A property that the server has as it was sent was not changed there since, and neither was one
    /// that is as it was before.
    ///
    /// - Parameter agreed: What both sides agreed on before; the defaults for a new object.
    /// - Returns: nil if the server's record does not come from here.
    private func ancestor(
        _ received: ReceivedRecord, _ pending: OutboxEntry, _ local: PropertyValues,
        _ server: PropertyValues, agreed: PropertyValues
    ) throws -> PropertyValues? {
        let (mapping, sent) = (received.mapping, pending.sent)
        let forms = (
            local: mapping.sentForm(local), server: mapping.sentForm(server),
            agreed: mapping.sentForm(agreed)
        )
        let isNew = pending.kind == .insert
        let isSetBack = try isSetBack(received, pending, forms.server, forms.agreed)
        // Another device may have made a record of the same name; the key is the same then anyway. As
        // long as nobody has edited the record, it is ours only if it has all that was sent; later what
        // it has in common with that has to tell.
        let key = isNew ? mapping.naturalKey?.attributeNames : nil
        let hasArrived = sent.hasArrived(
            server: forms.server, agreed: forms.agreed,
            names: mapping.propertyNames.subtracting(key ?? []))
        if key != nil {
            let isOurs = received.source.isAsCreated ? received.isAnswer(to: pending) : hasArrived
            guard isOurs == true else { return nil }
        }
        // Only a request from here can have made a record with the name of a new object.
        let mayHaveArrived = isNew || isSetBack || hasArrived != false
        let version = mayHaveArrived ? sent.closest(to: forms.server) : nil
        var ancestor = agreed
        for name in mapping.propertyNames {
            let value = forms.server[name]
            let isUnchanged = value == forms.agreed[name] && !isNew && !isSetBack
            if isUnchanged || sent.contains(value, of: name) {
                ancestor[name] = server[name]
            } else if let form = version?.values[name] {
                ancestor[name] =
                    form == forms.local[name]
                    ? local[name] : mapping.value(name, sent: form) ?? agreed[name]
            }
        }
        return ancestor
    }

    /// Whether another device has set back what was sent: that has arrived, as the zone says, and the record
    /// has another version since in which all is as it was before.
    private func isSetBack(
        _ received: ReceivedRecord, _ pending: OutboxEntry, _ server: PropertyValues,
        _ agreed: PropertyValues
    ) throws -> Bool {
        guard pending.kind == .update, try mayBeSetBack(pending) else { return false }
        let mapping = received.mapping
        return mapping.propertyNames.subtracting(mapping.derivedNames)
            .allSatisfy { server[$0] == agreed[$0] }
    }

    /// Whether what was sent of an object last has arrived, as the zone says: a version of the record in which
    /// all is as it was before is another device's then.
    func mayBeSetBack(_ pending: OutboxEntry) throws -> Bool {
        guard pending.hasReadableSystemFields, let request = pending.request else { return false }
        return try syncState.hasArrived(request)
    }

    /// Whether a pending change is an edit, which makes an object other than the server has it: a change
    /// that was taken back, that only rewrites a reference, or that no user has made is none. Neither is
    /// an end that another record decides.
    func isEdit(_ pending: OutboxEntry, of row: ObjectRow, _ mapping: RecordMapping?) throws
        -> Bool
    {
        guard let mapping, pending.kind == .update else { return true }
        let local = try fields(of: row, mapping)
        let automatic = pending.automatic.union(mapping.derivedNames)
            .union(mapping.idleOrderNames(in: local))
        return pending.base.values.contains { name, value in
            mapping.propertyNames.contains(name) && !automatic.contains(name)
                && !mapping.isEqual(name, local[name], value)
        }
    }
}
