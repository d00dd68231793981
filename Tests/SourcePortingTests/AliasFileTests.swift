import Foundation
import SourcePorting
import Testing

@Suite("The file with aliases") struct AliasFileTests {
    private func aliases(_ files: [String: String], targets: [String] = []) throws -> [String] {
        let folder = try Folder(files)
        let ported = try PortedFolder(
            folder.path, targets: targets.map { folder.target($0) })
        return ported.aliases.map { file in
            let path = file.path.replacingOccurrences(of: folder.path + "/", with: "")
            return "\(path): \(file.names.joined(separator: ", "))"
        }
    }

    @Test(
        "A name that Linux lacks or has twice gets an alias",
        arguments: [
            ("import XCTest\nlet e: NSExpression", "NSExpression"),
            ("import Foundation\nlet p = NSComparisonPredicate()", "NSComparisonPredicate"),
            ("autoreleasepool { f() }", "autoreleasepool"),
            ("let seconds = time / NSEC_PER_SEC", "NSEC_PER_SEC"),
            ("let type = NSClassFromString(entity.managedObjectClassName)", "NSClassFromString"),
            ("import XCTest\nself.wait(for: [done])", "wait"),
            ("import os\nlet log = Logger(subsystem: \"a\", category: \"b\")", "Logger"),
            ("import os\nos_log(\"Done.\")", "Logger"),
            ("let lock = OSAllocatedUnfairLock(initialState: 0)", "OSAllocatedUnfairLock"),
            ("let start = CFAbsoluteTimeGetCurrent()", "CFAbsoluteTimeGetCurrent"),
            (
                "func f(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) {}",
                "AutoreleasingUnsafeMutablePointer"
            ),
        ])
    func alias(source: String, name: String) throws {
        #expect(try aliases(["A.swift": source]) == ["LinuxAliases.swift: \(name)"])
    }

    @Test(
        "There is no file if no name needs an alias",
        arguments: [
            "import CoreData\nlet e: NSExpression", "import XCTest\nlet e: CoreData.NSExpression",
            "func autoreleasepool(_ f: () -> Void) {}; autoreleasepool {}",
            "import XCTest\ntypealias NSExpression = CoreData.NSExpression; let e: NSExpression",
            "wait(for: [done], timeout: 1)", "queue.wait()",
            "import Logging\nlet log = Logger(label: \"a\")", "struct Logger {}\nlet l = Logger()",
            "// autoreleasepool {}", "#if os(iOS)\nautoreleasepool {}\n#endif",
        ])
    func none(source: String) throws {
        #expect(try aliases(["A.swift": source]) == [])
    }

    @Test("Each target has a file of its own, and a folder of a target has one, too")
    func targets() throws {
        let files = [
            "Sources/A/A.swift": "autoreleasepool {}", "Sources/A/More/B.swift": "",
            "Sources/B/B.swift": "let x = 1",
            "Tests/T/T.swift": "import XCTest\nlet e: NSExpression",
        ]
        #expect(
            try aliases(files, targets: ["Sources/A", "Sources/B", "Tests/T"]) == [
                "Sources/A/LinuxAliases.swift: autoreleasepool",
                "Tests/T/LinuxAliases.swift: NSExpression",
            ])
        let folder = try Folder(files)
        let ported = try PortedFolder(
            folder.path + "/Sources/A", targets: [folder.target("Sources/A")])
        #expect(ported.aliases.map(\.path) == [folder.path + "/Sources/A/LinuxAliases.swift"])
    }

    @Test("A type of the package gets an alias if Foundation has one of its name")
    func typesOfThePackage() throws {
        let files = [
            "Sources/Query/A.swift":
                "public struct Predicate<T> {}\nstruct SortOrder {}\nextension Timer {}",
            "Tests/T/T.swift": """
            import XCTest
            @testable import Query
            let p: Predicate<Int>, o: SortOrder, t: Timer
            """,
            "Tests/U/U.swift": "import XCTest\nlet p: Predicate<Int>",
        ]
        let targets = ["Sources/Query", "Tests/T", "Tests/U"]
        #expect(
            try aliases(files, targets: targets)
                == ["Tests/T/LinuxAliases.swift: Predicate, SortOrder"])
        // The other targets need not be ported at the same time.
        let folder = try Folder(files)
        let ported = try PortedFolder(
            folder.path + "/Tests/T", targets: targets.map { folder.target($0) })
        #expect(
            ported.aliases.first?.text.hasSuffix(
                """
                import Query

                public typealias Predicate = Query.Predicate
                typealias SortOrder = Query.SortOrder
                #endif

                """) == true)
    }

    @Test("The file is empty on Apple's systems, and is written again when another name is needed")
    func text() throws {
        let folder = try Folder(["A.swift": "import XCTest\nlet e: NSExpression"])
        try folder.run()
        #expect(
            try folder.files()["LinuxAliases.swift"] == """
                // What the code of this target uses, and Linux lacks or has twice. "swift package port-tests"
                // writes this file.

                #if !canImport(ObjectiveC)
                import CoreData

                public typealias NSExpression = CoreData.NSExpression
                #endif

                """)
        try folder.write("autoreleasepool {}", to: "B.swift")
        #expect(try folder.run().contains("declares NSExpression, autoreleasepool."))
        #expect(try folder.run() == "There is nothing to rewrite.")
    }
}
