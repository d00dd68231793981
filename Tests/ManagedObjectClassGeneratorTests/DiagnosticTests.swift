import Testing

@testable import ManagedObjectClassGenerator

@Suite("Errors that stop a build")
struct DiagnosticTests {
    private func problems(_ source: String, model: String? = nil) throws -> [Diagnostic] {
        let models = try model.map {
            try ModelFile(contents: Array("<model>\($0)</model>".utf8), file: "contents")
        }
        let generator = TargetGenerator(
            module: "App", sources: [("/App/Clock.swift", Array(source.utf8))],
            models: models.map { [$0] } ?? [])
        do {
            _ = try generator.generate()
            return []
        } catch let error as Diagnostics {
            return error.all
        }
    }

    @Test("A type outside the table names file, line, class and property, and what to write")
    func advice() throws {
        let source = """
            import CoreData
            class Clock: NSManagedObject {
                @NSManaged var place: CLLocationCoordinate2D?
            }
            """
        let problem = try #require(try problems(source).first)
        #expect(
            problem.description == """
                /App/Clock.swift:3: error: property 'place' of class 'Clock' cannot be '@NSManaged' \
                on Linux: its type 'CLLocationCoordinate2D?' is declared neither in this target nor \
                among the types that can be mapped. Write instead:
                    var place: CLLocationCoordinate2D? {
                        get { value(forKey: "place") as? CLLocationCoordinate2D }
                        set { setValue(newValue, forKey: "place") }
                    }
                """)
    }

    @Test(
        "Types that no accessor can be generated for are refused",
        arguments: [
            ("struct Point {}", "Point", "is a struct"),
            ("enum State { case on }", "State", "without an integer raw type"),
            ("enum State: String { case on }", "State", "without an integer raw type"),
            ("private enum State: Int { case on }", "State", "is private to its file"),
            ("protocol Named {}", "Named", "is a protocol"),
            ("class Box<T> {}", "Box<Int>", "none of the generic types"),
            ("typealias Loop = Loop", "Loop", "neither in this target"),
            ("", "(Int, Int)", "none of the types"),
            ("", "(NSObject & NSCoding)?", "none of the types"),
            ("", "any Sendable", "none of the types"),
            ("", "Int??", "optional twice"),
        ])
    func types(declaration: String, type: String, reason: String) throws {
        let source = "\(declaration)\nclass Clock: NSManagedObject { @NSManaged var x: \(type) }"
        let problem = try #require(try problems(source).first)
        #expect(problem.line == 2)
        #expect(problem.message.contains("'x'"))
        #expect(problem.message.contains(reason))
    }

    @Test(
        "Owners that no accessor can be generated for are refused",
        arguments: [
            ("extension Other { @NSManaged var x: Int }", "no class of this target"),
            ("private class Clock: NSManagedObject { @NSManaged var x: Int }", "private"),
            ("struct Clock { @NSManaged var x: Int }", "it is no class"),
            ("actor Clock { @NSManaged var x: Int }", "it is no class"),
            ("protocol Clock { @NSManaged var x: Int }", "it is no class"),
            ("class Clock<T>: NSManagedObject { @NSManaged var x: Int }", "generic"),
            (
                "extension Date { class Clock: NSManagedObject { @NSManaged var x: Int } }",
                "extension of another module's type"
            ),
            (
                "actor Shop { class Clock: NSManagedObject { @NSManaged var x: Int } }",
                "declared in the actor 'Shop'"
            ),
            (
                "protocol Shop {}\nextension Shop { class Clock: NSManagedObject {"
                    + " @NSManaged var x: Int } }", "declared in the protocol 'Shop'"
            ),
        ])
    func owners(source: String, reason: String) throws {
        let problem = try #require(try problems(source).first)
        #expect(problem.message.contains(reason))
        // An entity cannot have a generic class, and the other declarations are not classes.
        let isClass = !["it is no class", "generic"].contains(reason)
        #expect(problem.message.hasSuffix(Self.computed) == isClass)
    }

    private static let computed = """
        . Write instead:
            var x: Int {
                get { value(forKey: "x") as! Int }
                set { setValue(newValue, forKey: "x") }
            }
        """

    @Test("A member of a local class is refused with the reason")
    func localClass() throws {
        let source = """
            func make() {
                class Clock: NSManagedObject {
                    @NSManaged var x: Int
                }
            }
            let made = { class Hand: NSManagedObject { @NSManaged func addToX(_ x: Hand) } }
            """
        let found = try problems(source)
        #expect(found.map(\.line) == [3, 6])
        #expect(found.first?.message.contains("the local class 'Clock'") == true)
        #expect(found.first?.message.contains("move the class out of the function") == true)
    }

    @Test(
        "Types that other types hold in a way without a symbol are refused",
        arguments: [
            (
                "extension Date { enum Era: Int { case old } }", "Date.Era",
                "extension of another module's type"
            ),
            ("actor Shop { enum Kind: Int { case on } }", "Shop.Kind", "the actor 'Shop'"),
            (
                "protocol Shop {}; extension Shop { enum Kind: Int { case on } }", "Shop.Kind",
                "the protocol 'Shop'"
            ),
        ])
    func nestedTypes(declaration: String, type: String, reason: String) throws {
        let source = "\(declaration)\nclass Clock: NSManagedObject { @NSManaged var x: \(type)? }"
        let problem = try #require(try problems(source).first)
        #expect(problem.line == 2)
        #expect(problem.message.contains("property 'x' of class 'Clock'"))
        #expect(problem.message.contains(reason))
        #expect(problem.message.contains("get { value(forKey: \"x\") as? \(type) }"))
    }

    @Test(
        "Methods that are not accessors are refused",
        arguments: [
            "func addToClocks(_ value: String)", "func addToClocks(value: Clock)",
            "func clocks(_ value: Clock)", "func addToClocks(_ value: Clock) -> Bool",
            "func insertIntoClocks(_ value: Clock, at place: String)",
            "func addToHands(_ value: Clock)", "func addToLabel(_ value: Clock)",
            "func addToClocks(_ value: Foreign)", "func addToClocks(_ values: Set<Foreign>)",
            "func removeFromClocks(_ values: [Foreign])", "func addToClocks(_ value: any Named)",
            "func insertIntoClocks(_ value: Foreign, at index: Int)",
            "func insertIntoClocks(_ value: Clock, at place: Double)",
        ])
    func methods(method: String) throws {
        let source = "class Clock: NSManagedObject { @NSManaged \(method) }"
        let model = """
            <entity name="Clock" representedClassName="Clock"><attribute name="label"/>
            <relationship name="clocks" toMany="YES" destinationEntity="Clock"/></entity>
            """
        let problem = try #require(try problems(source, model: model).first)
        #expect(problem.message.contains("of class 'Clock' cannot be '@NSManaged'"))
        #expect(problem.message.contains("mutableSetValue(forKey:)"))
    }

    @Test("A class that is neither generated nor written is named")
    func missingClass() throws {
        let model = """
            <entity name="Clock" representedClassName="Clock" codeGenerationType="category"/>
            """
        let found = try problems("class Hand: NSManagedObject {}", model: model)
        #expect(found.map(\.line) == [1])
        #expect(found.map(\.file) == ["contents"])
    }

    @Test("A class that the target declares is not generated, with a warning")
    func writtenClass() throws {
        let model = """
            <model><entity name="Clock" representedClassName=".Clock" codeGenerationType="class">
            <attribute name="label" attributeType="String"/></entity></model>
            """
        let generated = try TargetGenerator(
            module: "App",
            sources: [
                (
                    "/App/Clock.swift",
                    Array("class Clock: NSManagedObject { @NSManaged var label: String? }".utf8)
                )
            ],
            models: [ModelFile(contents: Array(model.utf8), file: "contents")]
        ).generate()
        #expect(!generated.text.contains("class Clock"))
        #expect(!generated.text.contains("fetchRequest"))
        #expect(generated.text.contains("_managed_Clock_label_getter"))
        #expect(generated.warnings.map(\.line) == [1])
        let warning = try #require(generated.warnings.first)
        #expect(warning.description.contains("warning: the class 'Clock'"))
    }

    @Test("All problems are reported together")
    func all() throws {
        let source = """
            class Clock: NSManagedObject {
                @NSManaged var x: Unknown
                @NSManaged var y: Int
                @NSManaged var z: Unknown?
            }
            """
        #expect(try problems(source).map(\.line) == [2, 4])
    }
}
