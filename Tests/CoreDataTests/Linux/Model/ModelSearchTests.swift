import Testing

@testable import CoreData

@Suite("Finding models in bundles")
struct ModelSearchTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    func bundle(_ name: String) throws -> Bundle {
        try #require(Bundle(url: directory.url.appendingPathComponent(name)))
    }

    @Test("The models of several bundles are merged")
    func merged() throws {
        _ = try directory.writeModel("A.resources/One.xcdatamodel", body: "<entity name='A'/>")
        _ = try directory.writeModel(
            "B.resources/Two.xcdatamodeld/Two.xcdatamodel", body: "<entity name='B'/>")
        let bundles = try [bundle("A.resources"), bundle("B.resources")]
        let model = try #require(NSManagedObjectModel.mergedModel(from: bundles))
        #expect(model.entitiesByName.keys.sorted() == ["A", "B"])
        let found = ModelSearch.url(forModelNamed: "Two", in: bundles)
        #expect(found?.lastPathComponent == "Two.xcdatamodeld")
        #expect(ModelSearch.url(forModelNamed: "Three", in: bundles) == nil)
    }

    @Test("A bundle without models gives a model without entities")
    func nothing() throws {
        _ = try directory.write("", to: "A.resources/readme.txt")
        let model = try NSManagedObjectModel.mergedModel(from: [bundle("A.resources")])
        #expect(model?.entities.isEmpty == true)
    }

    @Test("A model that cannot be read gives no model")
    func broken() throws {
        _ = try directory.writeModel("A.resources/One.xcdatamodel", body: "<entity/>")
        #expect(try NSManagedObjectModel.mergedModel(from: [bundle("A.resources")]) == nil)
    }

    @Test("For a store's metadata, the version that it was written with is found")
    func versions() throws {
        let folder = "A.resources/M.xcdatamodeld"
        let old = try directory.writeModel(
            "\(folder)/1.xcdatamodel", body: "<entity name='E'/>")
        _ = try directory.writeModel(
            "\(folder)/M.xcdatamodel",
            body: "<entity name='E'><attribute name='a' attributeType='String'/></entity>")
        let hashes = try NSManagedObjectModel(readingFrom: old).entityVersionHashesByName
        let model = try NSManagedObjectModel.mergedModel(
            from: [bundle("A.resources")],
            forStoreMetadata: [NSStoreModelVersionHashesKey: hashes])
        #expect(model?.entityVersionHashesByName == hashes)
        let current = try NSManagedObjectModel.mergedModel(from: [bundle("A.resources")])
        #expect(current?.entityVersionHashesByName != hashes)
    }

    @Test("The resource bundles beside an executable are searched, and nothing else there")
    func besideExecutable() throws {
        let executable = try directory.write("", to: "app")
        for name in ["B.resources", "A.resources", "app.dSYM"] {
            _ = try directory.writeModel("\(name)/M.xcdatamodel", body: "")
        }
        #expect(
            ModelSearch.resourceFolders(beside: executable).map(\.lastPathComponent)
                == ["A.resources", "B.resources"])
    }
}
