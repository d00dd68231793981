import CoreDataFiles
import Testing

@testable import CoreData

/// Mapping models in the format of Xcode's editor, written by the tests.
@Suite("A mapping model's source") struct SourceMappingModelTests {
    typealias Entity = MappingModelSource.EntityMapping

    let fixture: MigrationFixture

    init() throws {
        fixture = try MigrationFixture()
    }

    private static let capitals = MappingModelSource.binary(
        .function("uppercase:", .path("name", of: .variable("source"))))
    private static let nowhere = MappingModelSource.binary(.constant("Nowhere"))

    private static let artist = Entity(["sourcename": "Artist", "destinationname": "Maker"])
        .attribute("fullName", ["valueexpressiondata": capitals])
        .attribute("born")
        .attribute("country", ["valueexpressiondata": nowhere])
        .relationship("works", ["autogenerateexpression": "1"])
    private static let work = Entity(["sourcename": "Work", "destinationname": "Work"])
        .attribute("title").attribute("year")
        .relationship(
            "makers",
            ["sourcekeypath": "$source.artist", "sourcemappingname": "ArtistToMaker"])
    private static let tag = Entity(["sourcename": "Tag"])
    private static let room = Entity(["destinationname": "Room"]).attribute("number")
    static let all = [artist, work, tag, room]

    private func write(_ source: MappingModelSource, _ name: String = "First") throws -> URL {
        try fixture.directory.write(
            source.xml, to: "mappings/\(name).xcmappingmodel/xcmapping.xml"
        ).deletingLastPathComponent()
    }

    private var copies: (NSManagedObjectModel, NSManagedObjectModel) {
        (fixture.source, fixture.destination)
    }

    /// The mapping model that a bundle with the written files finds for two models.
    private func found(
        from source: NSManagedObjectModel? = nil, to destination: NSManagedObjectModel? = nil
    ) throws -> NSMappingModel? {
        let folder = fixture.directory.url.appendingPathComponent("mappings")
        let bundle = try #require(Bundle(path: folder.path))
        return NSMappingModel(
            from: [bundle], forSourceModel: source ?? fixture.source,
            destinationModel: destination ?? fixture.destination)
    }

