import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

/// A record because of which the server refuses a request as a whole, without naming the record.
@Suite("A record that makes every request fail") struct PoisonedRequestTests {
    let cloud = LocalCloud.inMemory()

    /// The error of a server that does not name the record.
    static let codes: [ServerErrorCode] = [.serverRejectedRequest, .badRequest, .internalError]

    private func addFolders(_ count: Int, on device: Device) throws {
        try device.edit { context in
            for index in 0..<count {
                NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    .setValue("folder \(index)", forKey: "name")
            }
        }
    }

    private func recordNames() async throws -> [String] {
        try await RawClient(cloud).records(ofType: "Folder").map(\.recordID.recordName).sorted()
    }

    /// Expects that all records except the causes are sent in one pass with few requests, and the
    /// causes when the server accepts them.
    private func expectOthersGo(
        _ device: Device, culprits: Int = 1, requestLimit: Int
    ) async throws {
        let log = RequestLog(.modifyRecords, of: device, on: cloud)
        #expect(await device.attemptSync() != nil)
        #expect(try device.store.syncStatus().pendingChangeCount == culprits)
        #expect(log.count <= requestLimit, "\(log.count) requests")
        // It is not retried endlessly, and new changes are sent.
        let before = log.count
        try device.add("Folder", ["name": "later"])
        await device.attemptSync()
        #expect(try device.store.syncStatus().pendingChangeCount == culprits)
        #expect(log.count - before <= 4 * culprits + 4)
        cloud.faults.removeAll()
        try await device.store.sync(complete: true)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("stops only itself: a new one", arguments: codes)
    func insertion(code: ServerErrorCode) async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        try addFolders(100, on: device)
        cloud.poisonNextRequest(code) { $0.min().map { [$0] } ?? [] }
        try await expectOthersGo(device, requestLimit: 30)
        #expect(try await recordNames().count == 101)
    }

    @Test("stops only itself: an edit", arguments: codes)
    func update(code: ServerErrorCode) async throws {
        let device = try Device(on: cloud)
        try addFolders(64, on: device)
        try await device.store.sync()
        cloud.poison([try await recordNames()[17]], code)
        try device.edit { context in
            for folder in try Device.all("Folder", in: context) {
                folder.setValue("edited", forKey: "name")
            }
        }
        try await expectOthersGo(device, requestLimit: 30)
    }

    @Test("stops only itself: a deletion", arguments: codes)
    func deletion(code: ServerErrorCode) async throws {
        let device = try Device(on: cloud)
        try addFolders(64, on: device)
        try await device.store.sync()
        cloud.poison([try await recordNames()[17]], code)
        try device.edit { context in
            for folder in try Device.all("Folder", in: context) { context.delete(folder) }
        }
        try await expectOthersGo(device, requestLimit: 30)
    }

    @Test("stops only itself: a link, not the objects it joins")
    func link() async throws {
        let device = try Device(on: cloud, model: LibraryModel.make())
        try await device.store.sync()
        try device.addAll("Tag", "one", "two", "three", "four")
        try device.addAll("Article", "article")
        try device.setMembers("Article", "article", "tags", ["one", "two", "three", "four"])
        let culprit = Culprit()
        let cloud = cloud
        cloud.faults.add(
            .call(.beforeCommit) { request in
                // The names of links are hashes; those of objects contain hyphens.
                guard let name = request.items.sorted().first(where: { !$0.contains("-") }) else {
                    return
                }
                culprit.choose(name)
                cloud.faults.add(
                    .fail(.serverRejectedRequest), for: .kind(.modifyRecords, item: name),
                    occurrences: .always)
            }, for: .kind(.modifyRecords))
        // The inspected request has no fault of its own yet, so it fails here.
        cloud.faults.add(.fail(.serverRejectedRequest), for: .kind(.modifyRecords))
        await device.attemptSync()
        try #require(culprit.name != nil)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        #expect(try await RawClient(cloud).records().count == 8)
    }

    /// The record that was chosen.
    private final class Culprit: @unchecked Sendable {
        // Unchecked because requests are sent one after another.
        private(set) var name: String?
        func choose(_ name: String?) { self.name = self.name ?? name }
    }

    @Test("stops only itself, even three of them")
    func several() async throws {
        let device = try Device(on: cloud)
        try addFolders(90, on: device)
        try await device.store.sync()
        let names = try await recordNames()
        cloud.poison([names[3], names[4], names[80]])
        try device.edit { context in
            for folder in try Device.all("Folder", in: context) {
                folder.setValue("edited", forKey: "name")
            }
        }
        try await expectOthersGo(device, culprits: 3, requestLimit: 60)
    }

    @Test("stops only itself, among a thousand")
    func thousand() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        try addFolders(1000, on: device)
        cloud.poisonNextRequest { $0.min().map { [$0] } ?? [] }
        #expect(await device.attemptSync() != nil)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        #expect(try await recordNames().count == 999)
    }

    @Test("does not make each record be tried alone if the server refuses everything")
    func everything() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        try addFolders(200, on: device)
        cloud.faults.add(
            .fail(.serverRejectedRequest), for: .kind(.modifyRecords), occurrences: .always)
        let log = RequestLog(.modifyRecords, of: device, on: cloud)
        #expect(await device.attemptSync() != nil)
        #expect(log.count <= 100, "\(log.count) requests")
        cloud.faults.removeAll()
        try await device.store.sync(complete: true)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }
}
