import CoreData

/// Reads the rows of relationships' destinations into the row cache, with one statement for each
/// relationship of a key path.
struct RelationshipPrefetch {
    let database: StoreDatabase
    let rowCache: RowCache

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
        let rows = try database.rows.rows(sql)
        rowCache.keep(rows, areUntold: true)
        if let toMany = entity.toMany(named: name) {
            rowCache.keepMembers(
                try members(of: toMany, owners, keys, rows), ofRelationship: name)
        }
        try load(names.dropFirst(), of: rows.map(\.pk), destination, path: path)
    }

    /// The members of a to-many relationship by owner, in the relationship's order.
    private func members(
        of toMany: ToManyRelationship, _ owners: ListParameter, _ keys: [Int64], _ rows: [ObjectRow]
    ) throws -> [Int64: [RowCache.Member]] {
        var members = Dictionary(keys.map { ($0, [RowCache.Member]()) }) { first, _ in first }
        if let index = toMany.indexOfOwner(in: rows) {
            for row in rows.sorted(by: { $0.pk < $1.pk }) {
                guard let owner = row.values[index].integer else { continue }
                members[owner]?.append(.init(pk: row.pk, entityNumber: row.entity.number))
            }
            return members
        }
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
