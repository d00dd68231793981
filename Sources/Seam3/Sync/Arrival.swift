import CoreData

/// What a version of a record from the server means for the object with a waiting change: for each property, whether the
/// server's value and the one here are changes, by comparing values.
///
/// It reads and writes nothing, so every case can be tested without an engine.
struct Arrival {
    /// What the properties of an entity are.
    struct Rules {
        /// The names of all properties that are synced, and those of the elements of each composite attribute.
        var names: Set<String>
        var composites: [Set<String>] = []
        /// The required attributes.
        var required: Set<String> = []
        /// The attributes of the natural key; empty if there is none.
        var key: Set<String> = []
        /// The ends of relationships that other records decide.
        var derived: Set<String> = []
        /// The values of an object in which nothing has been set.
        var defaults = PropertyValues()
        /// The order keys that mean nothing, because their references are nil.
        var idle: (PropertyValues) -> Set<String> = { _ in [] }
        /// Whether two values are equal when sent.
        var isEqual: (_ name: String, SQLiteValue, SQLiteValue) -> Bool = { $1 == $2 }
    }

    /// The object with the change.
    struct Object {
        struct Request {
            let request: SentRequest
            /// Whether it was carried out, as the zone's log says; nil if it does not say it.
            var hasArrived: Bool?
        }

        /// Whether it waits to be sent as a new object.
        var isNew = false
        /// Whether the server may have seen it, and whether it has a version of the record.
        var wasSent = true
        var hasRecord = true
        /// Its present values; none if it was deleted.
        var values = PropertyValues()
        var changes = ChangeLayers()
        /// See ``OutboxEntry/resend``.
        var resend: Set<String> = []
        /// The requests that were to save it.
        var requests: [Request] = []
    }

    /// The server's version.
    struct Record {
        /// How it is related to the version that the object is based on.
        enum Version {
            /// It is that version, or one that follows it, or it need not be.
            case same, later, other
        }

        /// The values; NULL for what the record lacks.
        var values: PropertyValues
        var version = Version.later
        /// Whether nobody has saved it since it was made.
        var isAsCreated = false
        /// Whether nobody has changed what is unknown of the base.
        var confirmsUnknown = false
        /// The properties whose values come from former fields that somebody has edited, or that nobody has.
        var followed: Set<String> = []
        var unmoved: Set<String> = []
        /// The properties whose values may be the first ones, sent by another device's migration.
        var firstValues: Set<String> = []
        /// Whether a reference may be nil only because of its former destination, or of the one that it has here.
        var isReleased:
            (_ name: String, _ former: SQLiteValue, _ local: SQLiteValue) throws -> Bool = {
                _, _, _ in false
            }
        /// Whether another device has moved a value to the present field.
        var isMoved: (_ name: String) -> Bool = { _ in false }
    }

    /// The values here, except those that are nobody's version.
    private(set) var local: PropertyValues
    /// The server's values, where it has what counts.
    private(set) var server: PropertyValues
    /// The last version that both sides agreed on; nil if each of them has made the object.
    private(set) var ancestor: PropertyValues?
    /// The properties that somebody else has edited.
    private(set) var theirs: Set<String> = []
    /// The properties that were edited here, and have not reached the server.
    private(set) var ours: Set<String> = []
    /// The properties that have changed here by nobody, and not on the server.
    private(set) var automatic: Set<String> = []

    private let record: Record
    private let object: Object
    private let rules: Rules
    private let changes: ChangeLayers
    /// The values that both sides had agreed on before anything was sent; the defaults for a new object.
    private let agreed: PropertyValues

    /// What a version means for an object with a change.
    init(of record: Record, at object: Object, _ rules: Rules) throws {
        (self.record, self.object, self.rules) = (record, object, rules)
        changes = record.confirmsUnknown ? object.changes.knowing(record.values) : object.changes
        var known = changes.base
        // What nobody has moved to the present field yet is as it was.
        for name in record.unmoved
        where known.values[name] == .null
            || known.values[name] == nil && object.resend.contains(name)
        {
            known[name] = record.values[name]
        }
        (local, server) = (object.values, record.values)
        agreed = object.isNew ? rules.defaults : known.adding(local)
        fillIn(known)
        var version: Int64?
        var matched: [String: Int64] = [:]
        if record.version == .same {
            ancestor = object.isNew ? server : known.adding(local)
        } else if mayHaveArrived {
            (ancestor, version) = try arrivedVersion(&matched)
        } else if object.isNew {
            let replaced = changes.replaced
            if !replaced.values.isEmpty, isUnsent, record.version == .later {
                ancestor = replaced.adding(local)
            }
        } else {
            ancestor = known.adding(local)
        }
        try judge(known, after: version, matched)
    }

    private var isUnsent: Bool { object.requests.allSatisfy(\.request.isRefused) }

    private func version(of request: Object.Request) -> PropertyValues {
        request.request.held.adding(
            changes.version(at: request.request.revision, current: object.values))
    }

