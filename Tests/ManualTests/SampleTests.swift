import Foundation
import Testing

@Suite("The manual's samples are real code")
struct SampleTests {
    static let samples = (try? Manual().samples) ?? []

    @Test("There are samples of every kind")
    func kinds() {
        #expect(Set(Self.samples.map(\.remark)) == ["", "uikit", "package"])
    }

    @Test("A sample is compiled word for word", arguments: samples.filter { $0.remark.isEmpty })
    func verbatim(sample: Manual.Sample) throws {
        let wanted = normalized(sample.lines)
        let isThere = try Self.sources().contains { source in
            source.indices.contains { source[$0...].starts(with: wanted) }
        }
        #expect(isThere, "\(sample) is in no file of ManualTests:\n\(sample.text)")
    }

    @Test("A sample is parsed, also where it needs an Apple system", arguments: samples)
    func parsed(sample: Manual.Sample) throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("Sample-\(UUID().uuidString).swift")
        try Data(sample.text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let swiftc = try #require(Self.swiftc(), "swiftc is not in any directory of PATH")
        let (status, messages) = try Self.run("'\(swiftc.path)' -frontend -parse '\(file.path)'")
        #expect(status == 0, "\(sample) does not parse:\n\(messages)")
    }

    /// Runs a shell command, and gives its status and what it printed.
    ///
    /// Foundation's `Process` reads past its table of open files when other threads open files at
    /// the same moment, as other tests do.
    private static func run(_ command: String) throws -> (status: Int32, output: String) {
        let stream = try #require(popen("\(command) 2>&1", "r"))
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&buffer, 1, buffer.count, stream)
            guard count > 0 else { break }
            output.append(contentsOf: buffer[..<count])
        }
        return (pclose(stream), String(decoding: output, as: UTF8.self))
    }

    /// The sources of this target, line by line.
    private static func sources() throws -> [[String]] {
        let folder = Manual.root.appendingPathComponent("Tests/ManualTests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") }.map { path in
            let text = try String(
                contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            return normalized(text.components(separatedBy: "\n"))
        }
    }

    private static func swiftc() -> URL? {
        let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return directories.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
