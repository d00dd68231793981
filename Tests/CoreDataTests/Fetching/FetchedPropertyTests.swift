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
}
