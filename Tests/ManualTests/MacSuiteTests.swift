import Foundation
import Testing

/// On Linux the suites are compiled against the Linux modules, including their folders `Linux`.
/// `AppleInterface/check` compiles the rest as a Mac would.
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
                "SourcePortingTests",
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

    @Test("and the libraries are what the type checks for Apple's systems compile")
    func checked() throws {
        let check = Manual.root.appendingPathComponent("Tests/AppleInterface/check")
        let line = /^    (\S+) [56] ((?:Sources|Tests)\/[^"]+)"?$/
        let compiled = try String(contentsOf: check, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.wholeMatch(of: line) }.map { "\($0.1) \($0.2)" }
        let built = package.targets.filter { $0.type != "plugin" }
            .map { "\($0.name) \($0.path)" }
        #expect(compiled.sorted() == built.sorted())
    }

    @Test("use no iCloud")
    func names() throws {
        let container = /^CK(Container|Database|\w+Operation)$/
        for file in package.testTargets.flatMap(\.files) {
            let wrong = try AppleSource(file).words.filter { $0.wholeMatch(of: container) != nil }
            #expect(wrong == [], "\(file.path)")
        }
    }
}
