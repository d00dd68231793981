import CloudKitWebServices
import Foundation
import SyncedNotes

/// The program `wrk`, which sends one request again and again.
struct Wrk {
    private static let executable = URL(fileURLWithPath: "/usr/bin/wrk")

    private let server: ServerProcess
    private let token: String

    /// - Parameters:
    ///   - server: The server.
    ///   - token: A web-auth token.
    /// - Returns: Nil if the program is not installed.
    init?(_ server: ServerProcess, token: String) {
        guard FileManager.default.isExecutableFile(atPath: Self.executable.path) else { return nil }
        self.server = server
        self.token = token
    }

    /// The figures that the program prints.
    struct Result {
        var perSecond: String
        var median: String
        var percentile99: String
    }

    /// Fetches records by name.
    func fetch(
        _ names: [String], connections: Int, seconds: Double
    ) async throws -> Result {
        let folder = try Folder()
        let script = folder.url("fetch.lua")
        try self.script(names).write(to: script, atomically: true, encoding: .utf8)
        let path = "/database/1/\(ServerProcess.container)/development/private/records/lookup"
        let encodedToken =
            token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let address =
            "\(server.url)\(path)?ckAPIToken=\(ServerProcess.apiToken)&ckWebAuthToken=\(encodedToken)"
        let text = try await Self.output([
            "--threads", "1", "--connections", "\(connections)", "--duration",
            "\(Int(seconds.rounded(.up)))s", "--latency", "--script", script.path, address,
        ])
        // The program tells of answers other than 200.
        guard !text.contains("Non-2xx"), let perSecond = Self.value("Requests/sec:", in: text),
            let median = Self.value("50%", in: text), let last = Self.value("99%", in: text)
        else { throw NoteZone.Unexpected(description: text) }
        return Result(perSecond: perSecond, median: median, percentile99: last)
    }

    private func script(_ names: [String]) throws -> String {
        let request = LookUpRecordsRequest(
            zoneID: NoteZone.zoneID, records: names.map { .init($0) })
        return """
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "application/json"
            wrk.body = [[\(String(decoding: try JSONEncoder().encode(request), as: UTF8.self))]]
            """
    }

    /// The word after a label.
    private static func value(_ label: String, in text: String) -> String? {
        text.split(separator: "\n").lazy
            .map { $0.split(separator: " ") }
            .first { $0.first == label[...] }?.dropFirst().first.map(String.init)
    }

    private static func output(_ arguments: [String]) async throws -> String {
        try await Thread.runBlocking {
            let (process, output) = (Process(), Pipe())
            process.executableURL = executable
            process.arguments = arguments
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }
}
