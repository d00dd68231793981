import CoreData

/// The invariants of relationships.
extension InvariantCheck {
    /// The order keys that ``OrderKey`` makes.
    private static let orderKeyPattern = "*[^0-9A-Za-z]*"

    private func family(of name: String) -> String {
        (database.schema.entity(named: name)?.familyNumbers ?? []).map(String.init)
            .joined(separator: ", ")
    }

    /// To-one relationships that an entity declares.
    func references(of entity: EntitySchema) throws -> [SMStoreViolation] {
        try entity.toOnes.filter { $0.owner == entity.name }.flatMap { toOne in
            try destinations(of: toOne, entity) + inverse(of: toOne, entity)
                + orderKeys(of: toOne, entity)
        }
    }

    private func destinations(
        of toOne: ToOneColumn, _ entity: EntitySchema
    ) throws -> [SMStoreViolation] {
        let column = toOne.column.sqlIdentifier
        // A placeholder has no entity.
        return try find(
            .referenceHasDestination,
            """
            SELECT t.pk FROM \(entity.table.name.sqlIdentifier) AS t \
            LEFT JOIN \(objects) AS o ON o.pk = t.\(column) WHERE t.\(column) IS NOT NULL \
            AND (o.pk IS NULL OR o.entity NOT IN (\(family(of: toOne.destinationName))))
            """, entity: entity.name, property: toOne.name,
            reason: "it refers to nothing, or to an object of another entity")
    }

    private func inverse(
        of toOne: ToOneColumn, _ entity: EntitySchema
    ) throws -> [SMStoreViolation] {
        guard let inverse = database.schema.inverse(of: toOne),
            let destination = database.schema.entity(named: toOne.destinationName)
        else { return [] }
        return try find(
            .inverseAgrees,
            """
            SELECT t.pk FROM \(entity.table.name.sqlIdentifier) AS t \
            JOIN \(destination.table.name.sqlIdentifier) AS d \
            ON d.pk = t.\(toOne.column.sqlIdentifier) \
            WHERE d.\(inverse.column.sqlIdentifier) IS NOT t.pk
            """, entity: entity.name, property: toOne.name,
            reason: "the destination's \(inverse.name) is another object")
    }

    private func orderKeys(
        of toOne: ToOneColumn, _ entity: EntitySchema
    ) throws -> [SMStoreViolation] {
        guard let orderColumn = toOne.orderColumn?.sqlIdentifier else { return [] }
        // A record from the server may have arrived without its order key.
        return try find(
            .memberHasOrderKey,
            """
            SELECT t.pk FROM \(entity.table.name.sqlIdentifier) AS t \
            JOIN \(objects) AS m ON m.pk = t.pk AND m.was_sent = 0 \
            \(ObjectTable.joinPresent("o", on: "t.\(toOne.column.sqlIdentifier)")) \
            WHERE \(Self.isNoOrderKey("t.\(orderColumn)"))
            """, entity: entity.name, property: toOne.name,
            reason: "its order key is missing or malformed")
    }

    private static func isNoOrderKey(_ column: String) -> String {
        "(\(column) IS NULL OR \(column) = '' OR \(column) GLOB '\(orderKeyPattern)'"
            + " OR \(column) GLOB '*0')"
    }

    // MARK: - Links

    /// The links of a many-to-many relationship.
    func links(_ link: LinkSchema) throws -> [SMStoreViolation] {
        let table = link.table.sqlIdentifier
        let ends = [("source", link.sourceEntity), ("target", link.targetEntity)]
        let missingEnds = try ends.flatMap { end, entity in
            try find(
                .linkHasEnds,
                """
                SELECT l.pk FROM \(table) AS l LEFT JOIN \(objects) AS o ON o.pk = l.\(end) \
                WHERE o.pk IS NULL OR o.entity NOT IN (\(family(of: entity)))
                """, entity: link.recordType, property: end,
                reason: "it leads to nothing, or to an object of another entity")
        }
        let strangers = try find(
            .rowHasObject,
            """
            SELECT l.pk FROM \(table) AS l LEFT JOIN \(objects) AS o ON o.pk = l.pk \
            WHERE o.entity IS NOT ? OR o.state <> 'present'
            """, [.integer(link.number)], entity: link.recordType,
            reason: "its row belongs to no link")
        return try missingEnds + strangers + mirrors(link) + orderKeys(link)
    }

    private func mirrors(_ link: LinkSchema) throws -> [SMStoreViolation] {
        guard link.isReflexive else { return [] }
        let table = link.table.sqlIdentifier
        return try find(
            .linkHasMirror,
            """
            SELECT l.pk FROM \(table) AS l LEFT JOIN \(table) AS m \
            ON m.pk = l.pk AND m.is_mirror <> l.is_mirror WHERE l.source <> l.target AND (m.pk IS NULL OR m.source <> l.target \
            OR m.target <> l.source)
            """, entity: link.recordType, reason: "the other direction is missing")
    }

    private func orderKeys(_ link: LinkSchema) throws -> [SMStoreViolation] {
        // The order key of the target is its position in the source's set.
        let orders = [
            ("target_order", link.source.isOrdered),
            ("source_order", link.target?.isOrdered == true),
        ]
        return try orders.filter(\.1).flatMap { column, _ in
            try find(
                .memberHasOrderKey,
                """
                SELECT l.pk FROM \(link.table.sqlIdentifier) AS l \
                JOIN \(objects) AS m ON m.pk = l.pk AND m.was_sent = 0 \
                WHERE \(Self.isNoOrderKey("l.\(column)"))
                """,
                entity: link.recordType, property: column,
                reason: "its order key is missing or malformed")
        }
    }
}
