import CloudKit
import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

@Suite("A one-to-one relationship that two devices set differently")
struct OneToOneConvergenceTests {
    let cloud = LocalCloud.inMemory()

    /// Documents and their covers. The deciding end of the relationship is the one that sorts first
    /// by entity and property.
    enum DecidingEnd: String, CaseIterable {
        case cover, document

        var coverEntity: String { self == .cover ? "ACover" : "ZCover" }

        func model() -> NSManagedObjectModel {
            let cover = NSEntityDescription(
                coverEntity, [NSAttributeDescription("name", .stringAttributeType)])
            let document = NSEntityDescription(
                "Document", [NSAttributeDescription("name", .stringAttributeType)])
            NSRelationshipDescription.join((cover, "document", 1), (document, "cover", 1))
            return NSManagedObjectModel(cover, document)
        }
    }

    private func devices(_ end: DecidingEnd, count: Int = 2) async throws -> [Device] {
        let devices = try (0..<count).map {
            try Device("device \($0)", on: cloud, model: end.model())
        }
        try devices[0].addAll(end.coverEntity, "c1", "c2", "c3")
        try devices[0].addAll("Document", "d1", "d2", "d3")
        try await settle(devices)
        return devices
    }

    func settle(_ devices: [Device], complete: Bool = false) async throws {
        for _ in 1...3 {
            for device in devices { try await device.store.sync(complete: complete) }
        }
    }

    func tie(
        _ cover: String, to document: String?, _ end: DecidingEnd, on device: Device
    ) throws {
        try device.edit { context in
            try Device.object(end.coverEntity, cover, in: context).setValue(
                try document.map { try Device.object("Document", $0, in: context) },
                forKey: "document")
        }
    }

    /// Both ends of all pairs on a device.
    func pairs(_ end: DecidingEnd, on device: Device) throws -> [String] {
        try device.read { context in
            context.refreshAllObjects()
            return try [(end.coverEntity, "document"), ("Document", "cover")]
                .flatMap { entity, key in
                    try Device.all(entity, in: context).map { object in
                        let other = object.value(forKey: key) as? NSManagedObject
                        return "\(object.value(forKey: "name") ?? "")"
                            + " \(other?.value(forKey: "name") ?? "-")"
                    }
                }.sorted()
        }
    }

    /// Expects that devices have the same pairs, whose ends refer to each other, also after
    /// everything is fetched again and on a new device.
    func expectOneTruth(_ end: DecidingEnd, _ devices: [Device]) async throws {
        for complete in [false, true] {
            try await settle(devices, complete: complete)
            let fresh = try Device("fresh", on: cloud, model: end.model())
            try await fresh.store.sync()
            let expected = try pairs(end, on: devices[0])
            for device in devices + [fresh] {
                #expect(try pairs(end, on: device) == expected, "\(device.name)")
                #expect(try device.store.checkInvariants() == [])
                #expect(try device.store.syncStatus().pendingChangeCount == 0)
            }
            let halves = Set(expected.filter { !$0.hasSuffix("-") })
            for half in halves {
                let names = half.split(separator: " ")
                #expect(halves.contains("\(names[1]) \(names[0])"), "\(expected)")
            }
        }
        try await expectServerAgrees()
    }

    /// Expects that the server's records refer to each other in pairs, because Seam3 1 reads both ends.
    func expectServerAgrees() async throws {
        var destinations: [String: String] = [:]
        for record in try await RawClient(cloud).records() {
            let key = record.recordType == "Document" ? "cover" : "document"
            let reference: CKRecord.Reference? = record[key]
            destinations[record.recordID.recordName] = reference?.recordID.recordName
        }
        for (name, destination) in destinations {
            #expect(destinations[destination] == name, "\(destinations)")
        }
    }

    /// When the other device's change reaches the server.
    enum Moment: String, CaseIterable {
        case beforePull, betweenPullAndPush
    }

    func syncBoth(_ devices: [Device], _ moment: Moment) async throws {
        let (a, b) = (devices[0], devices[1])
        switch moment {
        case .beforePull: try await b.store.sync()
        case .betweenPullAndPush: a.interleaveSync(of: b)
        }
        try await a.store.sync()
    }

    @Test(
        "two covers to one document", arguments: DecidingEnd.allCases, Moment.allCases)
    func twoCovers(end: DecidingEnd, moment: Moment) async throws {
        let devices = try await devices(end)
        try tie("c1", to: "d1", end, on: devices[0])
        try tie("c2", to: "d1", end, on: devices[1])
        try await syncBoth(devices, moment)
        try await expectOneTruth(end, devices)
    }

    @Test(
        "one cover to two documents", arguments: DecidingEnd.allCases, Moment.allCases)
    func twoDocuments(end: DecidingEnd, moment: Moment) async throws {
        let devices = try await devices(end)
        try tie("c1", to: "d1", end, on: devices[0])
        try tie("c1", to: "d2", end, on: devices[1])
        try await syncBoth(devices, moment)
        try await expectOneTruth(end, devices)
    }

