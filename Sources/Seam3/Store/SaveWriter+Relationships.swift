import CoreData

/// An object that joined an owner whose relationship is ordered.
struct Newcomer {
    struct Owner: Hashable {
        let pk: Int64
        let relationship: String
    }

    let pk: Int64
    let entity: EntitySchema
    let column: ToOneColumn
}

/// An end of a new link.
struct LinkedEnd: Hashable {
    let pk: Int64
    /// The number of the kind of link.
    let link: Int64
    let isSource: Bool
}

/// Many-to-many relationships and the order of ordered ones, after all rows of the save are
/// written.
extension SaveWriter {
    /// Reads the changed ordered relationships of an object while the file still has the order from
    /// before the save. If only the inverses were set, Core Data adds the new members to those that
    /// the store returns; among rows that are already written, new members could be found at any
    /// position.
    func readOrders(of saved: SavedObject) {
        // What Apple's frameworks do here is an assumption: CD-8.
        let ordered = saved.entity.ownToManys.filter(\.isOrdered)
        guard !ordered.isEmpty else { return }
        let changed = saved.object.changedValues()
        for toMany in ordered where changed[toMany.name] != nil {
            _ = saved.object.objectIDs(forRelationshipNamed: toMany.name)
        }
    }

    /// Writes the to-many relationships of an inserted or updated object that changed.
    mutating func writeToManys(of saved: SavedObject, isInserted: Bool) throws {
        let (object, pk, entity) = (saved.object, saved.pk, saved.entity)
        guard !entity.ownToManys.isEmpty else { return }
        let changed = isInserted ? nil : Set(object.changedValues().keys)
        for toMany in entity.ownToManys where changed?.contains(toMany.name) ?? true {
            // A new object's relationships are written even if they count as faults.
            guard isInserted || Self.mayHaveChanged(toMany.name, of: object) else { continue }
            let members = try object.objectIDs(forRelationshipNamed: toMany.name).map { id in
                guard let key = store.key(of: id) else {
                    throw SMStoreError.missingRelatedObject(
                        entity: entity.name, property: toMany.name)
                }
                return key
            }.filter { try isPresent($0) }
            switch toMany.storage {
            case .link(let link, let isSource):
                try writeLinks(
                    toMany.name, of: saved, isInserted: isInserted, link, isSource: isSource,
                    members)
                if toMany.isOrdered { try writeOrder(of: pk, link, isSource, members) }
            case .foreignKey(let table, let column, let orderColumn):
                guard let orderColumn, let inverse = toMany.relationship.inverseRelationship else {
                    continue
                }
                let owner = Newcomer.Owner(pk: pk, relationship: toMany.name)
                orderedOwners.insert(owner)
                let database = database
                try writeOrder(
                    of: members, newcomers: Set(newcomers[owner, default: []].map(\.pk)),
                    former: { try database.references.members(of: toMany, ownedBy: pk).map(\.pk) },
                    inverse: inverse.name,
                    current: database.references.orderedMembers(
                        table: table, column: column, orderColumn: orderColumn, of: pk)
                ) { database, key, member in
                    try database.references.setOrder(
                        key, of: member, table: table, orderColumn: orderColumn)
                }
            }
        }
    }

    /// Appends objects that joined an owner whose order was not written, because the owner's object
    /// in the context does not contain them, as when a deleted object is saved again.
    mutating func placeNewcomers() throws {
        for (owner, newcomers) in newcomers where !orderedOwners.contains(owner) {
            let (column, table) = (newcomers[0].column, newcomers[0].entity.table.name)
            guard let orderColumn = column.orderColumn else { continue }
            let current = try database.references.orderedMembers(
                table: table, column: column.column, orderColumn: orderColumn, of: owner.pk)
            let known = current.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
            try writeOrder(
                of: known + newcomers.map(\.pk).filter { current[$0] == nil },
                newcomers: Set(newcomers.map(\.pk)), former: { known },
                inverse: column.name, current: current
            ) { database, key, member in
                try database.references.setOrder(
                    key, of: member, table: table, orderColumn: orderColumn)
            }
        }
    }

    /// Appends the new members of ordered many-to-many relationships whose order was not written, because only the
    /// change of the other end was saved.
    mutating func placeLinks() throws {
        for end in linkedEnds {
            guard let link = database.schema.link(number: end.link) else { continue }
            let members = try database.links.members(of: end.pk, link, isSource: end.isSource)
            let missing = members.filter { $0.order == nil }
            if missing.isEmpty { continue }
            let placed = members.filter { $0.order != nil } + missing
            try writeOrder(of: end.pk, link, end.isSource, placed.map(\.pk))
        }
    }

    /// Removes the remaining links of an object when it is deleted.
    mutating func removeLinks(of pk: Int64, _ entity: EntitySchema) throws {
        let own = entity.toManys.compactMap { toMany -> LinkSchema? in
            guard case .link(let link, _) = toMany.storage else { return nil }
            return link
        }
        for link in own + entity.incomingLinks {
            for (linkPK, _) in try database.links.links(of: pk, link) {
                try database.links.removeWithEnd(
                    linkPK, link, isSynced: mappings.isSynced(link))
                hasOutgoingChanges = true
            }
        }
    }

