import Foundation
import Testing

/// Shell commands.
enum Shell {
    /// Runs a shell command, and returns its status and output.
    ///
    /// The threads of tasks do not wait for the command. There are only as many as cores, so other
    /// tests' requests would time out while compilers run.
    static func run(_ command: String) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            commands.addOperation {
                continuation.resume(with: Result { try wait(for: command) })
            }
        }
    }

    private static let commands = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
        return queue
    }()

    /// Runs a command without Foundation's `Process`, which reads past its table of open files if other
    /// threads open files at the same moment, as other tests do.
    private static func wait(for command: String) throws -> (status: Int32, output: String) {
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

    /// The Swift compiler.
    static func swiftc() throws -> URL {
        try #require(find("swiftc"), "swiftc is not in any directory of PATH")
    }

    /// Runs the Swift compiler, and returns its status and messages.
    static func swiftc(_ arguments: String) async throws -> (status: Int32, output: String) {
        try await run("'\(swiftc().path)' \(arguments)")
    }

    /// Whether the Swift compiler can parse a file, and its messages.
    static func parse(_ file: URL) async throws -> (status: Int32, output: String) {
        try await swiftc("-frontend -parse '\(file.path)'")
    }

    /// The compiler's name for this machine, such as `x86_64-unknown-linux-gnu`.
    static func targetTriple() async throws -> String {
        let information = try await swiftc("-print-target-info").output
        let line = try #require(
            information.components(separatedBy: "\n").first { $0.contains("\"triple\":") })
        return try #require(line.components(separatedBy: "\"").dropLast().last)
    }

    /// A program in the directories of PATH.
    static func find(_ program: String) -> URL? {
        let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return directories.map { URL(fileURLWithPath: String($0)).appendingPathComponent(program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
