import Foundation
import Testing

/// The platform-dependent parts of the framework, compiled with Apple's conditions against the
/// modules for Linux, as far as they need no module that only Apple has.
@Suite("The Apple side of the platform's files") struct AppleSideTests {
    /// Stubs for API that only Apple's Foundation has.
    private static let stub = """
        func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
            try body()
        }
        """

    @Test("compiles against the modules for Linux")
    func compiles() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("AppleSide-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = Manual.root.appendingPathComponent("Sources/Seam3")
        var files = [folder.appendingPathComponent("Stub.swift").path]
        try Data(Self.stub.utf8).write(to: URL(fileURLWithPath: files[0]))
        var changed = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted()
        where path.hasSuffix(".swift") {
            let source = sources.appendingPathComponent(path)
            guard path.hasPrefix("Support/Platform/") else {
                files.append(source.path)
                continue
            }
            let text = try String(contentsOf: source, encoding: .utf8)
            let copy = folder.appendingPathComponent(source.lastPathComponent)
            let lines = text.components(separatedBy: "\n").map { line -> String in
                switch line.trimmingCharacters(in: .whitespaces) {
                case "#if canImport(ObjectiveC)": return "#if true"
                case "#if !canImport(ObjectiveC)": return "#if false"
                default: return line
                }
            }
            if lines != text.components(separatedBy: "\n") { changed += 1 }
            try Data(lines.joined(separator: "\n").utf8).write(to: copy)
            files.append(copy.path)
        }
        #expect(changed >= 5)
        let list = folder.appendingPathComponent("files")
        try Data(files.map { "'\($0)'" }.joined(separator: "\n").utf8).write(to: list)
        let (status, output) = try await Shell.swiftc(
            "-typecheck -swift-version 5 -suppress-warnings -module-name Seam3"
                + " -DSWIFT_PACKAGE \(try Shell.moduleOptions()) '@\(list.path)'")
        #expect(
            status == 0,
            "\(output.components(separatedBy: "\n").prefix(60).joined(separator: "\n"))")
    }
}
