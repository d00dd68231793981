import CoreData

/// A one-to-one relationship that the server has changed, in one object.
struct ChangedOneToOne {
    /// The deciding end, and the object's entity.
    let column: ToOneColumn
    let entity: EntitySchema
    /// The other end, and its entity.
    let inverse: ToOneColumn
    let destination: EntitySchema
    /// The object, and its old and new destinations.
    let pk: Int64
    let targets: Set<Int64>
}

/// The value that a record has for an end of a relationship that another record decides.
struct ReceivedEnd {
    let pk: Int64
    let entity: EntitySchema
    let column: ToOneColumn
    /// nil if the record has no value.
    let recordName: String?
}

/// An end of a one-to-one relationship for which a conflict was decided against what was chosen here.
struct DecidedEnd: Hashable {
    let pk: Int64
    let relationship: String
}

/// One-to-one relationships. Two devices may give different objects the same destination, in
/// records that do not conflict. On every device, the owner with the smallest record name wins, and
/// nil is sent for the others.
///
/// The winner is decided after all records of a page are applied, because a destination may move
/// from one owner to another.
extension ServerChangeApplication {
    /// Notes a record's values for one-to-one relationships.
    mutating func noteOneToOnes(of row: ObjectRow, old: ObjectRow?, _ received: ReceivedRecord) {
        for reference in received.mapping.references {
            let column = reference.column
            if reference.isDecidedByInverse {
                derivedEnds.append(
                    ReceivedEnd(
                        pk: row.pk, entity: row.entity, column: column,
                        recordName: received.fields[column.name].text))
                continue
            }
            let targets = [row, old].map { $0?.values[column.index].integer }
            // A record that was fetched again to settle a contest counts as changed in any case.
            guard old == nil || targets[0] != targets[1] else { continue }
            let end = DecidedEnd(pk: row.pk, relationship: column.name)
            if targets[0] == nil, !decidedAgainst.contains(end),
                let key = received.mapping.stampKeys[column.name]?.first,
                received.edits.isEdited(key, hasValue: false), database.schema.isOwnInverse(column)
            {
                removedPartners[end] = targets[1]
            }
            noteOneToOne(column, of: row, targets: Set(targets.compactMap { $0 }))
        }
    }

    /// Notes that a to-one relationship has a new destination, if it is one-to-one.
    ///
    /// - Parameter targets: The old and new destinations.
    mutating func noteOneToOne(_ column: ToOneColumn, of row: ObjectRow, targets: Set<Int64>) {
        guard let inverse = database.schema.inverse(of: column),
            let destination = database.schema.entity(named: column.destinationName)
        else { return }
        oneToOnes.append(
            ChangedOneToOne(
                column: column, entity: row.entity, inverse: inverse,
                destination: destination, pk: row.pk, targets: targets))
    }

    /// Notes the pairs of an object that stays although its record was deleted: its partner's record may have lost it.
    mutating func notePairs(of row: ObjectRow) {
        for column in row.entity.toOnes where database.schema.isOwnInverse(column) {
            guard let target = row.values[column.index].integer else { continue }
            noteOneToOne(column, of: row, targets: [target])
        }
    }

    /// Sets the ends of a new row that other objects determine.
    func setEndsDecidedByInverse(
        _ row: inout ObjectRow, _ mapping: RecordMapping
    ) throws {
        for reference in mapping.references where reference.isDecidedByInverse {
            guard let inverse = database.schema.inverse(of: reference.column),
                let entity = database.schema.entity(named: reference.column.destinationName)
            else { continue }
            row.values[reference.column.index] = SQLiteValue(
                try database.references.keyPointing(inverse, in: entity.table, at: row.pk))
        }
    }

