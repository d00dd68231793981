import CoreData
import Testing

/// The minimum and maximum count of a relationship, validated at the save.
@Suite struct RelationshipCountTests {
    private func makeLibrary(toMany: Bool, optional: Bool, minimum: Int) throws -> Library {
        let source = NSEntityDescription()
        source.name = "Source"
        let destination = NSEntityDescription()
        destination.name = "Destination"
        TestModel.relate(
            source, "targets", toMany: toMany, to: destination, inverse: "source")
        let relationship = source.relationshipsByName["targets"]
        relationship?.isOptional = optional
        relationship?.minCount = minimum
        let model = NSManagedObjectModel()
        model.entities = [source, destination]
        return try Library(model: model)
    }

    @Test(
        "An empty relationship is refused only if a count or a value is required",
        arguments: [
            (true, false, 0, nil), (true, true, 0, nil), (true, true, 1, nil),
            (true, false, 1, 1580), (true, false, 2, 1580),
            (false, false, 0, 1570), (false, false, 1, 1570), (false, true, 1, nil),
        ] as [(Bool, Bool, Int, Int?)])
    func empty(toMany: Bool, optional: Bool, minimum: Int, code: Int?) throws {
        let library = try makeLibrary(toMany: toMany, optional: optional, minimum: minimum)
        library.perform { context in
            Library.insert("Source", [:], in: context)
            var found: Int?
            do { try context.save() } catch { found = (error as? CocoaError)?.code.rawValue }
            #expect(found == code)
        }
    }

    @Test("A required to-many without a minimum may be emptied")
    func emptied() throws {
        let library = try makeLibrary(toMany: true, optional: false, minimum: 0)
        try library.perform { context in
            let source = Library.insert("Source", [:], in: context)
            let target = Library.insert("Destination", ["source": source], in: context)
            try context.save()
            context.delete(target)
            try context.save()
        }
    }
}
