import CloudKit
import CoreData
import LocalCloud
import Testing

/// What relationships lead to arrives after the objects that refer to it, or before.
extension HistoryTests {
    /// The thing, and a link from a tag to it, as another client sends them.
    private func thing(_ client: RawClient) -> (thing: CKRecord, link: CKRecord) {
        let thing = client.record("Thing", named: "thing", ["label": "thing"])
        thing["box"] = client.reference(to: "box")
        let link = client.record("SM_Link_Tag_things", named: "link")
        link["source"] = client.reference(to: "tag")
        link["target"] = client.reference(to: "thing")
        return (thing, link)
    }

    @Test("records a change of an object when what its relationships lead to arrives later")
    func lateDestinations() async throws {
        let device = try device()
        try await device.store.sync()
        let client = RawClient(cloud)
        let (thing, link) = thing(client)
        try await client.save(thing, link)
        try await device.store.sync()
        for (entity, name) in [("Box", "box"), ("Tag", "tag")] {
            let token = try transactions(device).last?.token
            try await client.save(client.record(entity, named: name, ["label": name]))
            let summary = try await device.store.sync()
            let changes = try transactions(after: token, device).flatMap { $0.changes ?? [] }
                .filter { $0.changedObjectID.entity.name == "Thing" }
            #expect(changes.map(\.changeType) == [.update])
            #expect(summary.updatedObjectIDs == Set(changes.map(\.changedObjectID)))
            let properties = changes.flatMap { $0.updatedProperties ?? [] }
            #expect(properties.map(\.name) == [name == "tag" ? "tags" : "box"])
        }
    }

    @Test("records an object as inserted even if a link to it arrives first")
    func linkFirst() async throws {
        let device = try device()
        try await device.store.sync()
        let client = RawClient(cloud)
        let (thing, link) = thing(client)
        try await client.save(link, thing, client.record("Tag", named: "tag", ["label": "tag"]))
        try await device.store.sync()
        let changes = try transactions(device).flatMap { $0.changes ?? [] }
        #expect(changes.count == 2)
        #expect(changes.allSatisfy { $0.changeType == .insert })
    }
}
