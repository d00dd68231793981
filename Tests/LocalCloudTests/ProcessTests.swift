import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("Several processes")
struct ProcessTests {
    @Test("A change made by another process arrives as a push, and its record is there")
    func pushFromOtherProcess() async throws {
        let directory = try TemporaryDirectory()
        let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        _ = try await test.subscribe(
            SubscriptionDictionary(subscriptionID: "d", subscriptionType: .database))
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        await #expect(processExitsWith: .success) { [url = directory.url as URL] in
            let other = try await TestCloud(cloud: LocalCloud(directory: url))
            try await other.modify(create("r"), in: other.a)
        }
        #expect(await pushes.next()?.ck.met?.zid == "Z")
        #expect(try await test.lookUp("r") != nil)
    }

    @Test("The socket of a process that was killed is removed by the next signal")
    func deadListener() async throws {
        let directory = try TemporaryDirectory()
        let sockets = directory.url.appendingPathComponent("Listeners", isDirectory: true)
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = directory.url as URL] in
            let other = try await TestCloud(cloud: LocalCloud(directory: url))
            let stream = try await other.cloud.pushes(in: other.b)
            withExtendedLifetime(stream) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: sockets.path).count == 1)
        ChangeSignal(directory: directory.url).post(topic: "anything")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sockets.path).isEmpty)
    }

    @Test("A process killed while it writes loses no acknowledged record, and the feed is whole")
    func killedWriter() async throws {
        let directory = try TemporaryDirectory()
        for round in 0..<3 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = directory.url as URL, round = round as Int] in
                try await writeUntilKilled(directory: url, round: round)
            }
        }
        let acknowledged = try String(
            contentsOf: directory.url.appendingPathComponent("acknowledged"), encoding: .utf8
        ).split(separator: "\n").map(String.init)
        try #require(acknowledged.count > 3)
        let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        var names: Set<String> = []
        var token: String?
        while true {
            let page = try await test.changes(since: token)
            names.formUnion(page.records.map(\.recordName))
            token = page.syncToken
            if !page.moreComing { break }
        }
        #expect(names.isSuperset(of: acknowledged))
        // Each request saved a pair, so an atomic request is there as a whole or not at all.
        for name in names {
            let twin = (name.hasPrefix("a") ? "b" : "a") + name.dropFirst()
            #expect(names.contains(twin))
        }
    }
}

/// Saves pairs of records and notes those that were acknowledged, until the process kills itself.
private func writeUntilKilled(directory: URL, round: Int) async throws {
    let test = try await TestCloud(cloud: LocalCloud(directory: directory))
    let log = directory.appendingPathComponent("acknowledged").path
    let descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    let delay = Int.random(in: 20...120)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
        _ = kill(getpid(), SIGKILL)
    }
    for number in 0..<1_000_000 {
        let suffix = "\(round)-\(number)"
        _ = try await test.modify([create("a" + suffix), create("b" + suffix)])
        let line = Array("a\(suffix)\nb\(suffix)\n".utf8)
        _ = write(descriptor, line, line.count)
    }
}
