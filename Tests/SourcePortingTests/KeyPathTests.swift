import Testing

@Suite("Rewriting key paths and selectors") struct KeyPathTests {
    @Test(
        "A key path becomes the string that Apple's compiler makes of it",
        arguments: [
            Porting("let key = #keyPath(Clock.label)", #"let key = "label""#),
            Porting(
                "let key = #keyPath(Clock.place.country.name)", #"let key = "place.country.name""#),
            Porting("let key = #keyPath( Clock . label )", #"let key = "label""#),
            Porting("let key = #keyPath(\n    Clock\n        .label\n)", #"let key = "label""#),
            Porting("let key = #keyPath(label)", #"let key = "label""#),
            Porting("let key = #keyPath(place.name)", #"let key = "place.name""#),
            Porting("let key = #keyPath(Clock.`default`)", #"let key = "default""#),
            Porting("let key = #keyPath(Clock.isFavorite)", #"let key = "isFavorite""#),
            Porting(
                "f(#keyPath(Clock.label), [#keyPath(Clock.note): 1])",
                #"f("label", ["note": 1])"#),
            Porting(
                "struct Book { class Page {} }\nlet key = #keyPath(Book.Page.number)",
                "struct Book { class Page {} }\nlet key = \"number\""),
            Porting(
                "class clock {}\nlet key = #keyPath(clock.label)",
                "class clock {}\nlet key = \"label\""),
            Porting(
                "class Clock { @NSManaged var isDeleted: Bool }\nlet key = #keyPath(Clock.isDeleted)",
                "class Clock { @NSManaged var isDeleted: Bool }\nlet key = \"isDeleted\""),
        ])
    func keyPath(example: Porting) {
        #expect(Porting.port(example.source) == example.result)
    }

    @Test(
        "A key path that is all of an interpolation becomes part of the string",
        arguments: [
            Porting(##""\(#keyPath(Clock.label)) == %@""##, #""label == %@""#),
            Porting(
                ##""\(#keyPath(Clock.label)) == %@ AND \(#keyPath(Clock.note)) == nil""##,
                #""label == %@ AND note == nil""#),
            Porting(###"#"\#(#keyPath(Clock.label)) \d"#"###, ##"#"label \d"#"##),
            Porting(
                ##""\(f(#keyPath(Clock.label), "\(#keyPath(Clock.note))"))""##,
                #""\(f("label", "note"))""#),
            Porting(
                "\"\"\"\n  \\(#keyPath(Clock.label)) \"quoted\"\n  \"\"\"",
                "\"\"\"\n  label \"quoted\"\n  \"\"\""),
        ])
    func interpolation(example: Porting) {
        #expect(Porting.port(example.source) == example.result)
    }

    @Test(
        "A key path stays, and is listed, if the compiler may make another string of it",
        arguments: [
            "let key = #keyPath(Clock.URL)",
            "let key = #keyPath(Clock.URL.path)",
            "let key = #keyPath(Clock.isDeleted)",
            "class Clock { @objc(name) var label = \"\" }; let key = #keyPath(Clock.label)",
            "let key = #keyPath(Clock.f())",
            "let key = #keyPath()",
            "let key = #keyPath",
        ])
    func uncertain(source: String) {
        let file = Porting.file(source)
        #expect(
            file.changes.filter {
                $0.old.contains { $0.contains("#keyPath") }
                    && !$0.new.contains { $0.contains("#keyPath") }
            } == [])
        #expect(file.handWork.contains { $0.message.contains("write the key as a string") })
    }

    @Test("A property that `#if canImport(ObjectiveC)` renames is still known to be renamed")
    func hiddenName() {
        let source = """
            class Clock {
                #if canImport(ObjectiveC)
                @objc(name)
                #endif
                var label = ""
            }
            let key = #keyPath(Clock.label)
            """
        #expect(Porting.port(source) == source)
    }

    @Test(
        "A selector that compares strings becomes one that Linux knows, too",
        arguments: ["localizedStandardCompare", "caseInsensitiveCompare(_:)"])
    func comparison(method: String) {
        let source =
            "NSSortDescriptor(key: k, ascending: true, selector: #selector(NSString.\(method)))"
        let name = method.prefix { $0 != "(" }
        #expect(
            Porting.port(source)
                == "NSSortDescriptor(key: k, ascending: true, selector: NSSelectorFromString(\"\(name):\"))"
        )
    }

    @Test("Another selector stays and is listed")
    func selector() {
        let source = "\nlet s = #selector(didSave(_:))"
        #expect(Porting.port(source) == source)
        #expect(Porting.handWork(source).map(\.line) == [2])
    }

    @Test(
        "A name that Linux has in another module than Foundation is no longer qualified",
        arguments: [
            Porting("class T: Foundation.ValueTransformer {}", "class T: ValueTransformer {}"),
            Porting("let u: Foundation . UndoManager?", "let u: UndoManager?"),
            Porting("let d: Foundation.Date", "let d: Foundation.Date"),
            Porting("import class Foundation.UndoManager", "import class Foundation.UndoManager"),
            Porting(
                "class Selector {}\nlet s: Foundation.Selector",
                "class Selector {}\nlet s: Foundation.Selector"),
        ])
    func qualifiedName(example: Porting) {
        #expect(Porting.port(example.source) == example.result)
    }
}
