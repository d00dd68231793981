import CoreData

/// Reads the rows of relationships' destinations into the row cache, with one statement for each
/// relationship of a key path.
struct RelationshipPrefetch {
    let database: StoreDatabase
    let rowCache: RowCache
    /// The ID of the object with a `pk` and an entity.
    let destinationID: (Int64, EntitySchema) -> NSManagedObjectID
    /// The `pk` of an object of this store.
    let keyOf: (NSManagedObjectID) -> Int64?

    /// A row that was read ahead, with its owner if the row has it.
    private struct Found {
        let member: RowCache.Member
        let owner: Int64?
    }

    /// Loads the objects that some key paths lead to from some objects.
    func load(_ paths: [String], of keys: [Int64], _ entity: EntitySchema) throws {
        for path in paths {
            try load(path.components(separatedBy: ".")[...], of: keys, entity, path: path)
        }
    }

    private func load(
        _ names: ArraySlice<String>, of keys: [Int64], _ entity: EntitySchema, path: String
    ) throws {
        guard let name = names.first, !keys.isEmpty else { return }
        let owners = ListParameter(keys.map { .integer($0) })
        let selected: SQL
        let destinationName: String
        if let toOne = entity.toOne(named: name) {
            destinationName = toOne.destinationName
            selected =
                "t.pk IN (SELECT o.\(name: toOne.column) FROM \(name: entity.table.name) AS o"
                + " WHERE o.pk IN (SELECT \(owners.select)))"
        } else if let toMany = entity.toMany(named: name) {
            destinationName = toMany.destinationName
            selected = Self.members(of: toMany, owners)
        } else {
            QueryCompiler.raiseUnknownKeyPath(path, entity)
        }
        guard let destination = database.schema.entity(named: destinationName) else { return }
        let table = destination.table
        let areAllPresent = try !database.objects.hasAbsent()
        let sql: SQL =
            "SELECT \(verbatim: table.selectList(alias: "t", areAllPresent: areAllPresent)) FROM \(name: table.name) AS t"
            + " WHERE \(selected)"
        let toMany = entity.toMany(named: name)
        let ownerColumn = toMany?.indexOfOwner(in: table)
        var found: [Found] = []
        try database.rows.fetch(sql, into: rowCache, destinationID: destinationID) { row in
            found.append(
                Found(
                    member: .init(pk: row.pk, entityNumber: row.entity.number),
                    owner: ownerColumn.flatMap { row.key(at: $0, keyOf: keyOf) }))
        }
        if let toMany {
            rowCache.keepMembers(
                try ownerColumn == nil
                    ? members(of: toMany, owners, keys) : members(found, keys),
                ofRelationship: name)
        }
        try load(names.dropFirst(), of: found.map(\.member.pk), destination, path: path)
    }

    /// The members by owner, whose numbers their rows have.
    private func members(_ found: [Found], _ keys: [Int64]) -> [Int64: [RowCache.Member]] {
        var members = Dictionary(keys.map { ($0, [RowCache.Member]()) }) { first, _ in first }
        for row in found.sorted(by: { $0.member.pk < $1.member.pk }) {
            if let owner = row.owner { members[owner]?.append(row.member) }
        }
        return members
    }

    /// The members of a to-many relationship by owner, in the relationship's order.
    private func members(
        of toMany: ToManyRelationship, _ owners: ListParameter, _ keys: [Int64]
    ) throws -> [Int64: [RowCache.Member]] {
        var members = Dictionary(keys.map { ($0, [RowCache.Member]()) }) { first, _ in first }
        let sql = References.membersStatement(
            of: toMany, condition: "IN (SELECT \(owners.select.text))")
        try database.connection.forEachRow(sql, owners.select.values) { statement in
            members[statement.integer(at: 2)]?.append(
                .init(pk: statement.integer(at: 0), entityNumber: statement.integer(at: 1)))
        }
        return members
    }

    private static func members(of toMany: ToManyRelationship, _ owners: ListParameter) -> SQL {
        switch toMany.storage {
        case .foreignKey(_, let column, _):
            return "t.\(name: column) IN (SELECT \(owners.select))"
        case .link(let link, let isSource):
            let near = isSource ? "source" : "target"
            let far = isSource ? "target" : "source"
            return
                "t.pk IN (SELECT l.\(verbatim: far) FROM \(name: link.table) AS l"
                + " WHERE l.\(verbatim: near) IN (SELECT \(owners.select)))"
        }
    }
}
