import CoreData

/// What a version of a record from the server means for the object with a waiting change: for each property, whether
/// somebody else has edited it since both sides last agreed, and whether a user has edited it here.
///
/// The record's edit stamps decide. What somebody has written who writes no stamps counts by its value.
///
/// It reads and writes nothing, so every case can be tested without an engine.
struct Arrival {
    /// What the properties of an entity are.
    struct Rules {
        /// The names of all properties that are synced, and those of the elements of each composite attribute.
        var names: Set<String>
        var composites: [Set<String>] = []
        /// The numbers of the edit stamps of each property's field, and then of its former ones. An end that another
        /// record decides has none.
        var stampKeys: [String: [UInt32]] = [:]
        /// The properties whose stamps have no digests.
        var encrypted: Set<String> = []
        /// Whether other devices may make objects with the same record name.
        var hasNaturalKey = false
        /// The required attributes.
        var required: Set<String> = []
        /// The values of an object in which nothing has been set.
        var defaults = PropertyValues()
        /// The order keys that mean nothing, because their references are nil.
        var idle: (PropertyValues) -> Set<String> = { _ in [] }
        /// Whether two values are equal when sent.
        var isEqual: (_ name: String, SQLiteValue, SQLiteValue) -> Bool = { $1 == $2 }
    }

    /// The object with the change.
    struct Object {
        /// Whether it waits to be sent as a new object.
        var isNew = false
        /// Whether its user has made it again after a deletion that may have been carried out.
        var isMadeAgain = false
        /// What is known of the record that it is based on: its edits, and when the server created it.
        var edits: KnownEdits?
        var created: Date?
        /// Its present values; those that it had if it was deleted.
        var values = PropertyValues()
        var changes = ChangeLayers()
        /// See ``OutboxEntry/resend``.
        var resend: Set<String> = []
        /// The requests that were to save it.
        var requests: [SentRequest] = []
        /// Whether it waits to be sent as new default content, which a user may have edited since.
        var isSeed: Bool { isNew && changes.isSeed }
    }

    /// The server's version.
    struct Record {
        var edits: KnownEdits
        var created: Date?
        /// Whether it is the version that the object is based on.
        var isKnown = false
        /// Whether it is certainly the present version: it came with a conflict, or was fetched by its name.
        var isCurrent = false
        /// The values; NULL for what the record lacks.
        var values: PropertyValues
        /// Whether nobody has changed what is unknown of the base.
        var confirmsUnknown = false
        /// The properties whose values are from former fields, with the numbers of those fields' stamps.
        var formerKeys: [String: UInt32] = [:]
    }

    /// How a record is related to the one that an object is based on.
    enum Relation {
        /// The known version itself, which is read again.
        case sameVersion
        /// A version from before the known one: a read that lags.
        case lagging
        /// A later version of the same record, or a version that this file has sent.
        case sameChain
        /// A version of the same record, but the stamps do not tell.
        case byValues
        /// Another incarnation of the record, which continues a version that is known here.
        case continued
        /// Another record with the same name.
        case bornAnew
    }

    let relation: Relation
    /// The values here, except those that are nobody's version.
    private(set) var local: PropertyValues
    /// The server's values, where it has what counts.
    private(set) var server: PropertyValues
    /// The last version that both sides agreed on; nil if users have made the object on both.
    private(set) var ancestor: PropertyValues?
    /// The properties that somebody else has edited.
    private(set) var theirs: Set<String> = []
    /// The properties that were edited here, and have not reached the server.
    private(set) var ours: Set<String> = []
    /// The properties that have changed here by nobody, and not on the server.
    private(set) var automatic: Set<String> = []
    /// The properties that no save has ever written, or none but one of default content. Their values here stay, and are
    /// sent.
    private(set) var unwritten: Set<String> = []

    private let record: Record
    private let object: Object
    private let rules: Rules
    /// The request that is known to have saved the object.
    private let arrived: SentRequest?
    /// The number of the last version that both sides know.
    private let version: UInt64

    /// What a version means for an object with a change.
    init(of record: Record, at object: Object, _ rules: Rules) {
        (self.record, self.object, self.rules) = (record, object, rules)
        (local, server) = (object.values, record.values)
        let (stamps, known) = (record.edits.stamps, object.edits?.stamps)
        var arrival: (request: SentRequest, version: UInt64)?
        for request in object.requests {
            if let version = stamps?.version(savedBy: request) { arrival = (request, version) }
        }
        arrived = arrival?.request
        let isSameRecord =
            object.created.flatMap { record.created?.isSameOnServer(as: $0) } ?? false
        if record.isKnown {
            (relation, version) = (.sameVersion, known?.version ?? 0)
        } else if let stamps, let known, stamps.chain == known.chain {
            if arrival != nil || stamps.version >= known.version {
                (relation, version) = (.sameChain, max(arrival?.version ?? 0, known.version))
            } else if isSameRecord, !record.isCurrent {
                (relation, version) = (.lagging, known.version)
            } else {
                (relation, version) = (.continued, stamps.version)
            }
        } else if let arrival {
            (relation, version) = (.sameChain, arrival.version)
        } else if isSameRecord
            || stamps == nil && known == nil && Self.mayHaveBeenMade(object, rules)
        {
            (relation, version) = (.byValues, 0)
        } else if let known, let common = stamps?.commonVersion(with: known) {
            (relation, version) = (.continued, common)
        } else {
            (relation, version) = (.bornAnew, 0)
        }
        if relation != .lagging { judge() }
    }

