import Foundation
import Testing

@testable import ManagedObjectClassGenerator

/// Managed members used by other modules.
@Suite("Managed members in other modules")
struct OtherModuleTests {
    private static let framework = """
        open class NSManagedObject {
            public init() {}
            public final func _managedNumber(forKey key: String) -> Int? { 1 }
            public final func _addManagedMembers(_ members: [Any], forKey key: String) {}
        }
        """

    private static let model = """
        import CoreData
        open class Clock: NSManagedObject {
            @NSManaged public func addToClocks(_ value: Clock)
        }
        extension Clock {
            @NSManaged package func addToAlarms(_ value: Clock)
            @NSManaged func addToHands(_ value: Clock)
        }
        """

    private static let app = """
        import Model
        public func use(_ clock: Clock) {
            clock.addToClocks(clock)
            clock.addToAlarms(clock)
        }
        """

    @Test(
        "Managed methods can be called from another module, optimized or not",
        arguments: ["-Onone", "-O", "-O -wmo", "-O -wmo -cross-module-optimization"])
    func methods(options: String) throws {
        try Toolchain.withFolder { folder in
            let generated = try TargetGenerator(
                module: "Model", sources: [("Model.swift", Array(Self.model.utf8))], models: []
            ).generate().text.replacingOccurrences(of: "import Foundation", with: "")
            let files = [
                "CoreData": Self.framework, "Model": Self.model, "Generated": generated,
                "App": Self.app,
            ]
            for (name, text) in files {
                try text.write(
                    to: folder.appendingPathComponent("\(name).swift"), atomically: true,
                    encoding: .utf8)
            }
            let compiler = "swiftc \(options) -I. -parse-as-library -package-name p -emit-module"
            _ = try Toolchain.run("\(compiler) -module-name CoreData CoreData.swift", in: folder)
            _ = try Toolchain.run(
                "\(compiler) -module-name Model Model.swift Generated.swift", in: folder)
            _ = try Toolchain.run(
                "\(compiler) -emit-library -static -module-name App App.swift -o libApp.a",
                in: folder)
        }
    }

    @Test("A class that no model of the target has may belong to a model that is built in code")
    func modelInCode() throws {
        let model = try ModelFile(
            contents: Array(
                """
                <model><entity name="Clock" representedClassName=".Clock"><attribute name="label"/>
                </entity></model>
                """.utf8), file: "contents")
        func generate(_ source: String) throws -> String {
            try TargetGenerator(
                module: "App", sources: [("App.swift", Array(source.utf8))], models: [model]
            ).generate().text
        }
        let text = try generate(
            "class Bed: NSManagedObject { @NSManaged func addToPlants(_ plant: Bed) }")
        #expect(text.contains("_addManagedMembers([_0], forKey: \"plants\")"))
        #expect(throws: Diagnostics.self) {
            try generate(
                "class Clock: NSManagedObject { @NSManaged func addToPlants(_ plant: Clock) }")
        }
    }
}
