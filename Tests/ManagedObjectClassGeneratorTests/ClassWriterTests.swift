import Testing

@testable import ManagedObjectClassGenerator

@Suite("What is generated from a model")
struct ClassWriterTests {
    private func text(_ model: String, source: String = "") throws -> String {
        let model = try ModelFile(contents: Array("<model>\(model)</model>".utf8), file: "contents")
        return try TargetGenerator(
            module: "App", sources: [("App.swift", Array(source.utf8))], models: [model]
        ).generate().text
    }

    @Test("Nothing is generated for entities with manual classes")
    func manual() throws {
        let text = try text("<entity name='Clock' representedClassName='Clock'/>")
        #expect(!text.contains("Clock"))
    }

    @Test("Nothing is generated for a class of another module")
    func otherModule() throws {
        let text = try text(
            "<entity name='Clock' representedClassName='Kit.Clock' codeGenerationType='class'/>")
        #expect(!text.contains("Clock"))
    }

    @Test("The class's name counts, not the entity's")
    func names() throws {
        let text = try text(
            """
            <entity name='Clock' representedClassName='App.CDClock' codeGenerationType='class'/>
            <entity name='Alarm' parentEntity='Clock' representedClassName='CDAlarm'
                codeGenerationType='class'/>
            """)
        #expect(text.contains("public class CDClock: NSManagedObject {"))
        #expect(text.contains("public class CDAlarm: CDClock {"))
        #expect(text.contains("NSFetchRequest<CDClock>(entityName: \"Clock\")"))
    }

    @Test("A class becomes identifiable once, if its sources and superclass do not declare it")
    func identity() throws {
        let text = try text(
            """
            <entity name='A' representedClassName='A' codeGenerationType='class'/>
            <entity name='B' parentEntity='A' representedClassName='B' codeGenerationType='class'/>
            <entity name='C' representedClassName='C' codeGenerationType='category'/>
            """, source: "class C: NSManagedObject {}\nextension C: Swift.Identifiable {}")
        #expect(text.contains("extension A: Identifiable {}"))
        #expect(!text.contains("extension B: Identifiable"))
        #expect(!text.contains("extension C: Identifiable"))
    }

    @Test(
        "A transformable attribute has the class that the model names",
        arguments: [
            ("", "Foundation.NSObject?"), ("customClassName='NSArray'", "Foundation.NSArray?"),
            ("customClassName='[String]'", "[Swift.String]?"),
            ("customClassName='UIColor'", "UIColor?"),
        ])
    func transformable(attribute: String, type: String) throws {
        let text = try text(
            """
            <entity name='A' representedClassName='A' codeGenerationType='class'>
            <attribute name='value' attributeType='Transformable' \(attribute)/></entity>
            """)
        #expect(text.contains("public var value: \(type) {"))
    }

    @Test("Members of a generated class may be marked @NSManaged in the sources")
    func extensionOfGeneratedClass() throws {
        let text = try text(
            "<entity name='A' representedClassName='A' codeGenerationType='class'/>",
            source: "extension A { @NSManaged var primitiveName: String? }")
        #expect(text.contains("$s3App1AC13primitiveNameSSSgvs"))
        #expect(text.contains("_setPrimitiveManagedValue(newValue, forKey: \"name\")"))
    }
}
