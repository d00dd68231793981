import CoreData
import Testing

@Suite struct FetchedPropertyTests {
    let library: Library

    init() throws {
        let author = NSEntityDescription()
        author.name = "Author"
        let namesakes = NSFetchedPropertyDescription()
        namesakes.name = "namesakes"
        author.properties = [
            TestModel.attribute("name", .stringAttributeType, optional: false), namesakes,
        ]
        let model = NSManagedObjectModel()
        model.entities = [author]
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = author
        request.predicate = NSPredicate(format: "name == $FETCH_SOURCE.name")
        namesakes.fetchRequest = request
        let listed = NSFetchedPropertyDescription()
        listed.name = "listed"
        listed.userInfo = ["names": ["Anna", "Bert"], "longest": 4]
        author.properties += [listed]
        let list = NSFetchRequest<any NSFetchRequestResult>()
        list.entity = author
        list.predicate = NSPredicate(
            format: "name IN $FETCHED_PROPERTY.userInfo.names"
                + " AND name.length <= $FETCHED_PROPERTY.userInfo.longest"
                + " AND $FETCHED_PROPERTY.name == 'listed'")
        listed.fetchRequest = list
        library = try Library(model: model)
    }

    private func count(_ object: NSManagedObject) -> Int? {
        (object.value(forKey: "namesakes") as? [NSManagedObject])?.count
    }

    @Test("The results of a fetched property are kept until the object is refreshed")
    func kept() throws {
        try library.perform { context in
            let anna = Library.insert("Author", ["name": "Anna"], in: context)
            try context.save()
            #expect(count(anna) == 1)
            Library.insert("Author", ["name": "Anna"], in: context)
            try context.save()
            #expect(count(anna) == 1)
            context.refresh(anna, mergeChanges: true)
            #expect(count(anna) == 2)
            Library.insert("Author", ["name": "Anna"], in: context)
            #expect(count(anna) == 2)
            context.refresh(anna, mergeChanges: false)
            #expect(count(anna) == 3)
        }
    }

    @Test("A fetched property leads to objects of the same context")
    func context() throws {
        try library.perform { context in
            let anna = Library.insert("Author", ["name": "Anna"], in: context)
            try context.save()
            let found = anna.value(forKey: "namesakes") as? [NSManagedObject]
            #expect(found?.first === anna)
        }
    }

    @Test("A fetched property's predicate can use the user info of its description")
    func userInfo() throws {
        try library.perform { context in
            let authors = ["Anna", "Bert", "Clara"].map {
                Library.insert("Author", ["name": $0], in: context)
            }
            try context.save()
            let found = authors[2].value(forKey: "listed") as? [NSManagedObject]
            let names = found?.compactMap { $0.value(forKey: "name") as? String }
            #expect(names?.sorted() == ["Anna", "Bert"])
        }
    }

    // Apple's documentation of NSFetchedPropertyDescription: the results are cached until the object is
    // turned into a fault.
    @Test("A change of a description's user info counts when the object is refreshed")
    func changedUserInfo() throws {
        try library.perform { context in
            let anna = Library.insert("Author", ["name": "Anna"], in: context)
            let bert = Library.insert("Author", ["name": "Bert"], in: context)
            try context.save()
            func listed(_ author: NSManagedObject) -> Int? {
                (author.value(forKey: "listed") as? [NSManagedObject])?.count
            }
            #expect(listed(anna) == 2)
            let property = try #require(anna.entity.propertiesByName["listed"])
            let userInfo = property.userInfo
            defer { property.userInfo = userInfo }
            property.userInfo = ["names": ["Bert"], "longest": 4]
            #expect(listed(anna) == 2)
            #expect(listed(bert) == 1)
            context.refresh(anna, mergeChanges: false)
            #expect(listed(anna) == 1)
        }
    }

    @Test(
        "Predicates can select descriptions by their settings",
        arguments: [
            ("name == 'listed'", ["listed"]), ("isOptional == NO", ["name"]),
            ("userInfo.longest == 4", ["listed"]), ("entity.name == 'Author'", []),
        ])
    func descriptions(format: String, names: [String]) throws {
        try library.perform { context in
            let author = Library.insert("Author", ["name": "Anna"], in: context)
            let found = author.entity.properties.filter {
                NSPredicate(format: format).evaluate(with: $0)
            }
            let expected = names.isEmpty ? ["listed", "name", "namesakes"] : names
            #expect(found.map(\.name).sorted() == expected)
        }
    }
}
