import CoreData

/// The three versions of an object that both sides may have changed, and what becomes of it.
///
/// Pure: it reads and writes nothing, so every policy can be tested without an engine.
struct ConflictResolution {
    /// What becomes of an object.
    struct Outcome: Equatable {
        /// The object's properties from now on.
        var fields: FieldValues
        /// Whether the local version lives on as a new object.
        var keepsLocalAsNewObject = false
        /// Whether the two versions really differed in what both changed.
        var isConflict = false
    }

    let mapping: RecordMapping
    let policy: SMSyncConflictResolutionPolicy
    let local: FieldValues
    let server: FieldValues
    /// The properties changed here with their values before; nil where the two sides never agreed,
    /// because each created the object.
    let base: FieldValues?

    /// The object as both sides last agreed: the local one with the changed properties put back.
    /// Without fields where they never agreed.
    var ancestor: FieldValues {
        guard let base else { return FieldValues() }
        return FieldValues(local.values.merging(base.values) { _, old in old })
    }

    /// The properties that were changed here.
    private var localChanges: Set<String> {
        base == nil ? mapping.propertyNames : mapping.differences(local, ancestor)
    }

    /// The properties that both sides changed, and not to the same value.
    private var contested: Set<String> {
        let differing = mapping.differences(local, server)
        guard base != nil else { return differing }
        let ancestor = ancestor
        return differing.intersection(localChanges)
            .filter { !mapping.isEqual($0, server[$0], ancestor[$0]) }
    }

    /// Whether the policy's block has to be asked.
    var needsApplication: Bool {
        guard policy.asksApplication, outcomeWithoutConflict == nil else { return false }
        return policy == .clientTellsWhichWins || !contested.isEmpty
    }

    /// The outcome where one side changed nothing, or both came to the same.
    private var outcomeWithoutConflict: Outcome? {
        if mapping.differences(local, server).isEmpty { return Outcome(fields: server) }
        guard base != nil else { return nil }
        if mapping.differences(server, ancestor).isEmpty { return Outcome(fields: local) }
        if localChanges.isEmpty { return Outcome(fields: server) }
        return nil
    }

    /// Decides.
    ///
    /// - Parameter decision: What the application decided, if it was asked; nil lets the server win.
    func outcome(decision: FieldValues? = nil) -> Outcome {
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
    /// sides changed them.
    private func merged(contestedFrom winner: FieldValues) -> FieldValues {
        var merged = server
        let contested = contested
        for name in localChanges.union(contested) {
            merged[name] = contested.contains(name) ? winner[name] : local[name]
        }
        return merged
    }
}

extension SMSyncConflictResolutionPolicy {
    /// Whether the application's block may be asked.
    var asksApplication: Bool {
        self == .clientTellsWhichWins || self == .mergeByPropertyClientTells
    }

    /// Whether an object that was edited here lives on though the server deleted it.
    var localEditSurvivesServerDeletion: Bool { self != .serverRecordWins }

    /// Whether an object that was deleted here comes back because the server's record was edited.
    var serverEditSurvivesLocalDeletion: Bool { self != .clientRecordWins }
}

extension ReceivedRecord {
    /// Whether the server has exactly what was sent last for a change: then that save was ours and
    /// only its answer was lost.
    func isAnswer(to pending: OutboxEntry, _ fields: FieldValues) -> Bool {
        pending.sent != nil && pending.sent == mapping.fingerprint(fields)
    }

    /// Whether it is the version that the store knows already. Such a record is fetched again after a
    /// migration, for what the older model had no place for; nobody has edited it.
    func isVersion(_ systemFields: Data?) throws -> Bool {
        guard let systemFields, let changeTag else { return false }
        return (try? SystemFields.record(from: systemFields))?.recordChangeTag == changeTag
    }
}

extension StoreDatabase {
    /// The conflict between a pending change and what the server has.
    func resolution(
        _ received: ReceivedRecord, _ row: ObjectRow, _ pending: OutboxEntry,
        _ policy: SMSyncConflictResolutionPolicy
    ) throws -> ConflictResolution {
        var local = try fields(of: row, received.mapping)
        var server = received.fields
        for attribute in received.mapping.attributes where !attribute.column.isOptional {
            // A record of an older app may lack it; the local value stays, and is no edit.
            let name = attribute.column.name
            if server[name].isNull { server[name] = local[name] }
        }
        let isOurs = received.isAnswer(to: pending, server)
        if pending.kind == .update, try received.isVersion(pending.systemFields) {
            for name in received.mapping.propertyNames where !pending.base.keys.contains(name) {
                local[name] = server[name]
            }
        }
        return ConflictResolution(
            mapping: received.mapping, policy: policy, local: local, server: server,
            base: isOurs ? server : pending.kind == .insert ? nil : pending.base)
    }

    /// Whether a pending change makes an object other than the server has it: a change that was
    /// taken back, or that only rewrites a reference, does not.
    func isEdit(_ pending: OutboxEntry, of row: ObjectRow, _ mapping: RecordMapping?) throws
        -> Bool
    {
        guard let mapping, pending.kind == .update else { return true }
        let local = try fields(of: row, mapping)
        return pending.base.values.contains { name, value in
            mapping.propertyNames.contains(name) && !mapping.isEqual(name, local[name], value)
        }
    }
}
