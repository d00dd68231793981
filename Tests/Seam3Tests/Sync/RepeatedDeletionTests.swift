import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Something that is created, deleted and created again with the same record name: an object with a
/// natural key, or a link between two objects.
private enum Subject: String, CaseIterable {
    case object, objectByBatches, link

    /// The type of its record.
    var recordType: String { self == .link ? "SM_Link_Article_tags" : "Tag" }

    static func model() -> NSManagedObjectModel {
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        let article = NSEntityDescription(
            "Article", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((article, "tags", 0), (tag, "articles", 0))
        return NSManagedObjectModel(tag, article)
    }

    func isThere(on device: Device) throws -> Bool {
        if self == .link {
            return try device.members("Article", "article", "tags").contains("work")
        }
        return try device.names(of: "Tag").contains("work")
    }

    /// Creates it if it does not exist, and deletes it otherwise.
    func toggle(on device: Device) throws {
        let isThere = try isThere(on: device)
        switch self {
        case .link: try device.setMembers("Article", "article", "tags", isThere ? [] : ["work"])
        case .object:
            guard isThere else { return _ = try device.add("Tag", ["name": "work"]) }
            try device.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
        case .objectByBatches:
            try device.edit { context in
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
                request.predicate = NSPredicate(format: "name == 'work'")
                _ = try context.execute(
                    isThere
                        ? NSBatchDeleteRequest(fetchRequest: request)
                        : NSBatchInsertRequest(entityName: "Tag", objects: [["name": "work"]]))
            }
        }
    }
}

extension Device {
    /// The names of all objects of an entity in the file.
    fileprivate func names(of entity: String) throws -> Set<String> {
        try read { context in
            let request = NSFetchRequest<NSDictionary>(entityName: entity)
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            return Set(try context.fetch(request).compactMap { $0["name"] as? String })
        }
    }
}

@Suite("An object that is deleted, created again and deleted again is gone everywhere")
struct RepeatedDeletionTests {
    /// The steps on the deleting device.
    enum Step: String, CaseIterable {
        /// It is deleted if it exists, and created otherwise.
        case toggle
        /// A sync that cannot send anything.
        case sendNothing
        /// A sync whose request is executed but whose response is lost.
        case loseAnswer
    }

    /// All sequences of steps with a given length.
    private static func sequences(of length: Int, after first: [Step]) -> [[Step]] {
        guard length > 0 else { return [first] }
        return Step.allCases.flatMap { sequences(of: length - 1, after: first + [$0]) }
    }

    private static func devices(
        on cloud: LocalCloud, with subject: Subject
    ) async throws -> (Device, Device) {
        let a = try Device("a", on: cloud, model: Subject.model())
        let b = try Device("b", on: cloud, model: Subject.model())
        if subject == .link {
            try a.addAll("Article", "article")
            try a.add("Tag", ["name": "work"])
        }
        try subject.toggle(on: a)
        try await Device.settle(a, b)
        try #require(try subject.isThere(on: b))
        return (a, b)
    }

    private static func run(_ steps: [Step], _ subject: Subject, on device: Device) async throws {
        for step in steps {
            switch step {
            case .toggle: try subject.toggle(on: device)
            case .sendNothing: await device.syncSendingNothing(on: device.cloud)
            case .loseAnswer:
                try await device.syncLosingAnswer(on: device.cloud, model: Subject.model())
            }
        }
    }

    /// Expects that it exists or does not exist, on the server and the devices.
    private static func expect(
        _ subject: Subject, isThere: Bool, on devices: [Device], _ comment: String
    ) async throws {
        let client = RawClient(devices[0].cloud)
        let records = try await client.records(ofType: subject.recordType)
        #expect(records.count == (isThere ? 1 : 0), "on the server, \(comment)")
        for device in devices {
            #expect(try subject.isThere(on: device) == isThere, "\(device.name), \(comment)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test("with a natural key")
    func object() async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try await Self.devices(on: cloud, with: .object)
        try await Self.run([.toggle, .toggle, .toggle], .object, on: a)
        try await Device.settle(a, b)
        try await Self.expect(.object, isThere: false, on: [a, b], "")
    }

    @Test("also if its record got another version meanwhile, without an edit", arguments: [1, 2])
    func touched(repetitions: Int) async throws {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, model: TagModel.make())
        try a.add("Tag", ["name": "work", "color": "red"])
        try await a.store.sync()
        let delete = { try a.edit { $0.delete(try Device.object("Tag", "work", in: $0)) } }
        try delete()
        let server = RawClient(cloud)
        let record = try #require(try await server.records(ofType: "Tag").first)
        try await server.save(record)
        for _ in 1...repetitions {
            try a.add("Tag", ["name": "work"])
            try delete()
        }
        try await a.store.sync()
        #expect(try await server.records(ofType: "Tag").isEmpty)
        #expect(try a.count("Tag") == 0)
    }

    @Test(
        "and one that is made anew has none of its values, also if a context had saved it in between",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func madeAnew(policy: SMSyncConflictResolutionPolicy) async throws {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, policy: policy, model: TagModel.make())
        try a.add("Tag", ["name": "work", "color": "red"])
        try await a.store.sync()
        let delete = { try a.edit { $0.delete(try Device.object("Tag", "work", in: $0)) } }
        let stale = a.container.newBackgroundContext()
        stale.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stale.performAndWait {
            try Device.object("Tag", "work", in: stale).setValue("green", forKey: "color")
        }
        try delete()
        try stale.performAndWait { try stale.save() }
        try delete()
        try a.add("Tag", ["name": "work"])
        try await a.store.sync()
        let color = try a.read { context in
            try Device.object("Tag", "work", in: context).value(forKey: "color")
        }
        #expect(color == nil)
        let record = try #require(try await RawClient(cloud).records(ofType: "Tag").first)
        #expect(record["color"] as String? == nil)
    }

