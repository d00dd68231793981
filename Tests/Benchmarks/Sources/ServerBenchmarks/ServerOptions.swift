import ArgumentParser
import CloudKitWebServices
import Foundation
import SyncedNotes

/// The options that every subcommand understands.
struct ServerOptions: ParsableArguments {
    @Option(help: "The command seam3-server, built for release unless given.")
    var server =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Example/Server/.build/release/seam3-server")
        .standardizedFileURL.path

    @Flag(help: "Print Markdown tables.")
    var markdown = false

    func validate() throws {
        guard FileManager.default.isExecutableFile(atPath: server) else {
            throw ValidationError(
                """
                There is no \(server). Build it with: \
                swift build -c release --package-path Example/Server --product seam3-server
                """)
        }
    }

    var executable: URL { URL(fileURLWithPath: server) }

    /// Runs a new server while a closure uses it.
    func withServer(
        _ body: (ServerProcess) async throws -> Void
    ) async throws {
        let folder = try Folder()
        guard let url = URL(string: "http://127.0.0.1:\(try LoopbackPort.free())") else {
            throw LoopbackPort.NoneFree()
        }
        let server = try await ServerProcess.start(
            executable, folder: folder.url("server"), at: url)
        try await body(server)
        server.terminate()
        let code = try await server.exitCode()
        guard code == 0 else { throw UnexpectedEnd(code: code) }
    }

    /// A server that ended with an exit code other than 0.
    struct UnexpectedEnd: Error {
        let code: Int32
    }
}
