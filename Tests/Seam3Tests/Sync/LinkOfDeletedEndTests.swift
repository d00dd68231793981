import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The link of an object that another device has deleted") struct LinkOfDeletedEndTests {
    private let cloud: LocalCloud
    private let a: Device
    private let b: Device
    private let client: RawClient

    /// Two devices that both have an article and a tag.
    init() async throws {
        cloud = LocalCloud.inMemory()
        a = try Device("a", on: cloud, model: LibraryModel.make())
        b = try Device("b", on: cloud, model: LibraryModel.make())
        client = RawClient(cloud)
        try a.addAll("Article", "article")
        try a.addAll("Tag", "tag")
        try await Device.settle(a, b)
    }

    private func delete(_ entity: String, _ name: String, on device: Device) throws {
        try device.edit { $0.delete(try Device.object(entity, name, in: $0)) }
    }

    private func linkRecords() async throws -> [CKRecord] {
        try await client.records().filter { $0.recordType.hasPrefix("SM_Link") }
    }

    /// Makes the first device send its deletion between the pull and the push of the second one,
    /// which sends the link.
    private func sendBothAtOnce() async throws {
        b.interleaveSync(of: a)
        try await b.store.sync()
        #expect(try await linkRecords().count == 1)
    }

    private func expectNothingLeft(on devices: Device...) async throws {
        #expect(try await linkRecords().isEmpty)
        for device in devices {
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
            #expect(try device.store.checkInvariants().isEmpty)
        }
    }

    @Test("is never sent if the deletion arrives first", arguments: ["Article", "Tag"])
    func unsent(end: String) async throws {
        try b.setMembers("Article", "article", "tags", ["tag"])
        try delete(end, end.lowercased(), on: a)
        try await a.store.sync()
        #expect(try await b.store.sync().savedRecordCount == 0)
        try await expectNothingLeft(on: a, b)
    }

    @Test("is deleted by the device that deleted the object", arguments: ["Article", "Tag"])
    func deleter(end: String) async throws {
        try b.setMembers("Article", "article", "tags", ["tag"])
        try delete(end, end.lowercased(), on: a)
        try await b.store.sync()
        #expect(try await linkRecords().count == 1)
        try await a.store.sync()
        try await expectNothingLeft(on: a)
        try await Device.settle(b, a)
        try await expectNothingLeft(on: a, b)
    }

    @Test(
        "is deleted by the device that made it, if the deletion arrives between its pull and push")
    func maker() async throws {
        try b.setMembers("Article", "article", "tags", ["tag"])
        try delete("Tag", "tag", on: a)
        try await sendBothAtOnce()
        try await b.store.sync()
        try await expectNothingLeft(on: b)
        try await Device.settle(a, b)
        try await expectNothingLeft(on: a, b)
    }

    @Test(
        "is deleted by the device that deleted the object, also if it arrives after the deletion",
        arguments: ["Article", "Tag"])
    func deleterAfterwards(end: String) async throws {
        try b.setMembers("Article", "article", "tags", ["tag"])
        try delete(end, end.lowercased(), on: a)
        try await sendBothAtOnce()
        try await a.store.sync()
        try await expectNothingLeft(on: a)
        try await Device.settle(b, a)
        try await expectNothingLeft(on: a, b)
    }

    @Test("is not sent again if the server has lost it and its end has not arrived")
    func lostBeforeArrival() async throws {
        let name = try #require(try await client.records(ofType: "Article").first)
            .recordID.recordName
        let link = client.record(
            "SM_Link_Article_tags", named: "link",
            ["source": client.reference(to: name), "target": client.reference(to: "later")])
        try await client.save(link)
        try await a.store.sync()
        try await client.delete("link")
        a.store.zoneLossHandler = { _ in .upload }
        try await a.store.sync(complete: true)
        try await expectNothingLeft(on: a)
    }

    @Test("is deleted after a full refetch, which reports no deletion")
    func fullRefetch() async throws {
        try b.setMembers("Article", "article", "tags", ["tag"])
        try await b.store.sync()
        try await client.delete(
            try #require(try await client.records(ofType: "Tag").first).recordID.recordName)
        try await b.store.sync(complete: true)
        try await Device.settle(a, b)
        try await expectNothingLeft(on: a, b)
    }

    @Test("stays if the object merely has not arrived")
    func notArrived() async throws {
        let names = try await ["Article", "Tag"].asyncMap { type in
            try #require(try await client.records(ofType: type).first).recordID.recordName
        }
        let link = client.record(
            "SM_Link_Article_tags", named: "link",
            ["source": client.reference(to: names[0]), "target": client.reference(to: "later")])
        try await client.save(link)
        try await Device.settle(a, b)
        #expect(try await linkRecords().count == 1)
        try await client.save(client.record("Tag", named: "later", ["name": "later"]))
        try await Device.settle(a, b)
        #expect(try a.members("Article", "article", "tags") == ["later"])
        #expect(try b.members("Article", "article", "tags") == ["later"])
    }

    @Test("comes back with a later version of its record, as if the object had come back")
    func laterVersion() async throws {
        try b.setMembers("Article", "article", "tags", ["tag"])
        try await Device.settle(b, a)
        let tag = try #require(try await client.records(ofType: "Tag").first)
        let link = try #require(try await linkRecords().first)
        try await client.delete(tag.recordID.recordName)
        // The deletion of the link is queued but not sent.
        cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords, device: a.cloudContainer.device))
        await #expect(throws: CKError.self) { try await a.store.sync() }
        #expect(try a.store.syncStatus().pendingChangeCount == 1)
        try await client.save(
            client.record("Tag", named: tag.recordID.recordName, ["name": "tag"]))
        link["source"] = link["source"] as CKRecord.Reference?
        try await client.save(link)
        try await Device.settle(a, b)
        #expect(try await linkRecords().count == 1)
        #expect(try a.members("Article", "article", "tags") == ["tag"])
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async throws -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
