import CoreData
import Testing

/// The model of this target in its bundle, as code for Apple's systems looks for it.
@Suite struct CompiledModelFolderTests {
    @Test("A model of the resources is in the bundle as a .momd with its version info")
    func folder() throws {
        let url = try #require(Bundle.module.url(forResource: "Garden", withExtension: "momd"))
        let data = try Data(contentsOf: url.appendingPathComponent("VersionInfo.plist"))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        let name = (list as? [String: Any])?["NSManagedObjectModel_CurrentVersionName"] as? String
        let version = try #require(name)
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        #expect(!model.entities.isEmpty)
        let current = url.appendingPathComponent(version).appendingPathExtension("mom")
        #expect(NSManagedObjectModel(contentsOf: current) == model)
        let source = try #require(
            Bundle.module.url(forResource: "Garden", withExtension: "xcdatamodeld"))
        #expect(NSManagedObjectModel(contentsOf: source) == model)
    }

    @Test("A model that is in the bundle in both forms is merged once")
    func merged() throws {
        let model = try #require(NSManagedObjectModel.mergedModel(from: [Bundle.module]))
        let url = try #require(Bundle.module.url(forResource: "Garden", withExtension: "momd"))
        #expect(model.entities.count == NSManagedObjectModel(contentsOf: url)?.entities.count)
    }
}
