import CoreDataFiles
import Testing

@testable import CoreData

/// Mapping models in Xcode's compiled format, written by the tests.
@Suite struct CompiledMappingModelTests {
    private static func property(_ name: String, _ value: ArchiveValue?) -> ArchiveValue {
        var fields: [String: ArchiveValue] = ["NSDestinationPropertyName": .string(name)]
        fields["NSValueExpression"] = value
        return .object("NSPropertyMapping", fields)
    }

    /// The source objects of an entity, with Xcode's expression.
    private static func fetch(_ entity: String) -> ArchiveValue {
        .object(
            "NSFetchRequestExpression",
            [
                "NSExpressionType": 50, "NSCountOnlyFlag": false,
                "NSMOCExpression": .path("sourceContext", of: .variable("manager")),
                "NSFRExpression": .function(
                    "fetchRequestForSourceEntityNamed:predicateString:", of: .variable("manager"),
                    .constant(.string(entity)), .constant("TRUEPREDICATE")),
            ])
    }

    private static func destinations(_ mapping: String, _ relationship: String) -> ArchiveValue {
        .function(
            "destinationInstancesForEntityMappingNamed:sourceInstances:", of: .variable("manager"),
            .constant(.string(mapping)), .path(relationship, of: .variable("source")))
    }

    private static let mappings: ArchiveValue = [
        .object(
            "NSEntityMapping",
            [
                "NSMappingName": "ArtistToMaker", "NSMappingType": 5,
                "NSSourceEntityName": "Artist", "NSDestinationEntityName": "Maker",
                "NSSourceEntityVersionHash": .object(
                    "NSData", ["NS.data": .data(Data([1, 2, 3]))]),
                "NSSourceExpression": fetch("Artist"),
                "NSAttributeMappings": [
                    property(
                        "fullName", .function("uppercase:", .path("name", of: .variable("source")))
                    ),
                    property("born", .path("born", of: .variable("source"))),
                    property("country", .constant("Nowhere")),
                ],
                "NSRelationshipMappings": [
                    property("works", destinations("WorkToWork", "works"))
                ],
            ]),
        .object(
            "NSEntityMapping",
            [
                "NSMappingName": "WorkToWork", "NSMappingType": 5, "NSSourceEntityName": "Work",
                "NSDestinationEntityName": "Work", "NSSourceExpression": fetch("Work"),
                "NSAttributeMappings": [
                    property("title", .path("title", of: .variable("source"))),
                    property("year", .path("year", of: .variable("source"))),
                ],
                "NSRelationshipMappings": [property("makers", nil)],
            ]),
        .object(
            "NSEntityMapping",
            ["NSMappingName": "Tag", "NSMappingType": 3, "NSSourceEntityName": "Tag"]),
        .object(
            "NSEntityMapping",
            ["NSMappingName": "Room", "NSMappingType": 2, "NSDestinationEntityName": "Room"]),
    ]

    private static func write(
        _ mappings: ArchiveValue = mappings, to folder: URL, _ name: String = "Model.cdm"
    ) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try KeyedArchiveWriter.archive(
            .object("NSMappingModel", ["NSEntityMappings": mappings])
        ).write(to: url)
        return url
    }

    @Test("A compiled mapping model is read with all its mappings and expressions")
    func contents() throws {
        let folder = try TemporaryDirectory()
        let model = try #require(NSMappingModel(contentsOf: Self.write(to: folder.url)))
        #expect(
            model.entityMappings.map(\.name) == ["ArtistToMaker", "WorkToWork", "Tag", "Room"])
        let artist = try #require(model.entityMappingsByName["ArtistToMaker"])
        #expect(artist.mappingType == .transformEntityMappingType)
        #expect(artist.sourceEntityVersionHash == Data([1, 2, 3]))
        #expect(
            artist.attributeMappings?.map(\.valueExpression?.description)
                == ["uppercase($source.name)", "$source.born", "\"Nowhere\""])
        #expect(
            artist.sourceExpression?.description
                == "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", "
                + "\"Artist\", \"TRUEPREDICATE\"), $manager.sourceContext, 0)")
    }

    @Test("A store is migrated as a compiled mapping model says")
    func migration() throws {
        let fixture = try MigrationFixture()
        try fixture.fillSource()
        let model = try #require(NSMappingModel(contentsOf: Self.write(to: fixture.directory.url)))
        let manager = NSMigrationManager(
            sourceModel: fixture.source, destinationModel: fixture.destination)
        try manager.migrateStore(
            from: fixture.sourceURL, sourceType: PropertyListStore.storeType, options: nil,
            with: model, toDestinationURL: fixture.destinationURL,
            destinationType: PropertyListStore.storeType, destinationOptions: nil)
        let context = try MigrationFixture.context(fixture.destination, at: fixture.destinationURL)
        let makers = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Maker"))
        #expect(!makers.isEmpty)
        for maker in makers {
            let name = maker.value(forKey: "fullName") as? String
            #expect(name == name?.uppercased())
            #expect(maker.value(forKey: "country") as? String == "Nowhere")
        }
        let works = makers.map { ($0.value(forKey: "works") as? NSOrderedSet)?.count }
        #expect(works.compactMap(\.self).reduce(0, +) == 2)
    }

    @Test("The one mapping model that fits two models is found in a bundle")
    func search() throws {
        let fixture = try MigrationFixture()
        let folder = try TemporaryDirectory()
        let bundle = try #require(Bundle(path: folder.url.path))
        func found() -> NSMappingModel? {
            NSMappingModel(
                from: [bundle], forSourceModel: fixture.source,
                destinationModel: fixture.destination)
        }
        #expect(found() == nil)
        _ = try Self.write([], to: folder.url, "Other.cdm")
        #expect(found() == nil)
        _ = try Self.write(to: folder.url)
        #expect(found()?.entityMappings.count == 4)
        #expect(
            NSMappingModel(
                from: [bundle], forSourceModel: fixture.destination,
                destinationModel: fixture.source) == nil)
        _ = try Self.write(to: folder.url, "Copy.cdm")
        #expect(found() == nil)
    }

    @Test("A file that is not a compiled mapping model gives nil")
    func damaged() throws {
        let folder = try TemporaryDirectory()
        #expect(NSMappingModel(contentsOf: nil) == nil)
        #expect(NSMappingModel(contentsOf: folder.url.appendingPathComponent("None.cdm")) == nil)
        #expect(NSMappingModel(contentsOf: try folder.write("no", to: "Text.cdm")) == nil)
        let wrongType = ArchiveValue.object("NSEntityMapping", ["NSMappingType": 77])
        #expect(NSMappingModel(contentsOf: try Self.write([wrongType], to: folder.url)) == nil)
    }
}
