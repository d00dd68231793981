import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("A cloud in a directory")
struct DirectoryTests {
    @Test("Acknowledged changes are visible to the next instance")
    func persistence() async throws {
        let directory = try TemporaryDirectory()
        let saved: RecordDictionary
        do {
            let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
            saved = try await test.modify(create("r", ["f": .string("x")]))
        }
        let again = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        #expect(try await again.lookUp("r") == saved)
    }

    @Test("Two instances see each other's records, accounts and pushes")
    func twoInstances() async throws {
        let directory = try TemporaryDirectory()
        let first = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        let second = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        _ = try await first.subscribe(
            SubscriptionDictionary(subscriptionID: "d", subscriptionType: .database))
        var pushes = try await second.cloud.pushes(in: second.b).makeAsyncIterator()
        var accounts = try await second.cloud.accountChanges(in: second.b).makeAsyncIterator()
        try await first.modify(create("r"), in: first.a)
        #expect(await pushes.next()?.ck.met?.sid == "d")
        #expect(try await second.lookUp("r") != nil)
        try first.cloud.signOut()
        #expect(await accounts.next() != nil)
        #expect(try await second.cloud.accountStatus(in: second.b) == .noAccount)
    }

    @Test("Writers in several instances lose nothing")
    func concurrentWriters() async throws {
        let directory = try TemporaryDirectory()
        let tests = try await [
            TestCloud(cloud: LocalCloud(directory: directory.url)),
            TestCloud(cloud: LocalCloud(directory: directory.url)),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (instance, test) in tests.enumerated() {
                for number in 0..<20 {
                    group.addTask { try await test.modify(create("r\(instance)-\(number)")) }
                }
            }
            try await group.waitForAll()
        }
        let records = try await tests[0].changes().records
        #expect(records.count == 40)
        #expect(Set(records.map(\.recordChangeTag)).count == 40)
    }

    @Test("A directory with a long path works")
    func longPath() async throws {
        let directory = try TemporaryDirectory()
        let deep = directory.url.appendingPathComponent(
            String(repeating: "deep", count: 40), isDirectory: true)
        let test = try await TestCloud(cloud: LocalCloud(directory: deep))
        let other = LocalCloud(directory: deep)
        _ = try await test.subscribe(
            SubscriptionDictionary(subscriptionID: "d", subscriptionType: .database))
        var pushes = try await other.pushes(in: test.b).makeAsyncIterator()
        try await test.modify(create("r"))
        #expect(await pushes.next() != nil)
    }

    @Test("The socket of a listener that ended is removed")
    func listenerCleanUp() async throws {
        let directory = try TemporaryDirectory()
        let sockets = directory.url.appendingPathComponent("Listeners", isDirectory: true)
        let signal = ChangeSignal(directory: directory.url)
        let observer = try signal.observe("topic") {}
        #expect(try FileManager.default.contentsOfDirectory(atPath: sockets.path).count == 1)
        signal.end(observer)
        #expect(try FileManager.default.contentsOfDirectory(atPath: sockets.path).isEmpty)
    }

    @Test("A damaged file is an error that names it")
    func damagedFile() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.url.appendingPathComponent(
            "iCloud.test/development", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("Container.sqlite")
        try Data(repeating: 7, count: 8192).write(to: file)
        let cloud = LocalCloud(directory: directory.url)
        do throws(CloudKitServiceError) {
            _ = try await cloud.listZones(in: RequestContext(container: "iCloud.test", device: "A"))
            Issue.record("The damage went unnoticed")
        } catch {
            #expect(error.code == .internalError)
            #expect(error.reason?.contains(file.path) == true)
        }
    }

    @Test("A damaged record is an error that names the file", arguments: ["fields", "body"])
    func damagedRecord(column: String) async throws {
        let directory = try TemporaryDirectory()
        let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        try await test.modify(create("r", ["n": .int64(1)]))
        _ = try await test.subscribe(
            SubscriptionDictionary(subscriptionID: "s", subscriptionType: .database))
        let table = column == "fields" ? "record" : "subscription"
        try await test.cloud.store(for: test.a).write { connection in
            try connection.execute("UPDATE \(table) SET \(column) = x'01ff'")
        }
        let error = await #expect(throws: CloudKitServiceError.self) {
            if column == "fields" {
                _ = try await test.changes()
            } else {
                _ = try await test.cloud.listSubscriptions(in: test.a)
            }
        }
        #expect(error?.code == .internalError)
        #expect(error?.reason?.contains("Container.sqlite") == true, "\(String(describing: error))")
    }
}