    /// Makes the ends of the noted relationships agree. If not everything that the server has is here, a
    /// losing owner is fetched again later, and the contest is decided then.
    mutating func settleOneToOnes() throws {
        let (changed, ends) = (oneToOnes, derivedEnds)
        oneToOnes = []
        derivedEnds = []
        var settled: [String: Set<Int64>] = [:]
        for change in changed {
            if database.schema.isOwnInverse(change.column) {
                let name = change.column.owner + "." + change.column.name
                try settleReflexive(change, except: &settled[name, default: []])
            } else {
                for target in change.targets.sorted() { try settle(change, target) }
                try releaseOthers(than: change.targets, from: change)
            }
        }
        for end in ends { try correct(end) }
    }

    /// Notes the ends for which a conflict was decided against what was chosen here.
    mutating func noteDecidedEnds(
        of pk: Int64, _ fields: PropertyValues, _ resolution: ConflictResolution
    ) {
        for reference in resolution.mapping.references {
            let name = reference.column.name
            if resolution.ours.contains(name), fields[name] != resolution.local[name] {
                decidedAgainst.insert(DecidedEnd(pk: pk, relationship: name))
            }
        }
    }

    private func name(_ pk: Int64) throws -> String {
        try database.objects.recordNameForReference(to: pk) ?? ""
    }

    /// Whether everything that the server has of some owners is here. The record of one may be set aside, and
    /// give up the destination.
    private func areComplete(_ owners: some Sequence<Int64>) throws -> Bool {
        try owners.allSatisfy { try !database.unfetched.contains(name($0)) }
    }

    /// Sets a relationship to nil in an object that has lost its destination to another.
    private mutating func release(
        _ loser: Int64, _ change: ChangedOneToOne, from target: Int64, isComplete: Bool
    ) throws {
        let pending = try database.outbox.entry(of: loser)
        let isQueued = isComplete || pending?.names.contains(change.column.name) == true
        let destination = try name(target)
        try setDestination(
            nil, of: loser, change.entity, change.column, sent: isQueued ? destination : nil)
        try database.outbox.noteGivenUp(
            change.column.name, of: loser, leadingFrom: destination)
        if !isComplete { try decideLater(loser) }
    }

    /// Fetches an object's record again once everything that the server has is here, and decides then.
    private func decideLater(_ pk: Int64) throws {
        guard let entry = try database.objects.entry(pk), entry.systemFields != nil else { return }
        try database.objects.forgetChangeTag(of: pk)
        try database.unfetched.addContested(entry.recordName)
    }

    /// Makes sure that a destination has one owner and refers back to it.
    private mutating func settle(
        _ change: ChangedOneToOne, _ target: Int64
    ) throws {
        let owners = try database.references.keysPointing(
            change.column, in: change.entity.table, at: target
        ).map { (pk: $0, name: try name($0)) }.sorted { $0.name.precedes($1.name) }
        let isComplete = try self.isComplete && (owners.count < 2 || areComplete(owners.map(\.pk)))
        for loser in owners.dropFirst() {
            try release(loser.pk, change, from: target, isComplete: isComplete)
        }
        let row = try database.rows.row(target, of: change.destination)
        guard let row, row.entity.table === change.destination.table else { return }
        let known = row.values[change.inverse.index].integer
        guard known != owners.first?.pk else { return }
        let isContested = isComplete && owners.count > 1
        try setDestination(
            owners.first?.pk, of: target, change.destination, change.inverse,
            sent: isContested ? known.map(name) : nil)
        if !isContested, known != nil { try lookUp(target) }
    }

    /// Fetches the record of an end that was set to match the other end, unless it has just
    /// arrived. A client that writes only one end leaves the other unchanged.
    private mutating func lookUp(_ pk: Int64) throws {
        guard !received.contains(pk), let entry = try database.objects.entry(pk),
            entry.isPresent, entry.systemFields != nil
        else { return }
        try database.unfetched.addContested(entry.recordName)
    }

