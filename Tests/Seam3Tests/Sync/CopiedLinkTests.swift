import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A copy of an object whose links have come without places") struct CopiedLinkTests {
    let cloud = LocalCloud.inMemory()

    @Test("has the same links, each with a place in both orders")
    func places() async throws {
        let device = try Device(on: cloud, policy: .keepBoth, model: LibraryModel.make())
        try await device.store.sync()
        let client = RawClient(cloud)
        try await client.save(client.record("Article", named: "article", ["name": "article"]))
        for name in ["one", "two", "three"] {
            try await client.save(client.record("Reader", named: name, ["name": name]))
            let link = client.record("SM_Link_Article_readers", named: "link to \(name)")
            link["source"] = client.reference(to: "article")
            link["target"] = client.reference(to: name)
            try await client.save(link)
        }
        try await device.store.sync()
        let readers = try device.members("Article", "article", "readers")
        #expect(readers.count == 3)
        try device.edit { context in
            try Device.object("Article", "article", in: context).setValue("mine", forKey: "name")
        }
        let record = try await client.record(named: "article")
        record["name"] = "theirs"
        try await client.save(record)
        // The result of the conflict is checked before it is sent.
        let fault = cloud.faults.add(
            .fail(.zoneBusy), for: .kind(.modifyRecords), occurrences: .always)
        await device.attemptSync()
        cloud.faults.remove(fault)
        for name in ["mine", "theirs"] {
            #expect(try device.members("Article", name, "readers") == readers)
        }
        #expect(try device.store.checkInvariants() == [])
        try await device.store.sync()
        let fresh = try Device("fresh", on: cloud, model: LibraryModel.make())
        try await fresh.store.sync()
        #expect(try fresh.members("Article", "mine", "readers") == readers)
        for name in readers {
            let articles = try device.members("Reader", name, "articles")
            #expect(articles.sorted() == ["mine", "theirs"])
            #expect(try fresh.members("Reader", name, "articles") == articles)
        }
    }
}
