import CoreData

/// Resolves a conflict between the two versions of an object, of which it is known who has edited what.
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
    /// The last version that both sides agreed on; nil if users have made the object on both.
    let ancestor: PropertyValues?
    /// The properties that users have edited on the server, and here.
    let theirs: Set<String>
    let ours: Set<String>
    /// The properties that have changed here by nobody, and not on the server.
    let automatic: Set<String>
    /// The properties that no save has ever written, or none but one of default content, so the local value stays even if
    /// the server's version wins as a whole.
    let unwritten: Set<String>

    /// Whether a conflict is between the same versions of an object.
    func hasVersions(of other: ConflictResolution) -> Bool {
        local == other.local && server == other.server && ancestor == other.ancestor
    }

    /// The order keys in relationships of which the object is a member on both sides. A place is no property of the member
    /// for its user, so it competes with none, and no policy decides it.
    private var orders: Set<String> {
        Set(
            mapping.references.map(\.column)
                .filter { $0.orderIndex != nil && local[$0.name] == server[$0.name] }
                .map(\.orderName))
    }

    /// The order key of the side that has moved the member; the server's if both have.
    private func place(_ name: String) -> SQLiteValue {
        let isMovedHere = ours.contains(name) || automatic.contains(name)
        return isMovedHere && !theirs.contains(name) ? local[name] : server[name]
    }

    /// Whether the app's block has to be called.
    var needsApplication: Bool {
        guard policy.asksApplication, isContested else { return false }
        return policy == .clientTellsWhichWins
            || !contested.intersection(mapping.differences(local, server)).isEmpty
    }

    /// The properties that users have edited on both sides, and that a policy decides.
    private var contested: Set<String> {
        theirs.intersection(ours).subtracting(orders)
    }

    /// Whether users have edited something on both sides, so that a policy decides.
    private var isContested: Bool {
        let decided = mapping.differences(local, server).subtracting(orders)
        if ancestor == nil { return !decided.isEmpty }
        return !theirs.isDisjoint(with: decided) && !ours.isDisjoint(with: decided)
    }

    /// Resolves the conflict.
    ///
    /// - Parameter decision: The app's decision, if it was asked; nil lets the server win.
    func outcome(decision: PropertyValues? = nil) -> Outcome {
        guard isContested else { return Outcome(fields: merged(contestedFrom: server)) }
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
        // The app's block may have placed it elsewhere.
        for name in orders where [local[name], server[name]].contains(outcome.fields[name]) {
            outcome.fields[name] = place(name)
        }
        for property in unwritten.map({ mapping.compositeNames(with: $0) })
        where property.allSatisfy({ [.null, server[$0]].contains(outcome.fields[$0]) }) {
            for name in property { outcome.fields[name] = local[name] }
        }
        return outcome
    }

    /// The server's properties with the local changes, and with the winner's values where both
    /// sides changed them. A property that a user has changed on one side only is not contested.
    private func merged(contestedFrom winner: PropertyValues) -> PropertyValues {
        var merged = server
        let contested = contested
        let orders = orders
        for name in mapping.differences(local, server) {
            if orders.contains(name) {
                merged[name] = place(name)
            } else if contested.contains(name) {
                merged[name] = winner[name]
            } else if ours.contains(name) || automatic.contains(name) {
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

    /// Whether one of its versions was saved by a request; nil if it has no stamps, or the request has no token.
    func hasSaved(_ request: SentRequest) -> Bool? {
        guard request.token != nil, let stamps = edits.stamps else { return nil }
        return stamps.version(savedBy: request) != nil
    }

    /// Whether the values of its natural key match one of some versions.
    func hasKey(ofAnyOf versions: [PropertyValues], _ key: NaturalKey) -> Bool {
        versions.contains { version in
            key.attributeNames.allSatisfy { mapping.isEqual($0, version[$0], fields[$0]) }
        }
    }

    /// Whether it is the version that the store already has. Such a record is fetched again after a
    /// migration, for fields that the older model did not have. Nobody has edited it.
    func isVersion(_ systemFields: Data?) throws -> Bool {
        guard let systemFields, let changeTag else { return false }
        return (try? SystemFields.record(from: systemFields))?.changeTag == changeTag
    }
}