    @Test(
        "also between two parts of a complete sync", arguments: Subject.allCases.map(\.rawValue),
        [2, 3, 4, 5])
    func duringCompleteSync(_ name: String, failingRequest: Int) async throws {
        let subject = try #require(Subject(rawValue: name))
        var options = LocalCloudOptions()
        options.pageSize = 1
        let cloud = LocalCloud.inMemory(options: options)
        let (a, b) = try await Self.devices(on: cloud, with: subject)
        try a.addAll("Article", "last")
        try await Device.settle(a, b)
        let fault = cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.fetchZoneChanges, device: a.cloudContainer.device),
            occurrences: .nth(failingRequest))
        // Not all subjects have as many records.
        _ = try? await a.store.sync(complete: true)
        cloud.faults.remove(fault)
        for _ in 1...3 { try subject.toggle(on: a) }
        try await Device.settle(a, b)
        try await Self.expect(subject, isThere: false, on: [a, b], "")
    }

    @Test("if its first deletion could not be sent")
    func failedDeletion() async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try await Self.devices(on: cloud, with: .object)
        try await Self.run([.toggle, .sendNothing, .toggle, .toggle], .object, on: a)
        try await Device.settle(a, b)
        try await Self.expect(.object, isThere: false, on: [a, b], "")
    }

    @Test(
        "but what was created last exists, whatever came between",
        arguments: Subject.allCases.map(\.rawValue), Step.allCases)
    func sequences(_ name: String, first: Step) async throws {
        let subject = try #require(Subject(rawValue: name))
        for steps in Self.sequences(of: 3, after: [first]) {
            let cloud = LocalCloud.inMemory()
            let (a, b) = try await Self.devices(on: cloud, with: subject)
            try await Self.run(steps, subject, on: a)
            let isThere = try subject.isThere(on: a)
            try await Device.settle(a, b)
            let comment = "after " + steps.map(\.rawValue).joined(separator: ", ")
            try await Self.expect(subject, isThere: isThere, on: [a, b], comment)
        }
    }

    @Test(
        "also if it was created here, and the answer to its first save did not arrive",
        arguments: Subject.allCases.map(\.rawValue), LostAnswer.allCases)
    func firstSave(_ name: String, loss: LostAnswer) async throws {
        let subject = try #require(Subject(rawValue: name))
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, model: Subject.model())
        let b = try Device("b", on: cloud, model: Subject.model())
        if subject == .link {
            try a.addAll("Article", "article")
            try a.add("Tag", ["name": "work"])
        }
        try await Device.settle(a, b)
        try subject.toggle(on: a)
        try await a.syncLosingAnswer(loss, on: cloud, model: Subject.model())
        for _ in 1...3 { try subject.toggle(on: a) }
        try await Device.settle(a, b)
        try await Self.expect(subject, isThere: false, on: [a, b], "")
    }

    @Test(
        "also if the store has forgotten the server",
        arguments: Subject.allCases.map(\.rawValue), [1, 3])
    func reset(_ name: String, toggles: Int) async throws {
        let subject = try #require(Subject(rawValue: name))
        let cloud = LocalCloud.inMemory()
        let (a, b) = try await Self.devices(on: cloud, with: subject)
        try a.store.resetCloudFieldsInBackingStore()
        for _ in 1...toggles { try subject.toggle(on: a) }
        try await Device.settle(a, b)
        try await Self.expect(subject, isThere: false, on: [a, b], "")
    }

    @Test("also if the store forgets the server before the deletion is sent")
    func resetAfterDeletion() async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try await Self.devices(on: cloud, with: .object)
        try Subject.object.toggle(on: a)
        try a.store.resetCloudFieldsInBackingStore()
        try await Device.settle(a, b)
        try await Self.expect(.object, isThere: false, on: [a, b], "")
    }

    @Test("also without a natural key, if the store has forgotten the server")
    func resetWithoutKey() async throws {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Clock", ["label": "home"])
        try await Device.settle(a, b)
        try a.store.resetCloudFieldsInBackingStore()
        try a.delete("home")
        try await Device.settle(a, b)
        #expect(try await RawClient(cloud).records().isEmpty)
        try expectAgreement(a, b)
        #expect(try a.count("Clock") == 0)
    }

    @Test(
        "unless another device, which knows of the deletion, creates it again",
        arguments: Subject.allCases.map(\.rawValue), LostAnswer.allCases)
    func madeAgain(_ name: String, loss: LostAnswer) async throws {
        let subject = try #require(Subject(rawValue: name))
        let cloud = LocalCloud.inMemory()
        let (a, b) = try await Self.devices(on: cloud, with: subject)
        try subject.toggle(on: a)
        try await a.syncLosingAnswer(loss, on: cloud, model: Subject.model())
        try await b.store.sync()
        try #require(try !subject.isThere(on: b))
        try subject.toggle(on: b)
        try await b.store.sync()
        try await Device.settle(a, b)
        try await Self.expect(subject, isThere: true, on: [a, b], "")
    }

    @Test("and if it was never sent, costs no request")
    func neverSent() async throws {
        let cloud = LocalCloud.inMemory()
        let (a, _) = try await Self.devices(on: cloud, with: .object)
        try a.add("Tag", ["name": "home"])
        try a.edit { $0.delete(try Device.object("Tag", "home", in: $0)) }
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
    }
}
