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

    /// The properties that a migration has yet to send for the first time. If the server's record lacks one, its
    /// version says nothing about it, so the local value stays even if that version wins as a whole.
    var unsent: Set<String> = []

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
        keepUnsent(&outcome.fields)
        return outcome
    }

    private func keepUnsent(_ fields: inout PropertyValues) {
        for property in unsent.map({ mapping.compositeNames(with: $0) })
        where property.allSatisfy({ fields[$0].isNull && server[$0].isNull }) {
            for name in property { fields[name] = local[name] }
        }
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
