import CloudKitWebServices
import Foundation

/// Ends a server under load, again and again, and looks whether it still has what it has answered.
///
/// Writers create, change and delete records of one zone, a tenth of them with assets, and a reader
/// follows the zone's feed. After a random number of answers, and some microseconds, the process is
/// ended and started again with the same folder. Then each record, each deletion and each asset is
/// as it was answered, with its change tag; each request without an answer was carried out as a
/// whole or not at all; and the feed tells the same, from its beginning and from the token that the
/// reader had. The seed decides the requests of each writer and the moments of the ends.
struct RestartTrial: Sendable {
    /// The command `seam3-server`.
    let executable: URL
    /// The server's folder.
    let folder: URL
    /// Where the random numbers come from.
    let seed: UInt64
    /// How many writers there are.
    var writerCount = 8
    /// Whether the server is asked to end, instead of being killed.
    var isGraceful = false

    /// What has happened so far.
    struct Outcome: Sendable {
        /// How often the server was ended and started again.
        var restarts = 0
        /// The requests to write that were answered.
        var answeredRequests = 0
        /// The requests to write that were not answered, and were carried out all the same.
        var lostAnswers = 0
        /// The requests to write that were neither answered nor carried out.
        var lostRequests = 0
        /// The records that are there.
        var records = 0
        /// How long the last start took, up to the first answer.
        var lastStart = Duration.zero
    }

    /// Runs the trial.
    ///
    /// - Parameters:
    ///   - restarts: How often the server is ended and started again.
    ///   - progress: Is called after each of them.
    /// - Throws: A ``RestartViolation`` that tells the seed.
    func run(
        restarts: Int, progress: @Sendable (Outcome) -> Void = { _ in }
    ) async throws -> Outcome {
        do {
            return try await runUnlabeled(restarts, progress)
        } catch let violation as RestartViolation {
            throw RestartViolation("\(violation) (seed \(seed))")
        }
    }

    private func runUnlabeled(
        _ restarts: Int, _ progress: @Sendable (Outcome) -> Void
    ) async throws -> Outcome {
        guard let url = URL(string: "http://127.0.0.1:\(try LoopbackPort.free())") else {
            throw LoopbackPort.NoneFree()
        }
        var generator = SeededGenerator(seed: seed)
        var server = try await ServerProcess.start(executable, folder: folder, at: url)
        let zone = try await makeZone(on: server)
        var writers: [RecordWriter] = []
        for index in 0..<writerCount {
            writers.append(
                RecordWriter(
                    "writer\(index)", zone: zone, service: try await server.service(user: "ann"),
                    seed: .random(in: 0...UInt64.max, using: &generator)))
        }
        let reader = FeedReader(zone: zone, service: try await server.service(user: "ann"))
        var outcome = Outcome()
        for _ in 0..<restarts {
            try await end(
                server, under: (writers, reader),
                afterAnswers: .random(in: 1...150, using: &generator),
                nanoseconds: .random(in: 0...5_000_000, using: &generator))
            let start = ContinuousClock.now
            server = try await ServerProcess.start(executable, folder: folder, at: url)
            outcome.lastStart = ContinuousClock.now - start
            outcome.restarts += 1
            try await check(writers, reader, on: server, &outcome)
            progress(outcome)
        }
        try await terminate(server)
        return outcome
    }

    private func terminate(_ server: ServerProcess) async throws {
        server.terminate()
        let code = try await server.exitCode()
        guard code == 0 else { throw RestartViolation("The server ends with \(code)") }
    }

    private func makeZone(on server: ServerProcess) async throws -> ZoneIDDictionary {
        let zone = ZoneIDDictionary(zoneName: "Notes")
        let response = try await server.service(user: "ann").modifyZones(
            ModifyZonesRequest(operations: [ZoneOperation(.create, zone)]),
            in: .init(container: ServerProcess.container, device: "maker"))
        guard response.zones.first?.item != nil else {
            throw RestartViolation("The zone is refused: \(response)")
        }
        return zone
    }

    /// Ends the server while everybody uses it.
    private func end(
        _ server: ServerProcess, under load: (writers: [RecordWriter], reader: FeedReader),
        afterAnswers count: Int, nanoseconds: UInt64
    ) async throws {
        let answers = AnswerCount(target: count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in load.writers { group.addTask { try await writer.write(answers) } }
            group.addTask { try await load.reader.follow() }
            await answers.reached()
            try await Task.sleep(nanoseconds: nanoseconds)
            if isGraceful { try await terminate(server) } else { try await server.kill() }
            try await group.waitForAll()
        }
    }

    private func check(
        _ writers: [RecordWriter], _ reader: FeedReader, on server: ServerProcess,
        _ outcome: inout Outcome
    ) async throws {
        var versions: [String: RecordVersion] = [:]
        outcome.answeredRequests = 0
        for writer in writers {
            switch try await writer.check() {
            case true?: outcome.lostAnswers += 1
            case false?: outcome.lostRequests += 1
            case nil: break
            }
            versions.merge(await writer.versions) { $1 }
            outcome.answeredRequests += await writer.answeredRequests
        }
        outcome.records = versions.count
        try await reader.readToEnd()
        try Self.compare(await reader.versions, versions, "The feed from a token")
        let fresh = FeedReader(zone: reader.zone, service: try await server.service(user: "ann"))
        try await fresh.readToEnd()
        try Self.compare(await fresh.versions, versions, "The feed from its beginning")
    }

    private static func compare(
        _ found: [String: RecordVersion], _ expected: [String: RecordVersion], _ feed: String
    ) throws {
        let names = Set(found.keys).union(expected.keys).sorted()
        guard let name = names.first(where: { found[$0] != expected[$0] }) else { return }
        throw RestartViolation(
            "\(feed) tells of \(name): \(String(describing: found[name])), but it is "
                + String(describing: expected[name]))
    }
}