    /// Whether a record without stamps may be the object's own: it was sent, or has come from the server before. Other
    /// devices make records with the name of a natural key.
    private static func mayHaveBeenMade(_ object: Object, _ rules: Rules) -> Bool {
        !rules.hasNaturalKey
            && (object.requests.contains { !$0.isRefused } || !object.isNew && object.edits != nil)
    }

    // MARK: - Whose values

    private mutating func judge() {
        let changes =
            record.confirmsUnknown ? object.changes.knowing(record.values) : object.changes
        let last = arrived?.revision ?? .min
        let sent = changes.version(at: last, current: object.values)
        let isThere = object.isNew && !object.isSeed
        let edits = changes.edits(isThere: isThere)
        let laterEdits = changes.edits(after: last, isThere: isThere)
        let laterNames = changes.names(after: last)
        let unknown = changes.base.unknownNames
        // The stamps do not tell which of them has arrived.
        let versions =
            relation != .byValues
            ? []
            : object.requests.map {
                $0.held.adding(changes.version(at: $0.revision, current: object.values))
            }
        let isBirth = isThere && object.edits == nil && !object.isMadeAgain
        // Of default content, only later edits count.
        let areBothNew = relation == .bornAnew && isThere
        var base = PropertyValues()
        for name in rules.names {
            let held = arrived?.held.values[name]
            let isChanged = held != nil || laterNames.contains(name)
            let isEdit =
                held == nil ? laterEdits.contains(name) : isBirth || edits.contains(name)
            var agreed = held ?? sent[name]
            if isLacking(name, since: sent) {
                let isBorn = relation == .bornAnew && !object.isSeed
                server[name] = isBorn ? rules.defaults[name] : agreed
            }
            let (here, there) = (local[name], server[name])
            if areBothNew {
                base[name] = rules.defaults[name]
                let isWritten = isWrittenByUser(name)
                if isWritten, !isEqual(name, there, rules.defaults[name]) { theirs.insert(name) }
                guard !isEqual(name, here, rules.defaults[name]) else { continue }
                ours.insert(name)
                if !isWritten, !record.values[name].isNull { unwritten.insert(name) }
                continue
            }
            if versions.contains(where: { isEqual(name, $0[name], there) }) { agreed = there }
            if isTheirs(name, since: agreed) { theirs.insert(name) }
            if isAheadOfRecord(name) {
                // This device has seen more than whoever made the record.
                base.addUnknown([name])
                if !isEqual(name, here, there) { ours.insert(name) }
            } else {
                base[name] = agreed
            }
            guard isChanged, !isEqual(name, here, agreed) || unknown.contains(name) else {
                continue
            }
            if isEdit {
                ours.insert(name)
            } else if isEqual(name, there, agreed) {
                automatic.insert(name)
            }
        }
        finish(base: areBothNew && !record.edits.isUnedited ? nil : base)
    }

    private mutating func finish(base: PropertyValues?) {
        ancestor = base
        let stamped = Set(rules.stampKeys.keys)
        (theirs, ours) = (whole(theirs.intersection(stamped)), whole(ours.intersection(stamped)))
        theirs.subtract(rules.idle(server))
        ours.subtract(rules.idle(local))
        automatic.subtract(ours.union(theirs))
        // What nobody can have edited here, or nobody has edited, is nobody's version.
        for name in object.changes.unread.subtracting(ours) where !server[name].isNull {
            local[name] = server[name]
        }
        // Nor is default content: what a user has written elsewhere takes its place.
        for name in rules.names.subtracting(ours).subtracting(automatic)
        where stamped.contains(name) && (!theirs.contains(name) || object.isSeed) {
            local[name] = server[name]
        }
    }

    private func isEqual(_ name: String, _ left: SQLiteValue, _ right: SQLiteValue) -> Bool {
        rules.isEqual(name, left, right)
    }

    /// The number of the stamp of the field that the record's value is from.
    private func stampKey(_ name: String) -> UInt32? {
        record.formerKeys[name] ?? rules.stampKeys[name]?.first
    }