    private func isEqual(_ name: String, _ left: PropertyValues, _ right: PropertyValues) -> Bool {
        rules.isEqual(name, left[name], right[name])
    }

    /// A required value that the record lacks, and one that it lacks because it has yet to be sent, count as they were.
    /// What the model did not have, or could not hold, is nobody's version here.
    private mutating func fillIn(_ known: PropertyValues) {
        let isSame = record.version == .same
        for name in rules.names where server[name].isNull {
            // An optional value may only lack the default: otherwise a newer version has removed a value that this
            // one required.
            guard
                rules.required.contains(name)
                    || isSame && known.keys.contains(name) && isEqual(name, agreed, rules.defaults)
                    || !object.isNew && object.resend.contains(name) && isLacking(name)
                        && !record.followed.contains(name)
            else { continue }
            server[name] = agreed[name]
        }
        if isSame, !object.isNew {
            for name in rules.names.subtracting(known.keys).subtracting(object.resend) {
                local[name] = server[name]
            }
        }
        for name in changes.unread
        where !server[name].isNull && (local[name].isNull || isEqual(name, local, rules.defaults)) {
            local[name] = server[name]
        }
    }

    /// Whether a record has nothing of a property, or of a composite attribute only what is not to be sent again.
    private func isLacking(_ name: String) -> Bool {
        let elements = rules.composites.first { $0.contains(name) } ?? [name]
        return elements.allSatisfy { record.values[$0].isNull }
            || elements.allSatisfy {
                object.resend.contains($0)
                    ? record.values[$0].isNull : isEqual($0, record.values, agreed)
            }
    }

    // MARK: - What has arrived

    /// Whether the record may be one of the versions that were sent.
    private var mayHaveArrived: Bool {
        !object.requests.isEmpty && (!isUnsent || isAnswer(to: object.requests.map(version)))
    }

    /// Whether the record has exactly the values of one of some versions, as far as it has what is required.
    private func isAnswer(to versions: [PropertyValues]) -> Bool {
        let names = rules.names.filter { !rules.required.contains($0) || !record.values[$0].isNull }
        return versions.contains { version in
            names.allSatisfy { isEqual($0, version, record.values) }
        }
    }

    /// The version that has arrived, as the zone's log says or else the values.
    ///
    /// - Parameter matched: For properties that have a value as it was sent, the revision.
    /// - Returns: The ancestor, nil if the record was made by somebody else, and the revision that the server has.
    private func arrivedVersion(
        _ matched: inout [String: Int64]
    ) throws -> (ancestor: PropertyValues?, revision: Int64?) {
        let proof = object.requests.last { $0.hasArrived == true }
        let requests = proof.map { [$0] } ?? object.requests
        let versions = requests.map(version)
        // A device that knows of a destination's deletion, or of its new owner, may have removed the reference from
        // the former version.
        let released =
            proof != nil
            ? []
            : try rules.names.filter { name in
                try server[name].isNull && record.isReleased(name, agreed[name], .null)
            }
        var compared = server
        for name in released { compared[name] = agreed[name] }
        var closest: Int?
        if proof == nil {
            // Another device may have made a record with the same name, and therefore with the same
            // key. As long as nobody has edited the record, it is ours only if it has every value that
            // was sent. After an edit, the values in common decide, unless the log says that nothing has arrived.
            let isSeen = hasArrived(versions, compared)
            let isRefuted = requests.allSatisfy { $0.hasArrived == false }
            if object.isNew, !rules.key.isEmpty {
                let isOurs = record.isAsCreated ? isAnswer(to: versions) : isSeen == true
                if !isOurs || isRefuted { return (nil, nil) }
            } else if object.isNew, requests.count == 1, isRefuted {
                // Only this device can have made a record with the name of a new object, unless it has forgotten that
                // the server had the object, or another device has sent it to a new zone.
                return (nil, nil)
            }
            if object.isNew || isSeen == true { closest = self.closest(versions, to: compared) }
        } else {
            closest = 0
        }
        var ancestor = agreed
        for name in rules.names.subtracting(released) {
            let isUnchanged =
                proof == nil
                && (object.isNew
                    ? changes.base.values[name].map { rules.isEqual(name, $0, server[name]) }
                        ?? false
                    : isEqual(name, server, agreed))
            // A value that the record lacks was filled in here, or taken from its former field.
            let isFilledIn =
                record.values[name].isNull && !server[name].isNull || record.unmoved.contains(name)
            let match = versions.lastIndex { isEqual(name, $0, server) }
            if isUnchanged || isFilledIn || match != nil {
                ancestor[name] = server[name]
                matched[name] = match.map { requests[$0].request.revision } ?? .min
            } else if let closest {
                ancestor[name] = versions[closest][name]
            } else if ancestor.values[name] == nil {
                ancestor[name] = .null
            }
        }
        return (ancestor, closest.map { requests[$0].request.revision })
    }

