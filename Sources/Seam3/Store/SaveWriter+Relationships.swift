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
            case .foreignKey:
                let owner = Newcomer.Owner(pk: pk, relationship: toMany.name)
                orderedOwners.insert(owner)
                try writeOrder(
                    of: toMany, ownedBy: pk, members,
                    newcomers: Set(newcomers[owner, default: []].map(\.pk)))
            }
        }
    }

    /// Appends objects that joined an owner whose order was not written, because the owner's object
    /// in the context does not contain them, as when a deleted object is saved again.
    mutating func placeNewcomers() throws {
        for (owner, newcomers) in newcomers where !orderedOwners.contains(owner) {
            let entity = database.schema.entity(named: newcomers[0].column.destinationName)
            guard let toMany = entity?.toMany(named: owner.relationship) else { continue }
            let joined = Set(newcomers.map(\.pk))
            let former = try database.references.members(of: toMany, ownedBy: owner.pk).map(\.pk)
                .filter { !joined.contains($0) }
            try writeOrder(
                of: toMany, ownedBy: owner.pk, former + newcomers.map(\.pk), newcomers: joined)
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
        let former = known.filter { $0.order != nil }.map(\.pk)
        let keys = OrderKey.rising(
            members.map { byMember[$0]?.order }, kept: Self.unmoved(members, former))
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
    /// another key, too, if another one is put before it that has the same key, or none. That is no edit of the member.
    ///
    /// - Parameters:
    ///   - members: The members in their new order.
    ///   - newcomers: Those that were not there before.
    private mutating func writeOrder(
        of toMany: ToManyRelationship, ownedBy pk: Int64, _ members: [Int64],
        newcomers: Set<Int64>
    ) throws {
        guard case .foreignKey(let table, let column, let orderColumn?) = toMany.storage,
            let inverse = toMany.relationship.inverseRelationship?.name
        else { return }
        let references = database.references
        let current = try references.orderedMembers(
            table: table, column: column, orderColumn: orderColumn, of: pk)
        let known = members.map { newcomers.contains($0) ? nil : current[$0] }
        let haveKeys = zip(members, known).allSatisfy { $1 != nil || newcomers.contains($0) }
        let kept =
            try (haveKeys ? OrderKey.placesIfRising(known) : nil)
            ?? Self.unmoved(
                members,
                references.members(of: toMany, ownedBy: pk).map(\.pk)
                    .filter { !newcomers.contains($0) })
        let unmoved = Set(kept)
        for (place, key) in OrderKey.rising(known, kept: kept).enumerated() {
            let member = members[place]
            guard let key, current[member] != key else { continue }
            try references.setOrder(key, of: member, table: table, orderColumn: orderColumn)
            reordered.append(member)
            guard let entry = try database.objects.entry(member), entry.isPresent,
                let entity = database.schema.entity(number: entry.entity),
                let mapping = mappings.mapping(of: entity),
                let name = entity.toOne(named: inverse)?.orderName,
                mapping.propertyNames.contains(name)
            else { continue }
            try database.outbox.noteUpdate(
                member, PropertyValues([name: SQLiteValue(current[member])]),
                unmoved.contains(place) ? .other : cause)
            hasOutgoingChanges = true
        }
    }

    /// The positions of the members whose places among the others are as before. Of two that have changed places, one
    /// has moved.
    private static func unmoved(_ members: [Int64], _ former: [Int64]) -> [Int] {
        let places = Dictionary(zip(former, former.indices)) { first, _ in first }
        return OrderKey.longestRisingRun(members.map { places[$0] }, by: <)
    }
}