    /// Sets the other end to nil in objects to which the deciding end does not refer.
    private mutating func releaseOthers(
        than targets: Set<Int64>, from change: ChangedOneToOne
    ) throws {
        let row = try database.rows.row(change.pk, of: change.entity)
        let target = row?.values[change.column.index].integer
        for pk in try database.references.keysPointing(
            change.inverse, in: change.destination.table, at: change.pk)
        where pk != target && !targets.contains(pk) {
            try setDestination(nil, of: pk, change.destination, change.inverse, sent: nil)
            try lookUp(pk)
        }
    }

    /// Sends an end that another record decides if the server has a different value for it. A
    /// record that is not here may still arrive and be right. One whose deletion waits here may be among
    /// the records that follow, and come back.
    private mutating func correct(_ end: ReceivedEnd) throws {
        guard let row = try database.rows.row(end.pk, of: end.entity) else { return }
        let target = row.values[end.column.index].integer
        guard try target.map(name) != end.recordName else { return }
        guard let recordName = end.recordName else { return try restore(end, target) }
        let entry = try database.objects.entry(named: recordName)
        guard try entry?.isPlaceholder == false || database.tombstones.contains(recordName) else {
            return
        }
        if entry?.isDeleted == true, !isComplete {
            return try database.unfetched.addContested(name(end.pk))
        }
        try setDestination(target, of: end.pk, end.entity, end.column, sent: recordName)
    }

    /// Sends an end that the server lacks: another device has removed it, because it had not received the deciding
    /// end. If that one waits here, it has yet to be sent.
    private func restore(_ end: ReceivedEnd, _ target: Int64?) throws {
        guard let target, let inverse = end.column.relationship.inverseRelationship else { return }
        let waiting = try database.outbox.entry(of: target)
        if waiting?.kind == .insert || waiting?.names.contains(inverse.name) == true { return }
        guard isComplete else { return try database.unfetched.addContested(name(end.pk)) }
        try database.outbox.noteResend([end.column.name], of: end.pk)
    }

    // MARK: - A relationship that is its own inverse

    /// Pairs the objects around a changed one: first those whose records refer to each other, then in the order of their
    /// record names. A reference that was only set here to match another one counts for nothing, so the order in which
    /// the records arrive makes no difference.
    ///
    /// - Parameter settled: The objects that have been paired already.
    private mutating func settleReflexive(
        _ change: ChangedOneToOne, except settled: inout Set<Int64>
    ) throws {
        if change.targets.union([change.pk]).isSubset(of: settled) { return }
        let rows = try neighbors(of: change)
        settled.formUnion(rows.keys)
        let names = try Dictionary(uniqueKeysWithValues: rows.keys.map { ($0, try name($0)) })
        let digests = Dictionary(names.map { (FieldDigest.of(referenceTo: $1), $0) }) { $1 }
        var wanted: [Int64: Int64] = [:]
        for (pk, row) in rows {
            wanted[pk] = try row.flatMap { try destination(of: $0, change.column, digests) }
        }
        let owners = wanted.keys.sorted { names[$0, default: ""].precedes(names[$1, default: ""]) }
        let mutual = owners.filter { owner in wanted[owner].flatMap { wanted[$0] } == owner }
        var pairs: [Int64: Int64] = [:]
        for owner in mutual + owners {
            guard let partner = wanted[owner], pairs[owner] == nil, pairs[partner] == nil else {
                continue
            }
            pairs[owner] = partner
            pairs[partner] = owner
        }
        let haveAllPartners = owners.allSatisfy { pairs[$0] != nil }
        let isComplete = try self.isComplete && (haveAllPartners || areComplete(owners))
        for (pk, row) in rows {
            guard let row else { continue }
            let (partner, own) = (pairs[pk], wanted[pk])
            let present = row.values[change.column.index].integer
            let isSent = try own != nil && own != partner && speaks(for: row, change)
            if let partner, own == nil, let other = rows[partner] ?? nil {
                try completePair(of: row, with: other, change, isComplete: isComplete)
            }
            if let own, partner == nil, isSent || !isComplete {
                try release(pk, change, from: own, isComplete: isComplete)
            } else if present != partner || isSent {
                try setDestination(
                    partner, of: pk, change.entity, change.column,
                    sent: isSent && isComplete ? own.map(name) : nil)
                if isSent, !isComplete { try decideLater(pk) }
            }
        }
    }

