import CoreData
import Testing

@Suite("Fetch requests of a model")
struct ModelFetchRequestTests {
    private let body = """
        <entity name='Clock'>
            <attribute name='label' attributeType='String'/>
            <fetchedProperty name='namesakes' optional='YES'>
                <fetchRequest name='fetchedPropertyFetchRequest' entity='Clock'
                    predicateString='label == $FETCH_SOURCE.label AND SELF != $FETCH_SOURCE'/>
            </fetchedProperty>
        </entity>
        <fetchRequest name='byLabel' entity='Clock' predicateString='label == $LABEL'
            fetchLimit='5' fetchBatchSize='2' resultType='1' includeSubentities='NO'
            includePropertyValues='NO' includesPendingChanges='NO' returnObjectsAsFaults='NO'
            returnDistinctResults='YES'/>
        <fetchRequest name='all' entity='Clock'/>
        """

    @Test("The settings of a template are read")
    func settings() throws {
        let model = try readModel(body)
        #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["all", "byLabel"])
        let template = try #require(model.fetchRequestTemplate(forName: "byLabel"))
        #expect(template.entity === model.entitiesByName["Clock"])
        #expect(template.fetchLimit == 5)
        #expect(template.fetchBatchSize == 2)
        #expect(template.resultType == .managedObjectIDResultType)
        #expect(!template.includesSubentities)
        #expect(!template.includesPropertyValues)
        #expect(!template.includesPendingChanges)
        #expect(!template.returnsObjectsAsFaults)
        #expect(template.returnsDistinctResults)
    }

    @Test("Settings that a template omits have the defaults of a request")
    func defaults() throws {
        let model = try readModel(body)
        let template = try #require(model.fetchRequestTemplate(forName: "all"))
        #expect(template.predicate == nil)
        #expect(template.resultType == .managedObjectResultType)
        #expect(template.includesSubentities)
        #expect(template.includesPropertyValues)
        #expect(template.includesPendingChanges)
        #expect(template.returnsObjectsAsFaults)
        #expect(!template.returnsDistinctResults)
    }

    @Test("A request from a template has values for the variables, and the template is unchanged")
    func substitution() throws {
        let model = try readModel(body)
        let request = try #require(
            model.fetchRequestFromTemplate(
                withName: "byLabel", substitutionVariables: ["LABEL": "Rome"]))
        #expect(request.predicate == NSPredicate(format: "label == 'Rome'"))
        let template = try #require(model.fetchRequestTemplate(forName: "byLabel"))
        #expect(template !== request)
        #expect(template.predicate == NSPredicate(format: "label == $LABEL"))
        #expect(
            model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
    }

    @Test("A copied model has copies of the templates for its own entities")
    func copy() throws {
        let model = try readModel(body)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        let template = try #require(copy.fetchRequestTemplate(forName: "byLabel"))
        #expect(template.entity === copy.entitiesByName["Clock"])
        #expect(template !== model.fetchRequestTemplate(forName: "byLabel"))
    }

    @Test("A fetched property is not an attribute, and its value is the result of its request")
    func fetchedProperty() throws {
        let model = try readModel(body)
        let clock = try #require(model.entitiesByName["Clock"])
        let property = clock.propertiesByName["namesakes"] as? NSFetchedPropertyDescription
        #expect(property?.fetchRequest?.entityName == "Clock")
        #expect(property?.isTransient == true)
        #expect(clock.attributesByName.keys.sorted() == ["label"])

        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let counts = try context.performAndWait {
            let labels = ["Rome", "Rome", "Oslo"]
            let clocks = labels.map { Library.insert("Clock", ["label": $0], in: context) }
            try context.save()
            return clocks.map { ($0.value(forKey: "namesakes") as? [NSManagedObject])?.count }
        }
        #expect(counts == [1, 1, 0])
    }

    @Test(
        "A template for an unknown entity, or with a broken predicate, is refused",
        arguments: [
            ("<fetchRequest name='a' entity='B'/>", "entity"),
            (
                "<entity name='A'/><fetchRequest name='a' entity='A' predicateString='x =='/>",
                "predicateString"
            ),
            (
                "<entity name='A'/><fetchRequest name='a' entity='A' fetchLimit='x'/>",
                "fetchLimit"
            ),
        ])
    func refused(body: String, attribute: String) throws {
        let error = try #require(throws: ManagedObjectModelFileError.self) {
            try readModel(body)
        }
        #expect(error.attribute == attribute)
    }
}