    /// Whether somebody else has edited a property since both sides had a value.
    private func isTheirs(_ name: String, since agreed: SQLiteValue) -> Bool {
        guard let key = stampKey(name) else { return false }
        let there = server[name]
        let stamp = record.edits.stamps?.stamps[key]
        // An encrypted value counts by itself, because its stamp has no digest.
        let isEncrypted = rules.encrypted.contains(name)
        let isLater = isEncrypted || isWrittenLater(name)
        switch relation {
        case .lagging: return false
        case .sameVersion:
            // What the former model could not read was not seen by whoever has edited it here.
            return object.changes.names.contains(name) && !isEqual(name, there, agreed)
        case .sameChain: return isLater && !isEqual(name, there, agreed)
        case .byValues:
            let isAutomatic = stamp?.edit == 0 && !isLater
            return !isAutomatic && !isEqual(name, there, agreed)
        case .continued:
            guard isAhead else { return isLater && !isEqual(name, there, agreed) }
            let isUnstamped = isEncrypted && stamp == nil && !there.isNull
            return (isWrittenLater(name) || isUnstamped) && !isEqual(name, there, local[name])
        case .bornAnew:
            // A user may have removed what is default content here.
            return isWrittenByUser(name)
                && (object.isSeed || !isEqual(name, there, rules.defaults[name]))
        }
    }

    /// Whether a user has edited a property in a later version, or somebody has written it without stamps.
    private func isWrittenLater(_ name: String) -> Bool {
        guard let key = stampKey(name) else { return false }
        return (record.edits.stamps?.stamps[key]?.edit ?? 0) > version
            || record.edits.foreign[key] != nil
    }

    /// Whether a property of another birth was written by a user, or by somebody who writes no stamps. Otherwise it is
    /// default content.
    private func isWrittenByUser(_ name: String) -> Bool {
        guard let key = stampKey(name) else { return true }
        return record.edits.isEdited(key, hasValue: !record.values[name].isNull)
    }

    /// Whether this device has seen later versions than whoever made the record.
    private var isAhead: Bool {
        relation == .continued && object.edits?.stamps.map { $0.version > version } ?? false
    }

    /// Whether a user has edited a property in such a version.
    private func isAheadOfRecord(_ name: String) -> Bool {
        guard isAhead, let stamps = object.edits?.stamps?.stamps else { return false }
        return rules.stampKeys[name, default: []].contains { (stamps[$0]?.edit ?? 0) > version }
    }

    /// Whether a record lacks a property without anybody having removed it: a required value, one that has yet to be sent,
    /// and one of which no save has ever written anything.
    ///
    /// - Parameter agreed: The values that both sides had.
    private mutating func isLacking(_ name: String, since agreed: PropertyValues) -> Bool {
        if record.formerKeys[name] != nil { return false }
        let elements = rules.composites.first { $0.contains(name) } ?? [name]
        let isAbsent = elements.allSatisfy { record.values[$0].isNull }
        if isAbsent, elements.allSatisfy(isUnwritten),
            elements.contains(where: { !local[$0].isNull })
        {
            unwritten.insert(name)
            return server[name].isNull
        }
        guard server[name].isNull else { return false }
        if rules.required.contains(name) { return true }
        // What was there and is no longer was removed.
        guard object.resend.contains(name), !isWrittenLater(name) else { return false }
        // Of a composite attribute it may lack only what has yet to be sent.
        return isAbsent
            || elements.allSatisfy {
                object.resend.contains($0)
                    ? record.values[$0].isNull : isEqual($0, record.values[$0], agreed[$0])
            }
    }

    /// Whether no save has ever written a property. A record without stamps does not tell, so that what a migration is to
    /// send first counts.
    private func isUnwritten(_ name: String) -> Bool {
        guard let stamps = record.edits.stamps, let key = stampKey(name) else {
            return object.resend.contains(name)
        }
        return stamps.stamps[key] == nil
    }

    /// A composite attribute is one property.
    private func whole(_ names: Set<String>) -> Set<String> {
        rules.composites.reduce(names) { $0.isDisjoint(with: $1) ? $0 : $0.union($1) }
    }

    // MARK: - Deleted objects

    /// Whether somebody has edited an object that was deleted here.
    ///
    /// - Parameter orders: The order keys: a move does not undo a deletion.
    func isEdited(ignoring orders: Set<String>) -> Bool {
        if relation == .lagging { return false }
        if relation == .bornAnew && !record.edits.isUnedited || !theirs.subtracting(orders).isEmpty
        {
            return true
        }
        let known = Set(rules.stampKeys.values.joined())
        // Fields of a newer model count, too.
        return record.edits.stamps?.stamps.contains { key, stamp in
            !known.contains(key) && stamp.edit > version
        } ?? false
    }
}