    private func read(_ entities: [Entity] = all) throws -> NSMappingModel {
        try #require(
            NSMappingModel(contentsOf: write(MappingModelSource(entities, copies: copies))))
    }

    // MARK: - Its files

    @Test("is also read under the name of a compiled one, which is not another mapping model")
    func compiledName() throws {
        let source = try write(MappingModelSource(Self.all, copies: copies))
        let file = source.deletingPathExtension().appendingPathExtension("cdm")
        try FileManager.default.copyItem(
            at: source.appendingPathComponent("xcmapping.xml"), to: file)
        let model = try #require(NSMappingModel(contentsOf: file))
        #expect(model == NSMappingModel(contentsOf: source))
        #expect(try found() == model)
        try FileManager.default.removeItem(at: source)
        #expect(try found() == model)
    }

    // MARK: - Its contents

    @Test("describes the mapping of each entity, in the order of the numbers")
    func entities() throws {
        // An empty mapping, which Xcode may leave behind, is ignored.
        let mappings = try #require(try read(Self.all + [Entity([:])]).entityMappings)
        #expect(mappings.map(\.name) == ["ArtistToMaker", "WorkToWork", "Tag", "Room"])
        #expect(
            mappings.map(\.mappingType) == [
                .transformEntityMappingType, .transformEntityMappingType,
                .removeEntityMappingType, .addEntityMappingType,
            ])
        let (old, new) = (fixture.source.entitiesByName, fixture.destination.entitiesByName)
        #expect(mappings[0].sourceEntityVersionHash == old["Artist"]?.versionHash)
        #expect(mappings[0].destinationEntityVersionHash == new["Maker"]?.versionHash)
        #expect(mappings[3].sourceEntityVersionHash == nil)
        let source = try #require(mappings[0].sourceExpression).description
        #expect(source.contains("fetchRequestForSourceEntityNamed:predicateString:"))
        #expect(source.contains("\"Artist\", \"TRUEPREDICATE\""))
    }

    @Test("describes each property as written, and the rest follows from the models")
    func properties() throws {
        let mappings = try read().entityMappingsByName
        func values(_ mapping: String) throws -> [String?] {
            let mapping = try #require(mappings[mapping])
            return ((mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? []))
                .map(\.valueExpression?.description)
        }
        let named =
            "FUNCTION($manager, "
            + "\"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
        #expect(
            try values("ArtistToMaker") == [
                "uppercase($source.name)", "$source.born", "\"Nowhere\"",
                named + "\"WorkToWork\", $source.works)",
            ])
        #expect(
            try values("WorkToWork") == [
                "$source.title", "$source.year", named + "\"ArtistToMaker\", $source.artist)",
            ])
        #expect(try values("Room") == [nil])
    }

    @Test("names policies, and passes on their notes")
    func notes() throws {
        let notes = MappingModelSource.binary(.dictionary([("limit", 3)]))
        let artist = Entity([
            "sourcename": "Artist", "destinationname": "Maker", "name": "Makers",
            "migrationpolicyclassname": "App.MakerPolicy", "userinfodata": notes,
        ]).attribute("born", ["userinfodata": notes])
        let tag = Entity(["sourcename": "Tag", "migrationpolicyclassname": ""])
        let mappings = try read([artist, Self.work, tag]).entityMappingsByName
        let makers = try #require(mappings["Makers"])
        #expect(makers.mappingType == .customEntityMappingType)
        #expect(makers.entityMigrationPolicyClassName == "App.MakerPolicy")
        #expect(makers.userInfo?["limit"] as? Int == 3)
        #expect(makers.attributeMappings?.first?.userInfo?["limit"] as? Int == 3)
        #expect(mappings["Tag"]?.entityMigrationPolicyClassName == nil)
    }

    @Test("copies an entity that is the same in both models")
    func copied() throws {
        let same = try MigrationFixture(MigrationFixture.first, MigrationFixture.first)
        let source = MappingModelSource(
            [Entity(["sourcename": "Tag", "destinationname": "Tag"]).attribute("label")],
            copies: (same.source, same.destination))
        let model = try #require(NSMappingModel(contentsOf: write(source)))
        #expect(model.entityMappings.first?.mappingType == .copyEntityMappingType)
    }

    // MARK: - Migrating with it

    @Test("has a store migrated accordingly")
    func migrates() throws {
        try fixture.fillSource()
        try fixture.migrate(read())
        let makers = try fixture.migrated("Maker", by: "fullName")
        #expect(makers.keys.sorted() == ["ADA", "BOB"])
        #expect(makers["ADA"]?.value(forKey: "born") as? Int == 1815)
        #expect(makers["BOB"]?.value(forKey: "country") as? String == "Nowhere")
        let works = makers["ADA"]?.value(forKey: "works") as? NSOrderedSet
        #expect(
            Set(
                (works?.array ?? []).map {
                    ($0 as? NSManagedObject)?.value(forKey: "title") as? String
                })
                == ["Engine", "Notes"])
        #expect(try fixture.migrated("Work", by: "title").count == 3)
    }

    @Test("maps the objects that match its filter, or those of its own expression")
    func filter() throws {
        try fixture.fillSource()
        let early = Entity([
            "sourcename": "Work", "destinationname": "Work",
            // Characters with a meaning in XML are escaped as Core Data does.
            "sourcefilterpredicatestring": "year \\u3c00 1843",
        ]).attribute("title").attribute("year")
        try fixture.migrate(read([early]))
        #expect(try fixture.migrated("Work", by: "title").keys.sorted() == ["Notes"])
    }

    @Test("leads to the mapped objects of several entities")
    func subentities() throws {
        let body = """
            <entity name='Box'><relationship name='things' optional='YES' toMany='YES'
                destinationEntity='Thing' inverseName='box' inverseEntity='Thing'/></entity>
            <entity name='Thing'>
                <attribute name='name' optional='YES' attributeType='String'/>
                <relationship name='box' optional='YES' maxCount='1' destinationEntity='Box'
                    inverseName='things' inverseEntity='Box'/></entity>
            <entity name='Toy' parentEntity='Thing'/>
            """
        let fixture = try MigrationFixture(body, body + "<entity name='Lid'/>")
        let context = try MigrationFixture.context(fixture.source, at: fixture.sourceURL)
        let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
        for (entity, name) in [("Thing", "a"), ("Toy", "b")] {
            let thing = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            thing.setValue(name, forKey: "name")
            thing.setValue(box, forKey: "box")
        }
        try context.save()
        let source = MappingModelSource(
            [
                Entity(["sourcename": "Box", "destinationname": "Box"]).relationship("things"),
                Entity(["sourcename": "Thing", "destinationname": "Thing"])
                    .attribute("name").relationship("box"),
                Entity(["sourcename": "Toy", "destinationname": "Toy"])
                    .attribute("name").relationship("box"),
            ], copies: (fixture.source, fixture.destination))
        try fixture.migrate(try #require(NSMappingModel(contentsOf: write(source))))
        let things = try fixture.migrated("Thing", by: "name")
        #expect(things.keys.sorted() == ["a", "b"])
        #expect(things["b"]?.entity.name == "Toy")
        let moved = things["a"]?.value(forKey: "box") as? NSManagedObject
        #expect((moved?.value(forKey: "things") as? Set<NSManagedObject>)?.count == 2)
    }

    // MARK: - Finding it

    @Test("is found for the models of which it has copies, and for no others")
    func foundByHashes() throws {
        _ = try write(MappingModelSource(Self.all, copies: copies))
        #expect(try found()?.entityMappings.count == 4)
        #expect(try found(from: fixture.destination, to: fixture.source) == nil)
        // The names are the same, but the version hashes differ.
        let other = try #require(fixture.source.copy() as? NSManagedObjectModel)
        other.entitiesByName["Tag"]?.attributesByName["label"]?.attributeType = .dateAttributeType
        #expect(try found(from: other) == nil)
        // Entities that it does not map do not matter.
        let larger = try #require(fixture.source.copy() as? NSManagedObjectModel)
        let entity = NSEntityDescription()
        entity.name = "Visitor"
        larger.entities.append(entity)
        #expect(try found(from: larger) != nil)
    }

    @Test("without copies is found by its names, with the version hashes of the models")
    func foundByNames() throws {
        let url = try write(MappingModelSource(Self.all))
        let model = try #require(try found())
        let hash = fixture.source.entitiesByName["Artist"]?.versionHash
        #expect(model.entityMappings.first?.sourceEntityVersionHash == hash)
        #expect(try found(from: fixture.destination, to: fixture.source) == nil)
        // Without the models it does not contain what follows from them.
        #expect(NSMappingModel(contentsOf: url) == nil)
        let error = #expect(throws: ManagedObjectModelFileError.self) {
            try MappingModelDocument(url: url).mappings()
        }
        #expect(error?.reason.contains("no copies of its models") == true)
    }

    @Test("is found by its names if a copy contains something that version hashes here ignore")
    func unknownParts() throws {
        let derived = NSDerivedAttributeDescription()
        derived.name = "size"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(format: "title.length")
        let model = try #require(fixture.destination.copy() as? NSManagedObjectModel)
        model.entitiesByName["Room"]?.properties.append(derived)
        _ = try write(MappingModelSource(Self.all, copies: (fixture.source, model)))
        #expect(try found(to: model)?.entityMappings.count == 4)
    }

    @Test("is read again after its file was written again")
    func writtenAgain() throws {
        let small = try write(MappingModelSource([Self.tag], copies: copies))
        #expect(NSMappingModel(contentsOf: small)?.entityMappings.count == 1)
        let mappings = NSMappingModel(contentsOf: small)?.entityMappings
        mappings?.first?.name = "Changed"
        #expect(NSMappingModel(contentsOf: small)?.entityMappings.first?.name == "Tag")
        _ = try write(MappingModelSource(Self.all, copies: copies))
        #expect(NSMappingModel(contentsOf: small)?.entityMappings.count == 4)
    }

    @Test("is read once while its file stays the same")
    func readOnce() throws {
        let url = try write(MappingModelSource(Self.all, copies: copies))
        let models = try (0..<2).map { _ in try SourceMappingModelReader.read(from: url) }
        #expect(models[0].sourceModel != nil)
        #expect(models[0].sourceModel === models[1].sourceModel)
    }

    @Test("is not taken if there are two")
    func two() throws {
        _ = try write(MappingModelSource(Self.all, copies: copies))
        _ = try write(MappingModelSource(Self.all, copies: copies), "Second")
        #expect(try found() == nil)
    }
}
