import Testing

@testable import ManagedObjectClassGenerator

@Suite("Reading managed members from sources")
struct SourceParserTests {
    private func declarations(
        _ source: String, flags: Set<String> = []
    ) throws -> SourceDeclarations {
        try SourceParser.declarations(of: Array(source.utf8), file: "Test.swift", flags: flags)
    }

    private func properties(_ source: String) throws -> [String] {
        try declarations(source).properties.map {
            "\($0.owner.joined(separator: ".")).\($0.name): \($0.type)"
        }
    }

    @Test(
        "A property is found however it is written",
        arguments: [
            "class A: B { @NSManaged var x: Int }",
            "class A: B { @NSManaged public var x: Int }",
            "class A: B { public @NSManaged var x: Int }",
            "public final class A: B, C, @unchecked Sendable { @objc @NSManaged dynamic var x: Int }",
            "@objc(A) @objcMembers class A: B { @NSManaged public private(set) var x: Int }",
            "class A: B {\n  @NSManaged\n  var\n  x\n  : Int\n}",
            "class A: B { @available(iOS 15, *) @NSManaged var x: Int; func f() {} }",
            "extension A { /* a comment */ @NSManaged /* { */ var x: Int // }\n}",
            "extension A: C where D: E { @NSManaged open var x: Int }",
            "class A: B { @NSManaged var `x`: Int }",
            "class A: B { class func f() {}; class var g: Int { 1 }\n @NSManaged var x: Int }",
            "class A: B { let s = \"{ \\(f(\"}\") { 1 }) }\"; @NSManaged var x: Int }",
            "class A: B { let s = #\"\"\"\n { \" \\( \n\"\"\"#; @NSManaged var x: Int }",
            "class A: B { let r = /\\/{\"/; @NSManaged var x: Int }",
            "class A: B { let r = #/ { \" /#; let q = 4 / 2; @NSManaged var x: Int }",
            "class A: B { func f() { class C {}; if a { } }; @NSManaged var x: Int }",
            "class A: B { /* /* nested } */ } */ @NSManaged var x: Int }",
            "class A: B { var y: Int { get { 1 } set { } } \n @NSManaged var x: Int }",
        ])
    func spellings(source: String) throws {
        #expect(try properties(source) == ["A.x: Int"])
    }

    @Test(
        "A type is read to its end",
        arguments: [
            ("Set<Clock>?", "Set<Clock>?"), ("[String: [Int]]!", "[String: [Int]]?"),
            ("Foundation.Date?", "Foundation.Date?"), ("(Date)?", "Date?"),
            ("Optional<Date>", "Optional<Date>"), ("A.B.C", "A.B.C"),
        ])
    func types(written: String, read: String) throws {
        #expect(
            try properties("class A: B { @NSManaged var x: \(written)\n var y = 1 }")
                == ["A.x: \(read)"])
    }

    @Test("One declaration may hold several properties")
    func lists() throws {
        #expect(
            try properties("class A: B { @NSManaged var x: Int, y: Date? }")
                == ["A.x: Int", "A.y: Date?"])
    }

    @Test("Properties of nested types belong to the inner one")
    func nesting() throws {
        let source = """
            enum Space { class A: B { enum K: Int { case a }; @NSManaged var k: K } }
            extension Space.A { @NSManaged var x: Int }
            """
        #expect(try properties(source) == ["Space.A.k: K", "Space.A.x: Int"])
    }

    @Test("Access levels of members and extensions count")
    func access() throws {
        let source = """
            class A: B {
                @NSManaged var a: Int
                @NSManaged open var b: Int
                @NSManaged private var c: Int
                @NSManaged public fileprivate(set) var d: Int
            }
            public extension A { @NSManaged var e: Int }
            private extension A { @NSManaged var f: Int }
            """
        #expect(
            try declarations(source).properties.map(\.access) == [
                .internal, .public, .filePrivate, .public, .public, .filePrivate,
            ])
    }

    @Test("Methods are read with labels and types")
    func methods() throws {
        let source = "extension A { @NSManaged public func replaceXs(at i: Int, with x: [X]) }"
        let method = try #require(try declarations(source).methods.first)
        #expect(method.fullName == "replaceXs(at:with:)")
        #expect(method.parameters.map(\.type.description) == ["Int", "[X]"])
    }

    @Test(
        "Only what a build for Linux compiles is read",
        arguments: [
            ("#if canImport(ObjectiveC)\n@NSManaged var y: Int\n#endif", []),
            (
                "#if os(iOS) || os(macOS)\n@NSManaged var y: Int\n#else\n@NSManaged var z: Int\n#endif",
                ["A.z: Int"]
            ),
            (
                "#if !os(Linux)\n@NSManaged var y: Int\n#elseif true\n@NSManaged var z: Int\n#endif",
                ["A.z: Int"]
            ),
            ("#if canImport(ObjectiveC)\n@objc(z)\n#endif\n@NSManaged var z: Int", ["A.z: Int"]),
            ("#if DEBUG\nfunc f() {}\n#endif\n@NSManaged var z: Int", ["A.z: Int"]),
            ("#if FLAG && os(Linux)\n@NSManaged var z: Int\n#endif", ["A.z: Int"]),
            ("#if os(Linux) // why\n#if (os(iOS))\n@NSManaged var y: Int\n#endif\n#endif", []),
        ] as [(String, [String])])
    func conditions(members: String, expected: [String]) throws {
        let found = try declarations("class A: B {\n\(members)\n}", flags: ["FLAG"])
        #expect(found.properties.map { "A.\($0.name): \($0.type)" } == expected)
    }

    @Test(
        "Anything that cannot be decided or read is an error with its line",
        arguments: [
            ("class A: B {\n#if DEBUG\n@NSManaged var x: Int\n#endif\n}", 3, "'#if'"),
            ("class A<T>: B {\n@NSManaged var x: Int\n}", 2, "generic"),
            ("class A: B {\n@NSManaged var x = 1\n}", 2, "no type"),
            ("class A: B {\n@NSManaged func f<T>(_ x: T)\n}", 2, "generic"),
            ("\n@NSManaged var x: Int", 2, "member of a class"),
            ("class A: B {\nlet x = \"\n}", 2, "unterminated string"),
            ("\n/* /* */", 2, "unterminated comment"),
            ("\n#endif", 2, "without '#if'"),
        ])
    func errors(source: String, line: Int, message: String) throws {
        do {
            let found = try declarations(source)
            Issue.record("nothing was wrong: \(found)")
        } catch let error as Diagnostics {
            #expect(error.all.map(\.line) == [line])
            #expect(error.all[0].message.contains(message))
        } catch let error as Diagnostic {
            #expect(error.line == line)
            #expect(error.message.contains(message))
        }
    }
}
