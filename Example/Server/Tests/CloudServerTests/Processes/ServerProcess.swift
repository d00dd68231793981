import CloudKitWebServices
import Foundation
import FoundationNetworking

/// The command `seam3-server` as a process of its own, with the app that a new folder has.
final class ServerProcess: @unchecked Sendable {
    // Unchecked because nothing changes after `start`; `Process` and `Pipe` lack the annotation.

    static let container = "iCloud.org.example.WorldClock"
    static let apiToken = "world-clock"

    /// Where the server listens.
    let url: URL
    /// The address that the server prints for its clients.
    private(set) var address: URL
    private let process: Process
    /// Is kept open, because a process that writes to a closed pipe ends.
    private let output: Pipe

    /// A server that did not start, or refused somebody, with what it said.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private init(_ process: Process, output: Pipe, url: URL) {
        self.process = process
        self.output = output
        self.url = url
        address = url
    }

    deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

    /// Starts a server and waits until it says that it runs.
    ///
    /// - Parameters:
    ///   - executable: The command.
    ///   - folder: The folder with the cloud and the settings. What the server logs is added to
    ///     `Server.log` beside it.
    ///   - url: The address, with a free port.
    ///   - options: Further options of the command.
    ///   - environment: Further variables of its environment.
    static func start(
        _ executable: URL, folder: URL, at url: URL, options: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> ServerProcess {
        let log = folder.appendingPathExtension("log")
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let errors = try FileHandle(forWritingTo: log)
        try errors.seekToEnd()
        let (process, output) = (Process(), Pipe())
        process.executableURL = executable
        process.arguments =
            [
                "--folder", folder.path, "--port", "\(url.port ?? 0)", "--log-level", "error",
                // Measurements and trials are under no limit.
                "--requests-per-minute", "1000000", "--megabytes-per-minute", "1000000",
            ] + options
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let server = ServerProcess(process, output: output, url: url)
        try await server.waitUntilRunning(log: log)
        return server
    }

    private func waitUntilRunning(log: URL) async throws {
        let handle = output.fileHandleForReading
        let text = try await Thread.runBlocking {
            var text = ""
            while !text.contains("Control-C") {
                let data = handle.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }
        guard text.contains("Control-C") else {
            // The log is only for the message; the failure is one without it, too.
            let errors = try? String(contentsOf: log, encoding: .utf8)
            throw Failure(description: "The server does not start: \(text)\(errors ?? "")")
        }
        let printed = text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http") }
        if let printed, let url = URL(string: String(printed)) { address = url }
    }

    /// The process's ID.
    var processIdentifier: Int32 { process.processIdentifier }

    // MARK: - The end

    /// Ends the process at once, wherever it is.
    func kill() async throws {
        Foundation.kill(process.processIdentifier, SIGKILL)
        _ = try await exitCode()
    }

    /// Asks the process to end, as the system does.
    func terminate() { Foundation.kill(process.processIdentifier, SIGTERM) }

    /// Waits for the end.
    ///
    /// - Returns: The exit code, or the signal that ended the process.
    func exitCode() async throws -> Int32 {
        try await Thread.runBlocking { [process] in
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    // MARK: - Clients

    /// The way of a user's device to the server.
    func service(user: String) async throws -> CloudKitWebService {
        CloudKitWebService(
            container: Self.container, environment: .development,
            credentials: .user(
                apiToken: Self.apiToken, webAuthToken: try await webAuthToken(of: user)),
            baseURL: address)
    }

    /// A first token of a user, from the page where users sign in.
    func webAuthToken(of user: String) async throws -> String {
        struct Answer: Decodable {
            var ckWebAuthToken: String
        }
        var request = URLRequest(url: address.appendingPathComponent("signin"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("ckAPIToken=\(Self.apiToken)&user=\(user)".utf8)
        let (data, _) = try await URLSession.shared.data(for: request)
        guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else {
            throw Failure(description: String(decoding: data, as: UTF8.self))
        }
        return answer.ckWebAuthToken
    }
}
