import Foundation
import Testing

/// The code of the tutorial's steps. Its files do not have Swift's extension, so that they are not
/// compiled as sources of the framework.
@Suite("The tutorial's code") struct TutorialTests {
    private static let resources = Manual.root.appendingPathComponent("\(Manual.catalog)/Resources")

    /// The files that are compiled together: a step, and the rest of the app.
    private static let apps = [
        ["stack-1"], ["stack-2"], ["stack-3"], ["stack-4"],
        ["stack-5", "delegate-1", "status-1", "test-1"],
        ["stack-5", "delegate-2", "status-2", "test-2"],
    ]

    @Test("compiles, step by step", arguments: apps)
    func compiles(steps: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Tutorial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if steps.count > 1 { try await UIKitStub.build(in: folder) }
        var files: [URL] = []
        for step in steps {
            files.append(folder.appendingPathComponent("\(step).swift"))
            try FileManager.default.copyItem(
                at: Self.resources.appendingPathComponent("\(step).txt"), to: files[files.count - 1]
            )
        }
        let (status, output) = try await Shell.swiftc(
            "-typecheck -parse-as-library -swift-version 5 -module-name Clocks"
                + " -I '\(folder.path)' \(try Shell.moduleOptions()) "
                + files.map { "'\($0.path)'" }.joined(separator: " "))
        #expect(status == 0, "\(output)")
    }

    @Test("is in the article, as it is at the end", arguments: ["stack-1"] + apps[apps.count - 1])
    func article(step: String) throws {
        let article = try Manual("\(Manual.catalog)/Articles/AddSyncToAnApp.md")
        let code = try Manual("\(Manual.catalog)/Resources/\(step).txt").text
        #expect(article.samples.contains { $0.text == code })
    }

    @Test("is in the tutorial, and no other code is")
    func steps() throws {
        let tutorial = try Manual("\(Manual.catalog)/Tutorials/FromCoreDataToSync.tutorial").text
        let named = tutorial.matches(of: #/file: "([^"]+)\.txt"/#).map { String($0.1) }
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.resources.path)
        let files = names.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
        #expect(Set(named) == Set(files))
        #expect(Set(named) == Set(Self.apps.joined()))
    }
}
