import CoreDataFiles
import Testing

@testable import CoreData

/// Compares models with those of an independent reader. The script in `Tests/AdoptionReader` is in
/// another language, shares no code with the package, and knows only Xcode's format.
///
/// If `SEAM3_PUBLIC_MODELS` is the path of a folder, the models and mapping models in it are
/// compared, too. Each subfolder is one project.
@Suite("A model file and an independent reader", .enabled(if: PythonScript.canRun))
struct ModelReaderTests {
    /// Expects that both readers find the same in a version. Differences are lines that only one of
    /// them has.
    private static func expectSame(_ version: URL) throws {
        let expected = try PythonScript("models.py").lines([version.path]).dropFirst()
        let found = ModelDump(try NSManagedObjectModel(readingFrom: version)).lines
        let (missing, added) = (Set(expected).subtracting(found), Set(found).subtracting(expected))
        #expect(missing.sorted().prefix(5).map(\.self) == [], "\(version.path)")
        #expect(added.sorted().prefix(5).map(\.self) == [], "\(version.path)")
        #expect(expected.count == found.count, "\(version.path)")
    }

    @Test("have the same entities, properties and defaults")
    func fixture() throws {
        let directory = try TemporaryDirectory()
        let attributes = [
            ("Integer 16", "7"), ("Integer 32", "YES"), ("Integer 64", "1.0"),
            ("Integer 16", "70000"), ("Double", "1.50"), ("Double", "x"), ("Float", "0.1"),
            ("Decimal", "10.50"), ("Decimal", "1x"), ("Boolean", "YES"), ("Boolean", "0.0"),
            ("Boolean", "maybe"), ("String", "a &lt; b"), ("UUID", "empty"),
            ("UUID", "7b0b1c36-64b5-4f0d-9c0b-2c9b1d0c6a11"), ("URI", "http://a.b/c"),
        ]
        let body = attributes.enumerated().map { index, attribute in
            "<attribute name='a\(index)' attributeType='\(attribute.0)'"
                + " defaultValueString='\(attribute.1)'/>"
        }
        let version = try directory.writeModel(
            body: """
                <entity name='Parent' isAbstract='YES' elementID='Old'>\(body.joined())
                    <attribute name='date' optional='YES' attributeType='Date'
                        defaultDateTimeInterval='10.5' elementID='day'/>
                    <relationship name='children' optional='YES' toMany='YES' minCount='1'
                        maxCount='5' ordered='YES' deletionRule='Cascade'
                        destinationEntity='Child' inverseName='parent' inverseEntity='Child'/>
                    <uniquenessConstraints><uniquenessConstraint>
                        <constraint value='a0'/><constraint value='a1'/>
                    </uniquenessConstraint></uniquenessConstraints>
                </entity>
                <entity name='Child' parentEntity='Parent'>
                    <relationship name='parent' maxCount='1' deletionRule='Deny'
                        destinationEntity='Parent' inverseName='children' inverseEntity='Parent'/>
                </entity>
                """)
        try Self.expectSame(version)
    }

    // MARK: - Models of other projects

    private static let projects: [String] = {
        guard let path = ProcessInfo.processInfo.environment["SEAM3_PUBLIC_MODELS"],
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return [] }
        return names.sorted().map { path + "/" + $0 }
    }()

    /// The folders with an extension, in the Finder's order.
    private static func folders(_ type: String, in path: String) -> [URL] {
        let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return found.filter { $0.hasSuffix("." + type) }
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            .map { URL(fileURLWithPath: path + "/" + $0) }
    }

    @Test(
        "have the same for the models of other projects",
        .enabled(if: !projects.isEmpty), arguments: projects)
    func project(path: String) throws {
        for version in Self.folders("xcdatamodel", in: path) {
            let contents = version.appendingPathComponent("contents").path
            if FileManager.default.fileExists(atPath: contents) {
                try Self.expectSame(version)
            } else {
                let error = #expect(throws: ManagedObjectModelFileError.self) {
                    try NSManagedObjectModel(readingFrom: version)
                }
                #expect(error?.reason.contains("Xcode 3") == true, "\(version.path)")
            }
        }
    }

    @Test(
        "Mappings between the versions of other projects' models are inferred, or the reason is given",
        .enabled(if: !projects.isEmpty), arguments: projects)
    func inference(path: String) throws {
        for folder in Self.folders("xcdatamodeld", in: path) {
            let versions = try Self.folders("xcdatamodel", in: folder.path).filter {
                FileManager.default.fileExists(atPath: $0.appendingPathComponent("contents").path)
            }.map { try NSManagedObjectModel(readingFrom: $0) }
            for (old, new) in zip(versions, versions.dropFirst()) {
                for (from, to) in [(old, new), (new, old)] {
                    do {
                        let mappings =
                            try NSMappingModel.inferredMappingModel(
                                forSourceModel: from, destinationModel: to
                            ).entityMappings ?? []
                        #expect(mappings.count >= to.entities.count)
                    } catch let error as CocoaError {
                        #expect(error.code == .inferredMappingModel)
                        let reason = error.userInfo["reason"] as? String ?? ""
                        #expect(reason.contains(" ") && error.userInfo["entity"] is String)
                    }
                }
            }
        }
    }

    @Test(
        "Mapping models of other projects lead between the versions of which they have copies",
        .enabled(if: !projects.isEmpty), arguments: projects)
    func mappingModels(path: String) throws {
        let versions = Self.folders("xcdatamodel", in: path).filter {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("contents").path)
        }
        let hashes = try versions.map { version in
            let model = try NSManagedObjectModel(readingFrom: version)
            return (version.lastPathComponent, model.entityVersionHashesByName)
        }
        for url in Self.folders("xcmappingmodel", in: path) {
            #expect(try !MappingModelDocument(url: url).mappings().isEmpty, "\(url.path)")
            let source = try SourceMappingModelReader.read(from: url)
            func versions(
                _ copy: NSManagedObjectModel?, of names: [String]
            ) throws -> [String] {
                let copies = try #require(copy, "\(url.path)").entityVersionHashesByName
                return hashes.filter { version in
                    names.allSatisfy { copies[$0] != nil && version.1[$0] == copies[$0] }
                }.map(\.0)
            }
            let from = try versions(
                source.sourceModel, of: source.entities.compactMap(\.sourceName))
            let to = try versions(
                source.destinationModel, of: source.entities.compactMap(\.destinationName))
            print("\(url.lastPathComponent): from \(from) to \(to)")
        }
    }
}
