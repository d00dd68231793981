import Testing

@Suite("Hiding attributes of Objective-C") struct AttributeTests {
    @Test(
        "An attribute is put between `#if` and `#endif`, with the declaration below",
        arguments: [
            Porting(
                "@objc(Clock)\nclass Clock {}",
                "#if canImport(ObjectiveC)\n@objc(Clock)\n#endif\nclass Clock {}"),
            Porting(
                "@objc(Clock) public class Clock {}",
                "#if canImport(ObjectiveC)\n@objc(Clock)\n#endif\npublic class Clock {}"),
            Porting(
                "@objc(Clock) @objcMembers\nclass Clock {}",
                "#if canImport(ObjectiveC)\n@objc(Clock) @objcMembers\n#endif\nclass Clock {}"),
            Porting(
                "@objc(Clock)\n@objcMembers class Clock {}",
                "#if canImport(ObjectiveC)\n@objc(Clock)\n@objcMembers\n#endif\nclass Clock {}"),
            Porting(
                "class C {\n  @objc dynamic var x = 1\n}",
                "class C {\n  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  dynamic var x = 1\n}"),
            Porting(
                "class C {\n\t@available(iOS 15, *)\n\t@objc\n\tfunc f() {}\n}",
                "class C {\n\t@available(iOS 15, *)\n\t#if canImport(ObjectiveC)\n\t@objc\n\t#endif\n"
                    + "\tfunc f() {}\n}"),
            Porting(
                "@objc // The name of the model.\nclass C {}",
                "#if canImport(ObjectiveC)\n@objc // The name of the model.\n#endif\nclass C {}"),
            Porting(
                "@objc enum E: Int { case a }",
                "#if canImport(ObjectiveC)\n@objc\n#endif\nenum E: Int { case a }"),
            Porting(
                "class C { var x: Bool {\n    @objc(isX) get { true }\n} }",
                "class C { var x: Bool {\n    #if canImport(ObjectiveC)\n    @objc(isX)\n    #endif\n"
                    + "    get { true }\n} }"),
            Porting(
                "@objc\r\nclass C {}\r\n",
                "#if canImport(ObjectiveC)\r\n@objc\r\n#endif\r\nclass C {}\r\n"),
        ])
    func wrapped(example: Porting) {
        #expect(Porting.port(example.source) == example.result)
    }

    @Test(
        "An attribute after others or after a modifier moves in front of the declaration",
        arguments: [
            Porting(
                "  public @objc func f() {}",
                "  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  public func f() {}"),
            Porting(
                "@NSManaged @objc(addX:) func addX(_ x: X)",
                "#if canImport(ObjectiveC)\n@objc(addX:)\n#endif\n@NSManaged func addX(_ x: X)"),
            Porting(
                "public private(set) final @objc\nvar x = 1",
                "#if canImport(ObjectiveC)\n@objc\n#endif\npublic private(set) final\nvar x = 1"),
            Porting(
                "@MainActor\npublic\n@objc\nfunc f() {}",
                "#if canImport(ObjectiveC)\n@objc\n#endif\n@MainActor\npublic\nfunc f() {}"),
        ])
    func moved(example: Porting) {
        #expect(Porting.port(example.source) == example.result)
    }

    @Test("A declaration that follows a brace in its line gets a line of its own")
    func brace() {
        #expect(
            Porting.port("class C { @objc func f() {} }\n")
                == "class C {\n    #if canImport(ObjectiveC)\n    @objc\n    #endif\n    func f() {} }\n"
        )
    }

    @Test(
        "An attribute that `@NSManaged` implies is removed",
        arguments: [
            Porting("@objc @NSManaged var x: Int", "@NSManaged var x: Int"),
            Porting("@NSManaged @objc dynamic var x: Int", "@NSManaged dynamic var x: Int"),
            Porting("@objc\n@NSManaged\nvar x: Int", "@NSManaged\nvar x: Int"),
            Porting("@NSManaged @objc\nvar x: Int", "@NSManaged\nvar x: Int"),
        ])
    func implied(example: Porting) {
        #expect(Porting.port(example.source) == example.result)
    }

    @Test("A protocol of Objective-C remains one of classes")
    func classProtocol() {
        #expect(
            Porting.port("@objc protocol P {}")
                == "#if canImport(ObjectiveC)\n@objc\n#endif\nprotocol P: AnyObject {}")
        #expect(
            Porting.port("@objc protocol P: Q {}")
                == "#if canImport(ObjectiveC)\n@objc\n#endif\nprotocol P: Q {}")
    }

    @Test(
        "What Linux compiles as it is stays",
        arguments: [
            "@nonobjc class func f() {}", "dynamic var x = 1", "@NSManaged dynamic var x: Int",
            "@IBAction func f(_ sender: Any) {}", "let objc = 1; f(objc)",
            "switch x { case open: break }", "@MainActor final class C {}",
        ])
    func untouched(source: String) {
        #expect(Porting.port(source) == source)
        #expect(Porting.handWork(source) == [])
    }
}