    /// The members of a to-many relationship when the context last read or saved it.
    private func formerMembers(of object: NSManagedObject, _ relationship: String) -> Set<Int64>? {
        object.committedDestinations(of: relationship)
            .map { Set($0.compactMap { store.key(of: $0) }) }
    }

    /// Writes the links that the context has added and removed. The file may have others that the context has
    /// not merged, and may lack some that it still has.
    private mutating func writeLinks(
        _ relationship: String, of saved: SavedObject, isInserted: Bool, _ link: LinkSchema,
        isSource: Bool, _ members: [Int64]
    ) throws {
        let pk = saved.pk
        let known = try database.links.members(of: pk, link, isSource: isSource)
        let (wanted, present) = (Set(members), Set(known.map(\.pk)))
        guard wanted != present else { return }
        // The links of a new object have arrived before it.
        let former = isInserted ? [] : formerMembers(of: saved.object, relationship) ?? present
        if isInserted, !present.isSubset(of: wanted) { corrected.append(pk) }
        let isSynced = mappings.isSynced(link)
        for member in known where !wanted.contains(member.pk) && former.contains(member.pk) {
            if toBeDeleted.contains(member.pk) {
                try database.links.removeWithEnd(member.link, link, isSynced: isSynced)
            } else {
                try database.links.remove(member.link, link, isSynced: isSynced)
            }
            if isSynced {
                let row = LinkRow(owner: pk, member: member.pk, isSource: isSource)
                try database.links.emptyFormerReferences(of: row, link)
            }
            hasOutgoingChanges = true
        }
        for member in members where !present.contains(member) && !former.contains(member) {
            let row = LinkRow(owner: pk, member: member, isSource: isSource)
            try database.links.add(
                link, source: row.source, target: row.target, isSynced: isSynced)
            if isSynced { try database.links.keepFormerReferences(of: row, link) }
            hasOutgoingChanges = true
            if link.isOrdered(seenFromSource: !isSource) {
                // A pair of a relationship that is its own inverse is stored in both directions.
                let isOtherSource = link.isReflexive || !isSource
                linkedEnds.insert(
                    LinkedEnd(pk: member, link: link.number, isSource: isOtherSource))
            }
        }
    }

    private mutating func writeOrder(
        of pk: Int64, _ link: LinkSchema, _ isSource: Bool, _ members: [Int64]
    ) throws {
        let known = try database.links.members(of: pk, link, isSource: isSource)
        let byMember = Dictionary(known.map { ($0.pk, $0) }) { first, _ in first }
        let keys = OrderKey.rising(members.map { byMember[$0]?.order })
        for (member, key) in zip(members, keys) {
            guard let entry = byMember[member], entry.order != key,
                var row = try database.links.row(entry.link, link)
            else { continue }
            // A pair of a relationship that is its own inverse may be stored in the other
            // direction, and an object that is its own member is both ends.
            var base = PropertyValues()
            if link.isReflexive ? row.source == pk : isSource {
                base[LinkRecord.targetOrder] = SQLiteValue(row.targetOrder)
                row.targetOrder = key
            }
            if link.isReflexive ? row.target == pk : !isSource {
                base[LinkRecord.sourceOrder] = SQLiteValue(row.sourceOrder)
                row.sourceOrder = key
            }
            try database.links.set(row, entry.link, link)
            guard mappings.isSynced(link) else { continue }
            try database.outbox.noteUpdate(entry.link, base, cause)
            hasOutgoingChanges = true
        }
    }

    /// Gives the members of a one-to-many relationship keys for their order. A member that nobody has moved may need
    /// another key, too, if it had none, or the same one as its neighbor. That is no edit of the member.
    ///
    /// - Parameters:
    ///   - members: The members in their new order.
    ///   - newcomers: Those that were not there before.
    ///   - former: Returns the members in the order of the file.
    ///   - inverse: The members' relationship.
    ///   - current: The keys that they have.
    ///   - set: Writes a member's key.
    private mutating func writeOrder(
        of members: [Int64], newcomers: Set<Int64>, former: () throws -> [Int64],
        inverse: String, current: [Int64: String],
        set: (StoreDatabase, String, Int64) throws -> Void
    ) throws {
        let keys = OrderKey.rising(members.map { current[$0] })
        let haveKeysChanged = zip(members, keys).contains {
            current[$0] != $1 && !newcomers.contains($0)
        }
        let unmoved =
            haveKeysChanged
            ? Self.unmoved(members, try former().filter { !newcomers.contains($0) }) : []
        for (member, key) in zip(members, keys) where current[member] != key {
            try set(database, key, member)
            reordered.append(member)
            guard let entry = try database.objects.entry(member), entry.isPresent,
                let entity = database.schema.entity(number: entry.entity),
                let mapping = mappings.mapping(of: entity),
                let name = entity.toOne(named: inverse)?.orderName,
                mapping.propertyNames.contains(name)
            else { continue }
            try database.outbox.noteUpdate(
                member, PropertyValues([name: SQLiteValue(current[member])]),
                unmoved.contains(member) ? .other : cause)
            hasOutgoingChanges = true
        }
    }

    /// The members whose places among the others are as before. Of two that have changed places, one has moved.
    private static func unmoved(_ members: [Int64], _ former: [Int64]) -> Set<Int64> {
        let places = Dictionary(zip(former, former.indices)) { first, _ in first }
        return Set(
            OrderKey.longestRisingRun(members.map { places[$0] }, by: <).map { members[$0] })
    }
}