    @Test("covers that are new", arguments: DecidingEnd.allCases, Moment.allCases)
    func newCovers(end: DecidingEnd, moment: Moment) async throws {
        let devices = try await devices(end)
        for (device, name) in zip(devices, ["c8", "c9"]) {
            try device.addAll(end.coverEntity, name)
            try tie(name, to: "d1", end, on: device)
        }
        try await syncBoth(devices, moment)
        try await expectOneTruth(end, devices)
    }

    @Test(
        "pairs that cross: one device swaps them, the other separates them",
        arguments: DecidingEnd.allCases,
        Moment.allCases)
    func crossing(end: DecidingEnd, moment: Moment) async throws {
        let devices = try await devices(end)
        try tie("c1", to: "d1", end, on: devices[0])
        try tie("c2", to: "d2", end, on: devices[0])
        try await settle(devices)
        try devices[0].edit { context in
            let covers = try ["c1", "c2"].map {
                try Device.object(end.coverEntity, $0, in: context)
            }
            let documents = try ["d1", "d2"].map { try Device.object("Document", $0, in: context) }
            covers[0].setValue(documents[1], forKey: "document")
            covers[1].setValue(documents[0], forKey: "document")
        }
        try tie("c2", to: nil, end, on: devices[1])
        try tie("c3", to: "d2", end, on: devices[1])
        try await syncBoth(devices, moment)
        try await expectOneTruth(end, devices)
    }

