import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("Several processes")
struct ProcessTests {
    @Test("A change made by another process arrives as a push, and its record is available")
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
}