    /// Whether one of the versions has reached the server, judged by the properties whose values
    /// differ from what the server had before; nil if they do not decide it.
    ///
    /// What no user has changed is the same on each device.
    private func hasArrived(_ versions: [PropertyValues], _ server: PropertyValues) -> Bool? {
        let names = rules.names.subtracting(object.isNew ? rules.key : [])
            .subtracting(changes.automatic).subtracting(changes.unread)
        let telling = names.filter { name in
            versions.contains { !isEqual(name, $0, agreed) }
        }
        let isSeen = telling.contains { name in
            !isEqual(name, server, agreed) && versions.contains { isEqual(name, $0, server) }
        }
        if isSeen { return true }
        return telling.contains { isEqual($0, server, agreed) } ? false : nil
    }

    /// The version that has the most in common with the server's; the last one if there are several.
    private func closest(_ versions: [PropertyValues], to server: PropertyValues) -> Int? {
        let agreements = versions.map { version in
            rules.names.reduce(0) { $0 + (isEqual($1, version, server) ? 1 : 0) }
        }
        return agreements.indices.max { (agreements[$0], $0) < (agreements[$1], $1) }
    }

    // MARK: - Whose values

    private mutating func judge(
        _ known: PropertyValues, after version: Int64?, _ matched: [String: Int64]
    ) throws {
        let base = ancestor ?? unset
        let edits = changes.edits()
        let unedited = changes.automatic.union(changes.unread)
        let (idleHere, idleThere) = (rules.idle(local), rules.idle(server))
        let unknown = known.unknownNames
        var changedHere: Set<String> = []
        var changedThere: Set<String> = []
        for name in rules.names {
            if !isEqual(name, local, base) || unknown.contains(name) { changedHere.insert(name) }
            if !isEqual(name, server, base) || record.followed.contains(name) {
                changedThere.insert(name)
            }
        }
        (changedHere, changedThere) = (whole(changedHere), whole(changedThere))
        for name in changedHere {
            let revision = matched[name] ?? version ?? .min
            let held = object.requests.contains {
                $0.request.revision == revision && $0.request.held.values[name] != nil
            }
            let isEdit: Bool
            if object.isNew {
                isEdit =
                    revision == .min
                    ? !unedited.contains(name)
                    : held || changes.edits(after: revision).contains(name)
            } else {
                isEdit = (held ? edits : changes.edits(after: revision)).contains(name)
            }
            if isEdit, !rules.derived.contains(name), !idleHere.contains(name) { ours.insert(name) }
        }
        theirs = try changedThere.filter { name in
            try !rules.derived.contains(name) && !idleThere.contains(name)
                && !record.firstValues.contains(name)
                && !(server[name].isNull && record.isReleased(name, base[name], local[name]))
        }
        ours = whole(ours).intersection(changedHere)
        automatic = changedHere.subtracting(ours).subtracting(changedThere)
    }

    /// The values that count as unchanged if the two sides never agreed: what is known of a server that was forgotten, or
    /// the defaults.
    private var unset: PropertyValues {
        let replaced = changes.replaced
        if !replaced.values.isEmpty {
            return object.hasRecord ? rules.defaults : replaced.adding(rules.defaults)
        }
        return object.wasSent ? changes.base.present.adding(rules.defaults) : rules.defaults
    }

    /// A composite attribute is one property.
    private func whole(_ names: Set<String>) -> Set<String> {
        rules.composites.reduce(names) { $0.isDisjoint(with: $1) ? $0 : $0.union($1) }
    }

    // MARK: - Deleted objects

    /// Whether somebody has edited an object that was deleted here: whether the record differs from each version that the
    /// server may have had, in a property that a user has changed.
    static func isEdited(
        _ record: Record, since object: Object, _ rules: Rules
    ) throws -> Bool {
        let changes =
            record.confirmsUnknown ? object.changes.knowing(record.values) : object.changes
        let known = changes.base
        guard !known.values.isEmpty, record.followed.isEmpty else { return true }
        let idle = rules.derived.union(rules.idle(record.values))
        let proof = object.requests.last { $0.hasArrived == true }
        var versions = (proof.map { [$0] } ?? object.requests).map(\.request).map {
            $0.held.adding(changes.version(at: $0.revision, current: PropertyValues()))
        }
        // If the version that was sent has arrived, somebody has edited it since.
        if proof == nil { versions.append(known) }
        let names = rules.names.subtracting(idle)
        return try !versions.contains { version in
            try names.allSatisfy { name in
                let value = record.values[name]
                // The object of an older model lacks the properties that are new.
                let isUnset =
                    value.isNull || rules.isEqual(name, value, rules.defaults[name])
                let isSame =
                    version.values[name].map { rules.isEqual(name, value, $0) } ?? isUnset
                if isSame || isUnset && changes.unread.contains(name) || record.isMoved(name)
                    || record.firstValues.contains(name)
                {
                    return true
                }
                return try value.isNull
                    && (changes.automatic.contains(name) || object.resend.contains(name)
                        // The record of an older version of the app may lack it.
                        || rules.required.contains(name)
                        || record.isReleased(name, version[name], .null))
            }
        }
    }
}
