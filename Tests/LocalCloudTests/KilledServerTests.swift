import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

/// Kills the server's process at random moments while it writes. Each request creates a pair of
/// records, changes the previous pair, and deletes the pair before that, so that a partially
/// executed request is noticed.
///
/// The environment variable `LOCAL_CLOUD_KILLS` sets the number of kills.
@Suite("A server that is killed")
struct KilledServerTests {
    private static let killCount =
        ProcessInfo.processInfo.environment["LOCAL_CLOUD_KILLS"].flatMap(Int.init) ?? 3

    @Test(
        "No acknowledged write is lost, no request is incomplete, and the feed reports everything")
    func killed() async throws {
        let directory = try TemporaryDirectory()
        let log = directory.url.appendingPathComponent("acknowledged")
        var copy: [String: Int64] = [:]
        var token: String?
        for round in 0..<Self.killCount {
            try Data().write(to: log)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = directory.url as URL, round = round as Int] in
                try await writeUntilKilled(directory: url, round: round)
            }
            let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
            let acknowledged = try #require(lines.last.flatMap { Int64($0) })

            // The server restarts with its file.
            let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
            var isBehind = true
            while isBehind {
                let page = try await test.changes(since: token)
                (token, isBehind) = (page.syncToken, page.moreComing)
                for record in page.records { copy[record.recordName] = number(in: record) }
            }
            let states = Set([acknowledged, acknowledged + 1].map { state(round, after: $0) })
            let found = copy.filter { $0.key.hasPrefix("\(round)-") }
            #expect(states.contains(found), "round \(round), acknowledged \(acknowledged)")
        }
        let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        for (name, value) in copy {
            let record = try #require(try await test.lookUp(name))
            #expect(number(in: record) == value)
        }
    }

    private func number(in record: RecordDictionary) -> Int64? {
        guard case .int64(let number) = record.fields["n"]?.value else { return nil }
        return number
    }

    /// The records of a round after the request with a number.
    private func state(_ round: Int, after request: Int64) -> [String: Int64] {
        var state: [String: Int64] = [:]
        for number in max(0, request - 1)...max(0, request) where request >= 0 {
            for side in ["a", "b"] { state["\(round)-\(number)-\(side)"] = request }
        }
        return state
    }
}

/// Sends requests and records those that were acknowledged, until the process kills itself.
private func writeUntilKilled(directory: URL, round: Int) async throws {
    let test = try await TestCloud(cloud: LocalCloud(directory: directory))
    let log = directory.appendingPathComponent("acknowledged").path
    let descriptor = open(log, O_WRONLY | O_APPEND)
    let lastWholeRequest = Int.random(in: 0..<8)
    for number in 0..<1_000_000 {
        func name(_ number: Int, _ side: String) -> String { "\(round)-\(number)-\(side)" }
        var operations: [RecordOperation] = []
        for side in ["a", "b"] {
            let fields: [String: FieldValue?] = ["n": .int64(Int64(number))]
            operations.append(create(name(number, side), fields))
            if number > 0 {
                operations.append(
                    RecordOperation(.forceUpdate, record(name(number - 1, side), fields)))
            }
            if number > 1 { operations.append(remove(name(number - 2, side))) }
        }
        let results = try await test.modify(operations)
        try #require(results.allSatisfy { $0.error == nil })
        let line = Array("\(number)\n".utf8)
        _ = write(descriptor, line, line.count)
        if number == lastWholeRequest {
            let delay = Int.random(in: 0...20_000)
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay)) {
                _ = kill(getpid(), SIGKILL)
            }
        }
    }
}
