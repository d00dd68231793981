import CoreData

/// Relationships that are stored with the objects' values, followed in both directions.
struct References {
    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }
    private var schema: StoreSchema { database.schema }

    private struct Column {
        let table: String
        let column: String
    }

    /// The columns of all to-one relationships, quoted.
    private var columns: [Column] {
        schema.tables.flatMap { table in
            table.toOneIndexes.map {
                Column(
                    table: table.name.sqlIdentifier, column: table.columns[$0].sqlIdentifier)
            }
        }
    }

    // MARK: - Finding

    /// The objects whose relationships contain an object.
    func referrers(of pk: Int64) throws -> [Int64] {
        let linked = try schema.links.flatMap { try database.links.links(of: pk, $0).map(\.other) }
        return try columns.reduce(into: linked) { referrers, place in
            referrers += try connection.rows(
                "SELECT pk FROM \(place.table) WHERE \(place.column) = ?", [.integer(pk)]
            ) { $0.integer(at: 0) }
        }
    }

    /// The object whose to-one relationship points at another.
    func keyPointing(_ column: ToOneColumn, in table: RootTable, at pk: Int64) throws -> Int64? {
        try connection.firstRow(
            "SELECT pk FROM \(table.name.sqlIdentifier)"
                + " WHERE \(column.column.sqlIdentifier) = ? LIMIT 1",
            [.integer(pk)]
        ) { $0.integer(at: 0) }
    }

    /// The objects whose to-one relationship points at another.
    func keysPointing(_ column: ToOneColumn, in table: RootTable, at pk: Int64) throws -> [Int64] {
        try connection.rows(
            "SELECT pk FROM \(table.name.sqlIdentifier)"
                + " WHERE \(column.column.sqlIdentifier) = ? ORDER BY pk",
            [.integer(pk)]
        ) { $0.integer(at: 0) }
    }

    /// The members of a to-many relationship: number and entity number, in order if it has one. Two
    /// devices may give two members the same order key; their record names then decide on both.
    func members(
        of relationship: ToManyRelationship, ownedBy pk: Int64
    ) throws -> [(pk: Int64, entity: Int64)] {
        try connection.rows(
            Self.membersStatement(of: relationship, condition: "= ?"), [.integer(pk)]
        ) { ($0.integer(at: 0), $0.integer(at: 1)) }
    }

    /// The statement that selects the members of a to-many relationship with their entities'
    /// numbers and their owners, in the relationship's order.
    ///
    /// - Parameter condition: The condition for the owner.
    static func membersStatement(
        of relationship: ToManyRelationship, condition: String
    ) -> String {
        switch relationship.storage {
        case .foreignKey(let table, let column, let orderColumn):
            let order = orderColumn.map {
                "t.\($0.sqlIdentifier), \(ObjectTable.recordName(of: "t.pk"))"
            }
            return """
                SELECT t.pk, t.entity, t.\(column.sqlIdentifier) FROM \(table.sqlIdentifier) AS t \
                WHERE t.\(column.sqlIdentifier) \(condition) ORDER BY \(order ?? "t.pk")
                """
        case .link(let link, let isSource):
            let (own, other, order) = LinkTable.columns(isSource: isSource)
            return """
                SELECT l.\(other), o.entity, l.\(own) FROM \(link.table.sqlIdentifier) AS l \
                \(ObjectTable.joinPresent("o", on: "l.\(other)")) \
                WHERE l.\(own) \(condition) \
                ORDER BY \(relationship.isOrdered ? "l.\(order), o.record_name" : "l.\(other)")
                """
        }
    }

    // MARK: - Moving

    /// Redirects references from one record to another.
    ///
    /// - Parameters:
    ///   - old: The previous destination.
    ///   - new: The new destination; evaluated once something refers to it.
    ///   - fits: Whether the references of a relationship are redirected, by the name of its
    ///     destination.
    /// - Returns: The objects whose references were redirected.
    func move(
        from old: Int64, to new: @autoclosure () throws -> Int64,
        where fits: (_ destination: String) -> Bool = { _ in true }
    ) throws -> [Int64] {
        var moved: [Int64] = []
        for entity in schema.entities {
            for toOne in entity.toOnes where toOne.owner == entity.name {
                guard fits(toOne.destinationName) else { continue }
                let referrers = try keysPointing(toOne, in: entity.table, at: old)
                guard !referrers.isEmpty else { continue }
                let column = toOne.column.sqlIdentifier
                try connection.execute(
                    "UPDATE \(entity.table.name.sqlIdentifier) SET \(column) = ?"
                        + " WHERE \(column) = ?", [.integer(new()), .integer(old)])
                moved += referrers
            }
        }
        for link in schema.links {
            for (pk, other) in try database.links.links(of: old, link) {
                guard var row = try database.links.row(pk, link) else { continue }
                if row.source == old, fits(link.sourceEntity) { row.source = try new() }
                if row.target == old, fits(link.targetEntity) { row.target = try new() }
                try database.links.move(pk, link, to: row)
                moved.append(other)
            }
        }
        return moved
    }

    /// Removes references that came with other devices' versions of objects and that lead to
    /// objects whose deletion had not been sent.
    func removeReferencesToDeleted() throws {
        for place in columns {
            try connection.execute(
                """
                UPDATE \(place.table) SET \(place.column) = NULL \
                WHERE \(place.column) IN (\(ObjectTable.deletedKeys))
                """)
        }
        for link in schema.links {
            for pk in try database.links.keys(of: link, withEndIn: ObjectTable.deletedKeys) {
                try database.links.forget(pk, link)
            }
        }
    }

    // MARK: - Order

    /// The members of an ordered one-to-many relationship with their order keys.
    func orderedMembers(
        table: String, column: String, orderColumn: String, of pk: Int64
    ) throws -> [Int64: String] {
        let pairs = try connection.rows(
            """
            SELECT pk, \(orderColumn.sqlIdentifier) FROM \(table.sqlIdentifier) \
            WHERE \(column.sqlIdentifier) = ? AND \(orderColumn.sqlIdentifier) IS NOT NULL
            """, [.integer(pk)]
        ) { ($0.integer(at: 0), $0.text(at: 1)) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Sets the order key of a member of an ordered one-to-many relationship.
    func setOrder(_ key: String, of pk: Int64, table: String, orderColumn: String) throws {
        try connection.execute(
            "UPDATE \(table.sqlIdentifier) SET \(orderColumn.sqlIdentifier) = ? WHERE pk = ?",
            [.text(key), .integer(pk)])
    }
}
