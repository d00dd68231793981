import Foundation
import Testing

@testable import SourcePorting

@Suite("The command that ports a folder") struct PortCommandTests {
    private static let clock = """
        import CoreData

        @objc(Clock)
        class Clock: NSManagedObject {
            @NSManaged var label: String?
            @objc var isLate: Bool { label == nil }
        }

        """

    private static let port = """
        import CoreData

        #if canImport(ObjectiveC)
        @objc(Clock)
        #endif
        class Clock: NSManagedObject {
            @NSManaged var label: String?
            #if canImport(ObjectiveC)
            @objc
            #endif
            var isLate: Bool { label == nil }
        }

        """

    private static let tests = "let key = #keyPath(Clock.label), s = #selector(f)\n"

    @Test("A run rewrites the files in all folders, and reports what is left to do")
    func run() throws {
        let folder = try Folder([
            "Sources/Clock.swift": Self.clock, "Tests/ClockTests.swift": Self.tests,
            "Sources/Other.swift": "let x = 1\n", "Notes.txt": "@objc",
        ])
        #expect(
            try folder.run() == """
                Rewrote 3 lines in 2 files.
                2 places to change by hand:
                Sources/Clock.swift:6: Key-value coding, predicates and sort descriptors do not find \
                'isLate' on Linux; where they use it, override value(forKey:) in its class.
                Tests/ClockTests.swift:1: Linux has no selectors of methods; pass a closure, for \
                example to NotificationCenter.addObserver(forName:object:queue:using:).
                """)
        #expect(
            try folder.files() == [
                "Sources/Clock.swift": Self.port,
                "Tests/ClockTests.swift": "let key = \"label\", s = #selector(f)\n",
                "Sources/Other.swift": "let x = 1\n", "Notes.txt": "@objc",
            ])
    }

    @Test("A second run changes nothing")
    func again() throws {
        let folder = try Folder([
            "Clock.swift": Self.clock, "Tests.swift": Self.tests,
            "Pool.swift": "autoreleasepool {}\n@objc protocol P {}\n",
        ])
        try folder.run()
        let files = try folder.files()
        #expect(files.count == 4)
        #expect(try folder.run().hasPrefix("There is nothing to rewrite.\n2 places"))
        #expect(try folder.files() == files)
    }

    @Test("A dry run prints the lines as they are and as they would be, and writes nothing")
    func dryRun() throws {
        let files = ["Clock.swift": Self.clock, "Pool.swift": "autoreleasepool {}\n"]
        let folder = try Folder(files)
        let report = try folder.run("--dry-run")
        #expect(
            report.hasPrefix(
                """
                Clock.swift:3
                - @objc(Clock)
                + #if canImport(ObjectiveC)
                + @objc(Clock)
                + #endif
                Clock.swift:6
                -     @objc var isLate: Bool { label == nil }
                +     #if canImport(ObjectiveC)
                +     @objc
                +     #endif
                +     var isLate: Bool { label == nil }
                LinuxAliases.swift
                """))
        #expect(report.contains("+ func autoreleasepool<Result>"))
        #expect(
            report.contains("\nWould rewrite 2 lines in 1 file.\nWould write LinuxAliases.swift"))
        #expect(try folder.files() == files)
    }

    @Test("Lines that are joined or removed are shown as they were")
    func joinedLines() throws {
        let folder = try Folder([
            "A.swift": "f(\n    #keyPath(\n        A.b))\n@objc\n@NSManaged var c: Int\n"
        ])
        #expect(
            try folder.run("--dry-run") == """
                A.swift:2
                -     #keyPath(
                -         A.b))
                +     "b")
                A.swift:4
                - @objc
                Would rewrite 3 lines in 1 file.
                """)
    }

    @Test("Hidden folders and symbolic links are left alone")
    func hiddenFolders() throws {
        let other = try Folder(["Linked.swift": Self.tests])
        let folder = try Folder([".build/Build.swift": Self.tests, "A.swift": ""])
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Linked.swift"),
            withDestinationURL: other.url.appendingPathComponent("Linked.swift"))
        #expect(try folder.run() == "There is nothing to rewrite.")
        #expect(try folder.files()[".build/Build.swift"] == Self.tests)
        #expect(try other.files() == ["Linked.swift": Self.tests])
    }

    @Test("A folder that does not exist, that is a file, or that has no Swift file is an error")
    func wrongFolders() throws {
        let folder = try Folder(["Notes.txt": ""])
        for (path, text) in [
            ("missing", "There is no folder 'missing'."),
            (folder.path + "/Notes.txt", "'\(folder.path)/Notes.txt' is not a folder."),
            (folder.path + "/", "There is no Swift file in '\(folder.path)'."),
        ] {
            #expect(throws: PortedFolder.Failure(description: text)) {
                try folder.run(folder: path)
            }
        }
    }

    @Test(
        "Wrong arguments are an error that shows the right ones",
        arguments: [[], ["A", "B"], ["--dry", "A"]])
    func wrongArguments(arguments: [String]) throws {
        let error = #expect(throws: PortedFolder.Failure.self) {
            try PortCommand(arguments: arguments)
        }
        #expect(
            error?.description.contains("swift package port-tests [--dry-run] <folder>") == true)
    }
}