    @Test("three covers of three devices", arguments: DecidingEnd.allCases)
    func threeDevices(end: DecidingEnd) async throws {
        let devices = try await devices(end, count: 3)
        for (device, cover) in zip(devices, ["c1", "c2", "c3"]) {
            try tie(cover, to: "d1", end, on: device)
        }
        let others = Array(devices.dropFirst())
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                await #expect(throws: Never.self) {
                    for device in others { try await device.store.sync() }
                }
            }, for: .kind(.modifyRecords, device: devices[0].cloudContainer.device))
        try await devices[0].store.sync()
        try await expectOneTruth(end, devices)
    }

    @Test("the smaller record name wins, whatever arrived first, and the other's nil is sent")
    func winner() async throws {
        for order in [["a", "b"], ["b", "a"]] {
            let cloud = LocalCloud.inMemory()
            let end = DecidingEnd.cover
            let device = try Device(on: cloud, model: end.model())
            try await device.store.sync()
            let client = RawClient(cloud)
            try await client.save(client.record("Document", named: "d", ["name": "d"]))
            for name in order {
                let cover = client.record(end.coverEntity, named: name, ["name": name])
                cover["document"] = client.reference(to: "d")
                try await client.save(cover)
                try await device.store.sync()
            }
            #expect(try pairs(end, on: device) == ["a d", "b -", "d a"])
            #expect(try device.store.checkInvariants() == [])
            let records = try await client.records(ofType: end.coverEntity)
            let loser = try #require(records.first { $0.recordID.recordName == "b" })
            let reference: CKRecord.Reference? = loser["document"]
            #expect(reference == nil)
        }
    }

    @Test(
        "A destination that gets another owner is no conflict, however pages are cut",
        arguments: DecidingEnd.allCases, [1, 2, 3])
    func passedOn(end: DecidingEnd, pageSize: Int) async throws {
        var options = LocalCloudOptions()
        options.pageSize = pageSize
        let cloud = LocalCloud.inMemory(options: options)
        let devices = try (0..<2).map { try Device("\($0)", on: cloud, model: end.model()) }
        try devices[0].addAll(end.coverEntity, "c1", "c2", "c3")
        try devices[0].addAll("Document", "d1", "d2")
        try tie("c1", to: "d1", end, on: devices[0])
        try await settle(devices)
        for cover in ["c2", "c3", "c1", "c3", "c2", "c1"] {
            try tie(cover, to: "d1", end, on: devices[0])
            try await settle(devices)
            for device in devices {
                #expect(try pairs(end, on: device).filter { $0.hasPrefix("d1") } == ["d1 \(cover)"])
                #expect(try device.store.checkInvariants() == [])
                #expect(try device.store.syncStatus().pendingChangeCount == 0)
            }
        }
    }

    @Test(
        "A deletion of the former owner is no conflict, however pages are cut",
        arguments: DecidingEnd.allCases, [1, 2, 200])
    func deletedOwner(end: DecidingEnd, pageSize: Int) async throws {
        var options = LocalCloudOptions()
        options.pageSize = pageSize
        let cloud = LocalCloud.inMemory(options: options)
        for heir in ["c1", "c3"] {
            let devices = try (0..<2).map {
                try Device("\(heir) \($0)", on: cloud, model: end.model())
            }
            try devices[0].addAll(end.coverEntity, "c1", "c2", "c3")
            try devices[0].addAll("Document", "d1")
            try tie("c2", to: "d1", end, on: devices[0])
            try await settle(devices)
            try tie(heir, to: "d1", end, on: devices[1])
            try await devices[1].store.sync()
            try devices[0].edit {
                $0.delete(try Device.object(end.coverEntity, "c2", in: $0))
            }
            try await settle(devices)
            for device in devices {
                #expect(try device.count(end.coverEntity) == 2)
                #expect(try pairs(end, on: device).contains("d1 \(heir)"))
                #expect(try device.store.checkInvariants() == [])
            }
            try devices[0].edit { context in
                for entity in [end.coverEntity, "Document"] {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                    for object in try context.fetch(request) { context.delete(object) }
                }
            }
            try await settle(devices)
        }
    }

    @Test("within one entity")
    func selfInverse() async throws {
        let model = {
            let person = NSEntityDescription(
                "Person", [NSAttributeDescription("name", .stringAttributeType)])
            let partner = NSRelationshipDescription()
            partner.name = "partner"
            partner.destinationEntity = person
            partner.maxCount = 1
            partner.isOptional = true
            partner.inverseRelationship = partner
            person.properties += [partner]
            return NSManagedObjectModel(person)
        }
        let devices = try (0..<2).map { try Device("\($0)", on: cloud, model: model()) }
        try devices[0].addAll("Person", "p", "q", "r")
        try await settle(devices)
        for (device, name) in zip(devices, ["q", "r"]) {
            try device.edit { context in
                try Device.object("Person", "p", in: context).setValue(
                    try Device.object("Person", name, in: context), forKey: "partner")
            }
        }
        try await syncBoth(devices, .betweenPullAndPush)
        for complete in [false, true] {
            try await settle(devices, complete: complete)
            let texts = try devices.map { device in
                try ["p", "q", "r"].map { try device.text("Person", $0, "partner") }
            }
            #expect(texts[0] == texts[1])
            #expect(Set(texts[0].filter { $0 != "nil" }).count == 2)
            for device in devices {
                #expect(try device.store.checkInvariants() == [])
                #expect(try device.store.syncStatus().pendingChangeCount == 0)
            }
        }
    }

    // MARK: - Changes on one device

    /// Syncs the second device before each request of the first one that changes records.
    private func syncStepByStep(_ devices: [Device]) async throws {
        let (a, b) = (devices[0], devices[1])
        let fault = cloud.faults.add(
            .call(.beforeCommit) { _ in
                await #expect(throws: Never.self) { try await b.store.sync() }
            }, for: .kind(.modifyRecords, device: a.cloudContainer.device), occurrences: .always)
        try await a.store.sync()
        cloud.faults.remove(fault)
    }

    /// The entity of the deciding end, its relationship, and how its objects' names and those of the
    /// destinations begin.
    private func decider(
        _ end: DecidingEnd
    ) -> (entity: String, key: String, letter: String, other: String) {
        switch end {
        case .cover: (end.coverEntity, "document", "c", "d")
        case .document: ("Document", "cover", "d", "c")
        }
    }

    @Test(
        "destinations of deleted objects that new ones take, seen half-way",
        arguments: DecidingEnd.allCases)
    func handedOver(end: DecidingEnd) async throws {
        let devices = try await devices(end)
        for number in 1...3 { try tie("c\(number)", to: "d\(number)", end, on: devices[0]) }
        try await settle(devices)
        let (entity, key, letter, other) = decider(end)
        try devices[0].edit { context in
            for number in 1...3 {
                let former = try Device.object(entity, "\(letter)\(number)", in: context)
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity, into: context)
                object.setValue("\(letter)\(number + 3)", forKey: "name")
                object.setValue(former.value(forKey: key), forKey: key)
                context.delete(former)
            }
        }
        try await syncStepByStep(devices)
        try await expectOneTruth(end, devices)
        for number in 1...3 {
            let pair = "\(letter)\(number + 3) \(other)\(number)"
            #expect(try pairs(end, on: devices[1]).contains(pair))
        }
    }

    @Test(
        "destinations that objects take from each other, seen half-way",
        arguments: DecidingEnd.allCases)
    func rotated(end: DecidingEnd) async throws {
        let devices = try await devices(end)
        for number in 1...3 { try tie("c\(number)", to: "d\(number)", end, on: devices[0]) }
        try await settle(devices)
        try devices[0].edit { context in
            let covers = try (1...3).map {
                try Device.object(end.coverEntity, "c\($0)", in: context)
            }
            let documents = try (1...3).map { try Device.object("Document", "d\($0)", in: context) }
            for (index, cover) in covers.enumerated() {
                cover.setValue(documents[(index + 1) % 3], forKey: "document")
            }
        }
        try await syncStepByStep(devices)
        try await expectOneTruth(end, devices)
        for pair in ["c1 d2", "c2 d3", "c3 d1"] {
            #expect(try pairs(end, on: devices[1]).contains(pair))
        }
    }
}
