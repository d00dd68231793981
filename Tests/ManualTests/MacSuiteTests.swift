import Foundation
import Testing

/// On Linux the suites are compiled against the Linux modules, including their folders `Linux`.
/// These tests check the rest as a Mac would compile it.
@Suite("The suites on a Mac") struct MacSuiteTests {
    private let package: MacPackage

    init() async throws { package = try await MacPackage.whole.value }

    @Test("are all except those of the modules for Linux and those that only run on Linux")
    func targets() {
        #expect(
            Set(package.testTargets.map(\.name)) == [
                "AppleFacts", "SeamSQLiteTests", "LocalCloudTests", "CoreDataTests", "Seam3Tests",
                "NestedCloudKitCodableTests", "SimulationTests", "RenamingScheduleTests", "Judge",
                "seam3-simulate", "CoreDataFiles", "NotificationStreams", "SeededRandom",
            ])
        let files = package.testTargets.flatMap(\.files)
        #expect(files.count > 300)
        #expect(files.allSatisfy { !$0.pathComponents.contains("Linux") })
    }

    @Test("can be left out except for the facts")
    func facts() async throws {
        let package = try await MacPackage(suites: "facts")
        #expect(package.testTargets.map(\.name) == ["AppleFacts"])
    }

    /// The system modules that tests may import.
    private static let system: Set = [
        "CoreData", "CloudKit", "CoreLocation", "Foundation", "SQLite3", "Testing",
    ]

    @Test("import only what is available, and look only into modules of this package")
    func imports() throws {
        for target in package.testTargets {
            let known = Self.system.union(target.dependencies ?? [])
            for file in target.files {
                let source = try AppleSource(file)
                let strangers = source.imports.filter { !known.contains($0) }
                #expect(strangers == [], "\(file.path)")
                for line in source.lines where line.hasPrefix("@testable") {
                    let module = line.split(separator: " ").last.map(String.init) ?? ""
                    #expect(!Self.system.contains(module), "\(file.path): \(line)")
                }
            }
        }
    }

    @Test("use neither iCloud nor names that only Linux's C library and Foundation have")
    func names() throws {
        let container = /^CK(Container|Database|\w+Operation)$/
        let linux: Set = [
            "__rlimit_resource_t", "__rusage_who_t", "FoundationNetworking", "FoundationEssentials",
            "Glibc",
        ]
        for file in package.testTargets.flatMap(\.files) {
            let wrong = try AppleSource(file).words.filter { word in
                linux.contains(word) || word.wholeMatch(of: container) != nil
            }
            #expect(wrong == [], "\(file.path)")
        }
    }

    /// API that is newer than the oldest supported system, so that files need an availability
    /// check.
    private static let later: Set = [
        "NSCompositeAttributeDescription", "NSStagedMigrationManager", "NSCustomMigrationStage",
        "NSLightweightMigrationStage", "NSManagedObjectModelReference", "versionChecksum",
        "ContinuousClock", "SuspendingClock", "Duration", "Regex", "Mutex", "Atomic",
        "wholeMatch", "firstMatch", "replacing",
    ]

    @Test("check whether the system has what is newer than macOS 12")
    func availability() throws {
        for file in package.testTargets.flatMap(\.files) {
            let source = try AppleSource(file)
            let names = source.words.intersection(Self.later)
            let asks = source.code.contains { $0.contains("available(macOS") }
            #expect(names.isEmpty || asks, "\(file.path): \(names)")
        }
    }

    @Test("compile without Linux-only names, wherever that can make a difference")
    func compilation() async throws {
        var count = 0
        for target in package.testTargets {
            let check = try MacCompilation(target)
            guard !check.files.isEmpty else { continue }
            count += check.files.count
            let (status, output) = try await check.run()
            #expect(status == 0, "\(target.name):\n\(output.prefix(5000))")
        }
        #expect(count >= 25)
    }
}

