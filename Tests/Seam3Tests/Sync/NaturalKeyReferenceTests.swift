import CoreData
import LocalCloud
import Seam3
import Testing

/// A device creates the tag "work" and renames it before the server has it. In the meantime another
/// device creates "work". Then there are two tags, and the other one has the record.
@Suite("A reference to an object whose natural key's record another device takes")
struct NaturalKeyReferenceTests {
    let cloud = LocalCloud.inMemory()

    /// Articles with tags, one main tag, and one badge.
    private static func model() -> NSManagedObjectModel {
        func named(_ name: String) -> NSEntityDescription {
            NSEntityDescription(
                name,
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    NSAttributeDescription("color", .stringAttributeType),
                ])
        }
        let (article, tag) = (named("Article"), named("Tag"))
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        NSRelationshipDescription.join((article, "tags", 0), (tag, "articles", 0))
        NSRelationshipDescription.join((article, "main", 1), (tag, "mainOf", 0))
        NSRelationshipDescription.join((article, "badge", 1), (tag, "badgeOf", 1))
        return NSManagedObjectModel(article, tag)
    }

    private func devices() async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: .mergeByProperty, model: Self.model())
        let b = try Device("b", on: cloud, policy: .mergeByProperty, model: Self.model())
        try await Device.settle(a, b)
        return (a, b)
    }

    /// An article that refers to a tag in every possible way.
    private func addArticle(_ name: String, about tag: String, on device: Device) throws {
        try device.edit { context in
            let article = NSEntityDescription.insertNewObject(
                forEntityName: "Article", into: context)
            let tag = try Device.object("Tag", tag, in: context)
            article.setValue(name, forKey: "name")
            article.setValue(NSSet(object: tag), forKey: "tags")
            article.setValue(tag, forKey: "main")
            article.setValue(tag, forKey: "badge")
        }
    }

    private func addRenamedTag(on device: Device, isSent: Bool) async throws {
        try device.add("Tag", ["name": "work"])
        if isSent { await device.syncSendingNothing(on: cloud) }
        try device.edit { context in
            try Device.object("Tag", "work", in: context).setValue("job", forKey: "name")
        }
    }

    private func expect(_ article: String, isAbout tag: String, on devices: Device...) throws {
        for device in devices {
            try device.read { context in
                context.refreshAllObjects()
                let article = try Device.object("Article", article, in: context)
                let tags = article.value(forKey: "tags") as? Set<NSManagedObject> ?? []
                let names = tags.map { $0.value(forKey: "name") as? String }
                #expect(names == [tag], "\(device.name)")
                for key in ["main", "badge"] {
                    let other = article.value(forKey: key) as? NSManagedObject
                    #expect(other?.value(forKey: "name") as? String == tag, "\(device.name)")
                }
            }
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "follows the object, also if the other's record arrives between pull and push",
        arguments: [false, true])
    func ours(betweenPullAndPush: Bool) async throws {
        let (a, b) = try await devices()
        try await addRenamedTag(on: a, isSent: true)
        try addArticle("ours", about: "job", on: a)
        try b.add("Tag", ["name": "work", "color": "blue"])
        if betweenPullAndPush {
            a.interleaveSync(of: b)
        } else {
            try await b.store.sync()
        }
        try await Device.settle(a, b)
        try expect("ours", isAbout: "job", on: a, b)
        #expect(try b.count("Tag") == 2)
    }

    @Test("stays with the record if it comes from another device, also if it arrives first")
    func theirs() async throws {
        let (a, b) = try await devices()
        try await addRenamedTag(on: a, isSent: false)
        try b.add("Tag", ["name": "work"])
        try addArticle("theirs", about: "work", on: b)
        try await b.store.sync()
        // This moves the record behind those that refer to it in the change feed.
        try b.edit { context in
            try Device.object("Tag", "work", in: context).setValue("red", forKey: "color")
        }
        try await b.store.sync()
        try await Device.settle(a, b)
        try expect("theirs", isAbout: "work", on: a, b)
        #expect(try a.count("Tag") == 2)
    }

    @Test("leads to the object that is created here after the reference has arrived")
    func createdAfterReference() async throws {
        let (a, b) = try await devices()
        cloud.poison([try await Self.recordName(ofTag: "work")])
        try a.add("Tag", ["name": "work"])
        try addArticle("theirs", about: "work", on: a)
        await a.attemptSync()
        try await b.store.sync()
        try b.add("Tag", ["name": "work"])
        try b.read { context in
            let tag = try Device.object("Tag", "work", in: context)
            #expect((tag.value(forKey: "articles") as? Set<NSManagedObject>)?.count == 1)
        }
        cloud.faults.removeAll()
        try await Device.settle(b, a)
        try expect("theirs", isAbout: "work", on: a, b)
    }

    /// The record name of a tag, as a device that has nothing else sends it.
    private static func recordName(ofTag name: String) async throws -> String {
        let cloud = LocalCloud.inMemory()
        let device = try Device("c", on: cloud, model: model())
        try device.add("Tag", ["name": name])
        try await device.store.sync()
        return try #require(try await RawClient(cloud).records().first).recordID.recordName
    }
}
