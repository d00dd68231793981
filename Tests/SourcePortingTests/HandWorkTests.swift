import Testing

@Suite("What is left to do by hand") struct HandWorkTests {
    @Test(
        "A use of Apple's runtime or modules is listed with its line and what to do",
        arguments: [
            ("let o = clock.observe(\\.label) { _, _ in }", "key-value observing"),
            (
                "clock.addObserver(self, forKeyPath: \"label\", options: [], context: nil)",
                "key-value observing"
            ),
            ("override func observeValue(forKeyPath keyPath: String?) {}", "key-value observing"),
            ("var token: NSKeyValueObservation?", "key-value observing"),
            (
                "center.addObserver(self, selector: #selector(f), name: n, object: nil)",
                "pass a closure"
            ),
            ("NotificationCenter.default.publisher(for: name)", "no Combine"),
            ("import UIKit", "#if canImport(UIKit)"),
            ("@testable import SwiftUI", "#if canImport(SwiftUI)"),
            ("Bundle(for: Tests.self)", "Bundle.module"),
            ("request as? NSFetchRequest<NSFetchRequestResult>", "create a request of that type"),
            ("objc_sync_enter(self)", "Objective-C runtime"),
            ("extension Clock { public override func willSave() {} }", "cannot override"),
            ("extension Clock { @objc open func f() {} }", "cannot be overridden"),
            ("@objc protocol P { @objc optional func f() }", "default implementation"),
            ("#if os(iOS)\nlet x = 1\n#elseif os(macOS)\nlet x = 2\n#endif", "add one for it"),
            ("class C { @objc var isLate: Bool { true } }", "override value(forKey:)"),
            ("@objc(Watch) class Clock {}", "'Watch' in the model"),
        ])
    func listed(source: String, message: String) {
        let work = Porting.handWork("\n" + source)
        #expect(work.map(\.line) == [2])
        #expect(work.first?.message.contains(message) == true)
        #expect(work.first?.message.hasSuffix(".") == true)
    }

    @Test(
        "What works on Linux is not listed",
        arguments: [
            "center.addObserver(forName: n, object: nil, queue: nil) { _ in }",
            "import CoreData", "import Foundation", "NSClassFromString(\"Clock\")",
            "clock.observe(\"label\")", "let r = NSFetchRequest<Clock>(entityName: \"Clock\")",
            "extension C { class D: E { override func f() {} } }",
            "class C { override func willSave() {} }\nextension C { func f() {} }",
            "#if os(iOS)\nlet x = 1\n#endif", "#if os(iOS)\n#elseif DEBUG\n#endif",
            "#if os(iOS)\n#elseif os(macOS)\n#else\nlet x = 1\n#endif",
            "#if os(iOS)\n#if os(macOS)\n#elseif os(tvOS)\n#endif\n#endif",
            "class C { @objc @NSManaged var label: String }", "@objc(Clock) class Clock {}",
            "class C { @objc class var entityName: String { \"C\" } }",
        ])
    func silent(source: String) {
        #expect(Porting.handWork(source) == [])
    }

    @Test("A second run lists the same")
    func again() {
        let source = """
            @objc(Watch) class Clock { @objc var isLate: Bool { true } }
            let s = #selector(f)
            """
        let first = Porting.file(source)
        let second = Porting.handWork(String(decoding: first.bytes, as: UTF8.self))
        #expect(first.handWork.map(\.message) == second.map(\.message))
        #expect(second.count == 3)
    }

    @Test("An optional requirement keeps its attribute")
    func optional() {
        #expect(
            Porting.port("@objc protocol P {\n    @objc optional func f()\n}")
                .hasSuffix("protocol P: AnyObject {\n    @objc optional func f()\n}"))
    }
}
