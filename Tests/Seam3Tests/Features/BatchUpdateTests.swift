import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A batch update", .tags(.batchRequestsSync)) struct BatchUpdateTests {
    let cloud = LocalCloud.inMemory()

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: BatchModel.make())
    }

    private func request(
        _ entity: String = "Book", _ format: String? = nil, _ properties: [AnyHashable: Any]
    ) -> NSBatchUpdateRequest {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.propertiesToUpdate = properties
        return request
    }

    @Test("sets constants and nil where its predicate matches") func constants() throws {
        let device = try device()
        for name in ["a", "b"] {
            try device.add("Book", ["name": name, "price": NSDecimalNumber(value: 2)])
        }
        let update = request(
            "Book", "name == 'a'",
            ["pages": 7, "price": NSExpression(forConstantValue: nil), "published": NSNull()])
        update.resultType = .updatedObjectsCountResultType
        #expect(try device.execute(update, as: NSBatchUpdateResult.self).result as? Int == 1)
        #expect(try device.values("pages", of: "Book") == ["a": 7, "b": 10])
        #expect(try device.values("price", of: "Book", as: NSDecimalNumber.self).count == 1)
    }

    @Test(
        "computes expressions over the old row",
        arguments: [
            ("pages", "pages + 1", 11), ("pages", "pages * 3 - 2", 28),
            ("pages", "author.books.@count", 1), ("pages", "7.9", 7),
        ])
    func expressions(property: String, format: String, expected: Int) throws {
        let device = try device()
        try device.edit { context in
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("a", forKey: "name")
            book.setValue(author, forKey: "author")
        }
        let description = try #require(
            device.container.managedObjectModel.entitiesByName["Book"]?.propertiesByName[property])
        let update = request(
            "Book", nil, [description: NSExpression(format: format)])
        #expect(try device.execute(update, as: NSBatchUpdateResult.self).result as? Bool == true)
        #expect(try device.values(property, of: "Book") == ["a": expected])
    }

    @Test(
        "refuses an integer that its attribute's type cannot hold, also as a result",
        arguments: [
            ("70000000000", 1610), ("pages + 2147483640", 1610), ("pages - 3000000000", 1620),
            ("pages * 9223372036854775807", 1610),
        ])
    func range(format: String, code: Int) throws {
        let device = try device()
        try device.add("Book", ["name": "a"])
        let error = #expect(throws: CocoaError.self) {
            try device.execute(
                request("Book", nil, ["pages": NSExpression(format: format), "name": "b"]),
                as: NSBatchUpdateResult.self)
        }
        #expect(error?.code.rawValue == code)
        #expect(try device.values("pages", of: "Book") == ["a": 10])
    }

    @Test("swaps two attributes, because both new values come from the old row") func swap() throws
    {
        let model = BatchModel.make()
        model.entitiesByName["Author"]?.properties.append(
            NSAttributeDescription("alias", .stringAttributeType))
        let device = try Device(on: cloud, model: model)
        try device.add("Author", ["name": "a", "alias": "b"])
        _ = try device.execute(
            request(
                "Author", nil,
                [
                    "name": NSExpression(forKeyPath: "alias"),
                    "alias": NSExpression(forKeyPath: "name"),
                ]), as: NSBatchUpdateResult.self)
        #expect(try device.values("alias", of: "Author") == ["b": "a"])
    }

    @Test("reaches subentities only if it includes them") func subentities() throws {
        let device = try device()
        try device.add("Book", ["name": "book"])
        let draft = try device.add("Draft", ["name": "draft"])
        let narrow = request("Book", nil, ["pages": 1])
        narrow.includesSubentities = false
        _ = try device.execute(narrow, as: NSBatchUpdateResult.self)
        #expect(try device.values("pages", of: "Book") == ["book": 1, "draft": 10])
        let wide = request("Draft", nil, ["pages": 2])
        wide.resultType = .updatedObjectIDsResultType
        #expect(
            try device.execute(wide, as: NSBatchUpdateResult.self).result as? [NSManagedObjectID]
                == [draft])
    }

    @Test("sends what it changed, and only that") func sync() async throws {
        let (a, b) = (try device("a"), try device("b"))
        for name in ["a", "b"] { try a.add("Book", ["name": name]) }
        try await Device.settle(a, b)
        try b.edit { context in
            try Device.object("Book", "a", in: context).setValue("other", forKey: "name")
        }
        _ = try a.execute(
            request("Book", "name == 'a'", ["pages": 5]), as: NSBatchUpdateResult.self)
        _ = try a.execute(
            request("Book", "name == 'b'", ["pages": 10]), as: NSBatchUpdateResult.self)
        #expect(try a.store.syncStatus().pendingChangeCount == 1)
        try await Device.settle(a, b)
        #expect(try b.values("pages", of: "Book", as: Int.self).values.sorted().last == 10)
        #expect(try a.values("pages", of: "Book", as: Int.self) == b.values("pages", of: "Book"))
    }

    @Test("notifies no context, whose next save is a conflict") func contexts() throws {
        let device = try device()
        try device.add("Book", ["name": "a"])
        let book = try device.read { context in
            let book = try Device.object("Book", "a", in: context)
            #expect(book.value(forKey: "pages") as? Int == 10)
            return book
        }
        _ = try device.execute(request("Book", nil, ["pages": 5]), as: NSBatchUpdateResult.self)
        try device.read { context in
            #expect(book.value(forKey: "pages") as? Int == 10)
            book.setValue(6, forKey: "pages")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectMerge)
            context.refresh(book, mergeChanges: false)
            #expect(book.value(forKey: "pages") as? Int == 5)
        }
    }

    @Test("filters in memory what SQL cannot express") func residual() throws {
        let device = try device()
        for name in ["a", "bb"] { try device.add("Book", ["name": name]) }
        let update = NSBatchUpdateRequest(entityName: "Book")
        update.predicate = NSPredicate { object, _ in
            ((object as? NSManagedObject)?.value(forKey: "name") as? String)?.count == 2
        }
        update.propertiesToUpdate = ["pages": 1]
        _ = try device.execute(update, as: NSBatchUpdateResult.self)
        #expect(try device.values("pages", of: "Book") == ["a": 10, "bb": 1])
    }

    @Test("of a to-many relationship is an error that names it") func toMany() throws {
        let device = try device()
        let error = #expect(throws: SMStoreError.self) {
            _ = try device.execute(
                request("Book", nil, ["tags": NSNull()]), as: NSBatchUpdateResult.self)
        }
        #expect(error?.description.contains("Book.tags") == true)
    }
}