    /// Sends an end that a record lacks, unless the same user may be about to remove the other one: what the record has is
    /// nobody's choice, or was decided against a choice that was made here, or whoever made it cannot have seen this pair.
    private func completePair(
        of row: ObjectRow, with partner: ObjectRow, _ change: ChangedOneToOne, isComplete: Bool
    ) throws {
        let name = change.column.name
        let waiting = try database.outbox.entry(of: row.pk)
        guard waiting?.kind != .insert, waiting?.names.contains(name) != true,
            let key = mappings.mapping(of: row.entity)?.stampKeys[name]?.first,
            let edits = try database.objects.edits(of: row.pk)
        else { return }
        let choice = try database.outbox.entry(of: partner.pk)
        let isLate =
            decidedAgainst.contains(DecidedEnd(pk: row.pk, relationship: name))
            || choice?.kind == .insert || choice?.names.contains(name) == true
        let isNobodysChoice = !edits.isEdited(key, hasValue: false)
        guard try isLate || isNobodysChoice && speaks(for: partner, change) else { return }
        if !isLate, !isComplete { return try decideLater(row.pk) }
        try database.outbox.noteResend([name], of: row.pk)
    }

    /// Whether this device sends what follows from an object's partner. The one whose user chose the partner does: another
    /// one may have seen only a part of what that user has changed.
    private func speaks(for row: ObjectRow, _ change: ChangedOneToOne) throws -> Bool {
        guard try database.outbox.entry(of: row.pk)?.names.contains(change.column.name) != true,
            let key = mappings.mapping(of: row.entity)?.stampKeys[change.column.name]?.first,
            let edits = try database.objects.edits(of: row.pk), edits.foreign[key] == nil,
            let file = edits.stamps?.fileOfLastEdit(key)
        else { return true }
        return try file == database.syncState.fileNumber()
    }

    /// Where an object leads: as its user has chosen, otherwise as its record says. Whoever has removed the pair from its
    /// partner's record has seen it, even if this object's choice has yet to be sent.
    ///
    /// - Parameter digests: Those of references to the objects around it.
    private func destination(
        of row: ObjectRow, _ column: ToOneColumn, _ digests: [UInt32: Int64]
    ) throws -> Int64? {
        let present = row.values[column.index].integer
        let pending = try database.outbox.entry(of: row.pk)
        let end = present.map { DecidedEnd(pk: $0, relationship: column.name) }
        let isRemoved = end.map { removedPartners[$0] == row.pk } ?? false
        guard pending?.kind != .insert,
            isRemoved || pending?.changes.cause(of: column.name) != .edit,
            let key = mappings.mapping(of: row.entity)?.stampKeys[column.name]?.first,
            let known = try database.objects.edits(of: row.pk)
        else { return present }
        return digests[known.digest(key)]
    }

    /// The objects that a changed object refers to or that refer to it, directly or indirectly, with their rows; nil for
    /// an object that is not here.
    private func neighbors(of change: ChangedOneToOne) throws -> [Int64: ObjectRow?] {
        var found: [Int64: ObjectRow?] = [:]
        var next = change.targets.union([change.pk])
        while !next.isEmpty {
            var further: Set<Int64> = []
            for pk in next {
                let row = try database.rows.row(pk, of: change.entity)
                found.updateValue(row, forKey: pk)
                further.formUnion(
                    try database.references.keysPointing(
                        change.column, in: change.entity.table, at: pk))
                if let partner = row?.values[change.column.index].integer {
                    further.insert(partner)
                }
            }
            next = further.subtracting(found.keys)
        }
        return found
    }
}
