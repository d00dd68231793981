import Testing

@testable import SourcePorting

@Suite("What is not code for Linux") struct UntouchedCodeTests {
    @Test(
        "Comments and strings stay as they are",
        arguments: [
            "// @objc var x = #keyPath(Clock.label)",
            "/* @objc /* #keyPath(A.b) */ @objc class C {} */ let x = 1",
            #"let s = "@objc class C {} #keyPath(Clock.label)""#,
            ##"let s = "an escaped \" and #keyPath(Clock.label)""##,
            ###"let s = #"a quote " and \(#keyPath(Clock.label))"#"###,
            "let s = \"\"\"\n  @objc class C { \"#keyPath(Clock.label)\" }\n  \"\"\"",
            "let s = ##\"\"\"\n  @objc \"\"\"# \\#(#keyPath(A.b))\n  \"\"\"##",
            #"let r = /"@objc class C/"#,
            "let r = #/\n  @objc class C\n/#",
            "#!/usr/bin/swift #keyPath(Clock.label)\nlet x = 1",
            "let half = 1 / 2 // @objc\nlet other = a/b",
        ])
    func text(source: String) {
        #expect(Porting.port(source) == source)
        #expect(Porting.handWork(source) == [])
    }

    @Test(
        "Code that Linux does not compile stays",
        arguments: [
            "#if canImport(ObjectiveC)", "#if os(iOS) || os(macOS)", "#if !os(Linux)",
            "#if canImport(UIKit) && DEBUG", "#if os(Linux)\n#else", "#if false",
            "#if os(Linux) || DEBUG\n#elseif os(macOS)", "#if (os(iOS))",
            "#if targetEnvironment(simulator)",
        ])
    func condition(condition: String) {
        let source = "\(condition)\n@objc class C { let k = #keyPath(A.b) }\n#endif\n"
        #expect(Porting.port(source) == source)
        #expect(Porting.handWork(source) == [])
    }

    @Test(
        "Code that Linux may compile is rewritten",
        arguments: [
            "#if DEBUG", "#if os(Linux)", "#if os(iOS)\n#else", "#if swift(>=6.0)",
            "#if canImport(UIKit) || DEBUG", "#if canImport(Other)", "#if !canImport(ObjectiveC)",
        ])
    func otherCondition(condition: String) {
        #expect(
            Porting.port("\(condition)\nlet k = #keyPath(A.b)\n#endif\n")
                == "\(condition)\nlet k = \"b\"\n#endif\n")
    }

    @Test(
        "A file whose comments or strings have no end is listed and stays",
        arguments: [
            ("/* /* */ @objc class C {}", "comment", 1),
            ("let x = 1\nlet s = \"@objc", "string", 2),
            ("\"\"\"\n@objc", "string", 1), ("\n\n#/ @objc", "regular expression", 3),
            (##""\(#keyPath(A.b)"##, "string", 1),
        ])
    func unterminated(source: String, what: String, line: Int) {
        let file = Porting.file(source)
        #expect(file.changes == [])
        #expect(
            file.handWork == [
                .init(line: line, message: "The file was not read: a \(what) has no end.")
            ])
    }

    @Test("A closing parenthesis or brace too many does not end the file")
    func unbalanced() {
        #expect(Porting.port(") } #endif\nlet k = #keyPath(A.b)") == ") } #endif\nlet k = \"b\"")
    }
}
