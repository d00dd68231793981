import CoreData

/// Starting over, with the objects or without them.
extension StoreDatabase {
    /// Removes all objects and all changes. The sequence goes on: no number is used again.
    func removeEverything() throws {
        for (table, column) in externalColumns {
            let values = try connection.rows(
                "SELECT \(column.sqlIdentifier) FROM \(table.sqlIdentifier)"
                    + " WHERE typeof(\(column.sqlIdentifier)) = 'text'"
            ) { $0.value(at: 0) }
            for value in values { externalFiles?.noteReplaced(value) }
        }
        let tables =
            schema.tables.map(\.name) + schema.links.map(\.table) + ["sm_object", "sm_change"]
        for table in tables { try connection.execute("DELETE FROM \(table.sqlIdentifier)") }
    }

    /// All objects: number → entity number.
    func entityNumbersOfAllObjects() throws -> [Int64: Int64] {
        let objects = try connection.rows("SELECT pk, entity FROM sm_object WHERE entity > 0") {
            ($0.integer(at: 0), $0.integer(at: 1))
        }
        return Dictionary(objects.filter { schema.entity(number: $1) != nil }) { first, _ in first }
    }

    /// Forgets what the server said of any object, and queues every object as new.
    ///
    /// - Parameter numbers: The numbers of the entities and links that are synchronised.
    func forgetServer(synced numbers: [Int64]) throws {
        try noteAllBasesReplaced()
        try removeReferencesToDeletedObjects()
        try connection.execute("DELETE FROM sm_change")
        try connection.execute("DELETE FROM sm_object WHERE entity < 0")
        try connection.execute("UPDATE sm_object SET change_tag = NULL, system_fields = NULL")
        let revision = try takeRevision()
        for number in numbers {
            try connection.execute(
                """
                INSERT INTO sm_change (pk, kind, revision)
                SELECT pk, ?, ? FROM sm_object WHERE entity = ?
                """,
                [
                    .integer(PendingChange.Kind.insert.rawValue), .integer(revision),
                    .integer(number),
                ])
        }
    }

    /// Removes what other devices' versions of objects have that leads to objects whose deletion was
    /// still to be sent.
    private func removeReferencesToDeletedObjects() throws {
        for table in schema.tables {
            for index in table.toOneIndexes {
                let column = table.columns[index].sqlIdentifier
                try connection.execute(
                    """
                    UPDATE \(table.name.sqlIdentifier) SET \(column) = NULL \
                    WHERE \(column) IN (SELECT pk FROM sm_object WHERE entity < 0)
                    """)
            }
        }
        for link in schema.links {
            let links = try connection.rows(
                """
                SELECT pk FROM \(link.table.sqlIdentifier) WHERE pk > 0 \
                AND (source IN (SELECT pk FROM sm_object WHERE entity < 0) \
                OR target IN (SELECT pk FROM sm_object WHERE entity < 0))
                """
            ) { $0.integer(at: 0) }
            for pk in links { try removeLink(pk, link, isSynced: false, revision: 0) }
        }
    }
}
