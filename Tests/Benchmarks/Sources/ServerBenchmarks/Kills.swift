import ArgumentParser
import Foundation
import Measurement
import SyncedNotes

/// Kills the server under load and looks whether it still has what it has answered.
struct Kills: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Kill the server at random under load, and compare what it has with its answers.")

    @OptionGroup var options: ServerOptions

    @Option(help: "How often the server is killed.")
    var kills = 20

    @Option(help: "The number of clients that write.")
    var writers = 8

    @Option(help: "Where the random numbers come from; a random one unless given.")
    var seed = UInt64.random(in: 0...9_999_999)

    @Flag(help: "Ask the server to end (SIGTERM) instead of killing it.")
    var graceful = false

    func validate() throws {
        guard kills > 0, writers > 0 else {
            throw ValidationError("There must be kills and writers.")
        }
    }

    func run() async throws {
        print("Seed \(seed)")
        let folder = try Folder()
        let trial = RestartTrial(
            executable: options.executable, folder: folder.url("server"), seed: seed,
            writerCount: writers, isGraceful: graceful)
        let outcome = try await trial.run(restarts: kills) { outcome in
            print(
                "\(outcome.restarts): \(outcome.answeredRequests) requests answered,",
                "\(outcome.records) records")
            fflush(nil)
        }
        var table = Table(title: graceful ? "Ends" : "Kills", columns: ["what", "number"])
        table.add(["ends of the server", outcome.restarts.grouped])
        table.add(["requests answered, and there", outcome.answeredRequests.grouped])
        table.add(["not answered, and carried out", outcome.lostAnswers.grouped])
        table.add(["not answered, and not carried out", outcome.lostRequests.grouped])
        table.add(["records at the end", outcome.records.grouped])
        table.print(as: options.markdown ? .markdown : .text)
        guard !graceful || outcome.lostAnswers == 0 else {
            throw RestartViolation("Requests were carried out and not answered (seed \(seed))")
        }
    }
}