/// The compiler's messages for the files of a target that a Mac may compile differently, because
/// they have conditions or predicate formats, or use something that only a folder `Linux` declares.
/// All other files are compiled the same way on both.
private final class MacCompilation {
    /// Replaces API of Apple's systems.
    private static let stub = """
        import Foundation

        let RLIMIT_FSIZE: Int32 = 1
        let RUSAGE_SELF: Int32 = 0
        @discardableResult
        func getrlimit(_: Int32, _: UnsafeMutablePointer<rlimit>) -> Int32 { 0 }
        @discardableResult
        func setrlimit(_: Int32, _: UnsafePointer<rlimit>) -> Int32 { 0 }
        @discardableResult
        func getrusage(_: Int32, _: UnsafeMutablePointer<rusage>) -> Int32 { 0 }
        struct Selector {}
        func NSSelectorFromString(_: String) -> Selector { Selector() }
        extension NSObject {
            static func instancesRespond(to: Selector) -> Bool { false }
        }
        extension NSObject: @retroactive CVarArg {
            public var _cvarArgEncoding: [Int] { [] }
        }
        extension String: @retroactive CVarArg { public var _cvarArgEncoding: [Int] { [] } }
        extension Array: @retroactive CVarArg { public var _cvarArgEncoding: [Int] { [] } }
        extension Set: @retroactive CVarArg { public var _cvarArgEncoding: [Int] { [] } }
        extension NSPredicate {
            convenience init(appleFormat: String, _ arguments: any CVarArg...) { fatalError() }
            convenience init(appleFormat: String, argumentArray: [Any]?) { fatalError() }
        }
        """

    /// A predicate with arguments that are not an array. Apple's initializer takes `CVarArg`, this
    /// package's any value.
    private let format =
        /NSPredicate\(\s*format:\s*(?:"(?:[^"\\]|\\.)*"(?:\s*\+\s*)?)+,\s*(?!argumentArray)/

    private let target: MacPackage.Target
    /// The files to check.
    private(set) var files: [URL] = []
    private var others: [URL] = []
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("MacSuite-\(UUID().uuidString)")

    init(_ target: MacPackage.Target) throws {
        self.target = target
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let strangers = try Self.namesOfLinux(target)
        for (number, file) in target.files.enumerated() {
            let source = try AppleSource(file)
            let text = try String(contentsOf: file, encoding: .utf8)
            if source.hasConditions || text.firstMatch(of: format) != nil {
                files.append(try Self.copy(file, to: folder, number))
            } else if !source.words.isDisjoint(with: strangers) {
                files.append(file)
            } else {
                others.append(file)
            }
        }
        let stub = folder.appendingPathComponent("Stub.swift")
        try Data(Self.stub.utf8).write(to: stub)
        others.append(stub)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The names that only the target's folder `Linux` declares.
    private static func namesOfLinux(_ target: MacPackage.Target) throws -> Set<String> {
        let root = Manual.root.appendingPathComponent("\(target.path)/Linux")
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
        let files = paths.filter { $0.hasSuffix(".swift") }.map { root.appendingPathComponent($0) }
        return try declarations(files).subtracting(declarations(target.files))
    }

    private static func declarations(_ files: [URL]) throws -> Set<String> {
        let keyword = /\b(?:func|var|let|class|struct|enum|protocol|typealias|case)\s+(\w+)/
        return Set(
            try files.flatMap { file in
                try AppleSource(file).code.flatMap { line in
                    line.matches(of: keyword).map { String($0.1) }
                }
            })
    }

    /// Copies a file with the conditions and formats as on a Mac. The module for XML stays, because
    /// Foundation includes it on a Mac.
    private static func copy(_ file: URL, to folder: URL, _ number: Int) throws -> URL {
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacing("#if os(Linux)", with: "#if false")
            .replacing("#if !canImport(ObjectiveC)", with: "#if false")
            .replacing("#if canImport(ObjectiveC)", with: "#if true")
            .replacing(/NSPredicate\((\s*)format:/) { "NSPredicate(\($0.1)appleFormat:" }
        let copy = folder.appendingPathComponent("\(number)-\(file.lastPathComponent)")
        try Data(text.utf8).write(to: copy)
        return copy
    }

    func run() async throws -> (status: Int32, output: String) {
        let plugins = try Shell.swiftc().resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("lib/swift/host/plugins").path
        let arguments =
            files.map { "-primary-file '\($0.path)'" } + others.map { "'\($0.path)'" } + [
                "-swift-version 5", "-D SWIFT_PACKAGE", "-module-name \(target.name)",
                "-plugin-path '\(plugins)'", "-plugin-path '\(plugins)/testing'",
                "-suppress-warnings", try Shell.moduleOptions(),
            ]
        let list = folder.appendingPathComponent("arguments")
        try Data(arguments.joined(separator: "\n").utf8).write(to: list)
        return try await Shell.swiftc("-frontend -typecheck '@\(list.path)'")
    }
}
