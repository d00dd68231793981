import Foundation
import Testing

@Suite("The manual's samples are real code")
struct SampleTests {
    static let samples = Manual.paths.flatMap { (try? Manual($0).samples) ?? [] }

    /// The lines of the sources that are compiled: in the targets and the package that
    /// compile samples, and in the tutorial.
    private static let sources: [[String]] = [
        "Tests/ManualTests", "Tests/NestedCloudKitCodableTests", "Tests/Consumer",
        "\(Manual.catalog)/Resources",
    ]
    .flatMap { path in
        let folder = Manual.root.appendingPathComponent(path)
        let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return (paths ?? []).filter { $0.hasSuffix(".swift") || $0.hasSuffix(".txt") }.compactMap {
            path in
            let file = folder.appendingPathComponent(path)
            return try? String(contentsOf: file, encoding: .utf8)
        }
    }.map { normalized($0.components(separatedBy: "\n")) }

    @Test("There are samples of every kind")
    func kinds() {
        #expect(Set(Self.samples.map(\.kind)) == [.compiled, .apple, .manifest])
    }

    @Test(
        "A sample is compiled word for word",
        arguments: samples.filter { $0.kind == .compiled })
    func verbatim(sample: Manual.Sample) {
        let wanted = normalized(sample.lines)
        let isThere = Self.sources.contains { source in
            source.indices.contains {
                source[$0] == wanted.first && source[$0...].starts(with: wanted)
            }
        }
        #expect(isThere, "\(sample) is in no file of ManualTests:\n\(sample.text)")
    }

    @Test(
        "A sample that cannot be compiled here is parsed",
        arguments: samples.filter { $0.kind != .compiled })
    func parsed(sample: Manual.Sample) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("Sample-\(UUID().uuidString).swift")
        try Data(sample.text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (status, messages) = try await Shell.parse(file)
        #expect(status == 0, "\(sample) does not parse:\n\(messages)")
    }
}
