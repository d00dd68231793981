import Foundation

/// The command of the example app, on devices of its own. `Example/Server/test` builds it.
struct DemoCommand: Sendable {
    /// The folder of the devices.
    let folder: URL
    /// The server's address.
    let server: URL

    private static let executable = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .appendingPathComponent("../../../../../.build/debug/seam3-demo").standardizedFileURL

    /// Whether it was built.
    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

    /// Runs the command to its end.
    ///
    /// - Returns: What it printed, and its exit code.
    func run(_ arguments: String...) async throws -> (text: String, code: Int32) {
        let running = try start(arguments)
        return try await Thread.runBlocking {
            let data = running.output.readDataToEndOfFile()
            running.process.waitUntilExit()
            return (String(decoding: data, as: UTF8.self), running.process.terminationStatus)
        }
    }

    /// Starts the command.
    func start(_ arguments: [String]) throws -> Running {
        let (process, output) = (Process(), Pipe())
        process.executableURL = Self.executable
        process.arguments =
            arguments + [
                "--cloud", folder.path, "--server", server.absoluteString, "--user", "ann",
                "--create",
            ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return Running(process, output)
    }

    /// A command that runs.
    final class Running: @unchecked Sendable {
        // Unchecked because `text` is touched by one test only, and the rest does not change.
        let process: Process
        let output: FileHandle
        private let pipe: Pipe
        /// What it has printed so far, as far as it was waited for.
        private(set) var text = ""

        init(_ process: Process, _ pipe: Pipe) {
            self.process = process
            self.pipe = pipe
            output = pipe.fileHandleForReading
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// Waits until the command has printed some words. The end of the test ends the command.
        ///
        /// - Returns: Whether it did before its end.
        func prints(_ words: String) async throws -> Bool {
            try await withTaskCancellationHandler {
                while !text.contains(words) {
                    let data = try await Thread.runBlocking { [output] in output.availableData }
                    if data.isEmpty { return false }
                    text += String(decoding: data, as: UTF8.self)
                }
                return true
            } onCancel: {
                kill(process.processIdentifier, SIGTERM)
            }
        }

        /// Ends the command.
        func end() async throws {
            kill(process.processIdentifier, SIGTERM)
            try await Thread.runBlocking { [process] in process.waitUntilExit() }
        }
    }
}
