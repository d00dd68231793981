import CoreData
import SeamSQLite
import Testing

@testable import Seam3

/// The exact statements for the important forms of predicates.
@Suite struct QuerySQLTests {
    /// The statement that selects the keys of the items that match a predicate.
    private func statement(
        _ format: String, _ arguments: [Any] = [], entity: String = "Item",
        sort: [NSSortDescriptor] = [], limit: Int = 0, offset: Int = 0,
        includesSubentities: Bool = true
    ) throws -> SQL {
        let schema = StoreSchema(
            model: QueryModel.make(), configuration: nil, assignedNames: AssignedNames())
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        request.includesSubentities = includesSubentities
        if !format.isEmpty {
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
        }
        let layout = try #require(schema.entity(named: entity))
        var query = try FetchQuery(request, layout, in: schema, keyOf: { _ in 7 })
        try query.sort(by: sort, breakingTies: true)
        #expect(query.residual.isEmpty)
        return query.statement(
            selecting: query.source.key, window: FetchWindow(limit: limit, offset: offset))
    }

    private func condition(_ format: String, _ arguments: [Any] = []) throws -> String {
        let text = try statement(format, arguments).text
        let range = try #require(text.range(of: " WHERE "))
        return String(text[range.upperBound...])
    }

    @Test("Equality is IS, so that NULL rows count in != and NOT")
    func equality() throws {
        #expect(try condition("name == %@", ["a"]) == "t0.\"name\" IS ?")
        #expect(try condition("name != %@", ["a"]) == "t0.\"name\" IS NOT ?")
        #expect(try condition("NOT (name == %@)", ["a"]) == "NOT t0.\"name\" IS ?")
        #expect(try condition("name == nil") == "t0.\"name\" IS NULL")
    }

    @Test("An order comparison is never NULL")
    func order() throws {
        #expect(
            try condition("number < 5") == "(t0.\"number\" < ? AND t0.\"number\" IS NOT NULL)")
        #expect(
            try condition("order <= name")
                == "(COALESCE(t0.\"order\" <= t0.\"name\","
                + " (t0.\"order\" IS NULL AND t0.\"name\" IS NULL)))"
        )
    }

    @Test("BEGINSWITH without options is a range")
    func prefix() throws {
        let sql = try statement("name BEGINSWITH 'ab'")
        #expect(
            sql.text
                == "SELECT t0.pk FROM \"Item\" AS t0 WHERE"
                + " (t0.\"name\" >= ? AND t0.\"name\" < ? AND t0.\"name\" IS NOT NULL)")
        #expect(sql.values == ["ab", "ac"])
    }

    @Test("A path has one join, however often it occurs")
    func join() throws {
        let sql = try statement("box.name == 'a' OR box.room.name == 'b' OR box.level == 3")
        #expect(
            sql.text
                == "SELECT t0.pk FROM \"Item\" AS t0 LEFT JOIN \"Box\" AS t1 ON t1.pk = t0.\"box\""
                + " LEFT JOIN \"Transaction\" AS t2 ON t2.pk = t1.\"room\" WHERE"
                + " ((t1.\"name\" = ? AND t1.\"name\" IS NOT NULL)"
                + " OR (t2.\"name\" = ? AND t2.\"name\" IS NOT NULL)"
                + " OR (t1.\"level\" = ? AND t1.\"level\" IS NOT NULL))")
    }

    @Test("ANY is EXISTS, ALL and NONE are NOT EXISTS")
    func modifiers() throws {
        let select = "EXISTS (SELECT 1 FROM \"Item\" AS t1 WHERE t1.\"parent\" = t0.pk AND"
        #expect(try condition("ANY children.number == 1") == "\(select) t1.\"number\" IS ?)")
        #expect(
            try condition("ALL children.number == 1") == "NOT \(select) NOT t1.\"number\" IS ?)")
        #expect(
            try condition("NONE children.number == 1") == "NOT \(select) t1.\"number\" IS ?)")
    }

    @Test("A many-to-many path goes through the link table")
    func link() throws {
        #expect(
            try condition("ANY tags.rank > 1")
                == "EXISTS (SELECT 1 FROM \"SM_Link_Item_tags\" AS t1"
                + " JOIN \"Tag\" AS t2 ON t2.pk = t1.target WHERE t1.source = t0.pk AND"
                + " (t2.\"rank\" > ? AND t2.\"rank\" IS NOT NULL))")
    }

    @Test("An object through a to-one is found by the referring column, and must exist")
    func object() throws {
        let entity = try #require(QueryModel.make().entitiesByName["Box"])
        let id = NSManagedObject(entity: entity, insertInto: nil).objectID
        #expect(try condition("box == %@", [id]) == "(t0.\"box\" IS ? AND t1.pk IS NOT NULL)")
        #expect(try condition("box == nil") == "t1.pk IS NULL")
        #expect(try condition("self == %@", [id]) == "t0.pk IS ?")
    }

    @Test("Aggregates and SUBQUERY are sub-selects")
    func aggregates() throws {
        #expect(
            try condition("children.@count > 2")
                == "COALESCE((SELECT COUNT(*) FROM \"Item\" AS t1 WHERE t1.\"parent\" = t0.pk)"
                + " > ?, 0)")
        #expect(
            try condition("SUBQUERY(children, $c, $c.number > number).@count == 0")
                == "(SELECT COUNT(*) FROM \"Item\" AS t1 WHERE t1.\"parent\" = t0.pk AND"
                + " (COALESCE(t1.\"number\" > t0.\"number\", 0))) IS ?")
    }

    @Test("A long IN is one parameter, an empty one is false")
    func lists() throws {
        let long = try statement("number IN %@", [Array(0..<10_000)])
        #expect(long.values.count == 1)
        #expect(
            long.text.hasSuffix(
                "(t0.\"number\" IN (SELECT value FROM json_each(?)) AND t0.\"number\" IS NOT NULL)")
        )
        #expect(try condition("number IN {}") == "0")
        #expect(
            try condition("number IN {1, nil}")
                == "((t0.\"number\" = ? AND t0.\"number\" IS NOT NULL) OR t0.\"number\" IS NULL)")
    }

    @Test("Entities are distinguished only if a table contains more than are requested")
    func entities() throws {
        #expect(try statement("").text == "SELECT t0.pk FROM \"Item\" AS t0")
        #expect(try statement("", entity: "Box").text == "SELECT t0.pk FROM \"Box\" AS t0")
        let own = try statement("", includesSubentities: false).text
        #expect(own.hasPrefix("SELECT t0.pk FROM \"Item\" AS t0 WHERE t0.entity = "))
    }

    @Test("Sorting by a path breaks ties by creation order, in the last term's direction")
    func sorting() throws {
        let sql = try statement(
            "",
            sort: [
                NSSortDescriptor(key: "box.name", ascending: true),
                NSSortDescriptor(
                    key: "name", ascending: false,
                    selector: NSSelectorFromString("localizedStandardCompare:")),
            ], limit: 5, offset: 10)
        #expect(
            sql.text.hasSuffix(
                " ORDER BY t1.\"name\", t0.\"name\" COLLATE SEAM_LOCALIZED_STANDARD DESC,"
                    + " t0.pk DESC LIMIT ? OFFSET ?"))
        #expect(sql.values == [5, 10])
    }

    @Test("An offset without a limit is valid SQL")
    func offset() throws {
        let sql = try statement("", offset: 3)
        #expect(sql.text.hasSuffix(" LIMIT ? OFFSET ?"))
        #expect(sql.values == [-1, 3])
    }
}
