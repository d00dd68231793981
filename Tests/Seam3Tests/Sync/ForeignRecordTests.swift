import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Records that match the model individually but contradict each other.
@Suite("Records that another program wrote") struct ForeignRecordTests {
    let cloud = LocalCloud.inMemory()
    private var client: RawClient { RawClient(cloud) }

    /// The order in which a record and the destination of its reference arrive.
    enum Arrival: String, CaseIterable { case targetFirst, inOnePage, targetLast }

    private func deliver(
        _ record: CKRecord, target: CKRecord, _ arrival: Arrival, to device: Device
    ) async throws {
        let records = arrival == .targetLast ? [record, target] : [target, record]
        for record in records {
            try await client.save(record)
            if arrival != .inOnePage { try await device.store.sync() }
        }
        try await device.store.sync()
    }

    private func expectSound(_ devices: Device...) throws {
        for device in devices {
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    // MARK: - References

    @Test("A reference to a record of another type reads as nil", arguments: Arrival.allCases)
    func otherType(arrival: Arrival) async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        let clock = client.record("Clock", named: "clock", ["label": "clock"])
        clock["folder"] = client.reference(to: "zone")
        try await deliver(
            clock, target: client.record("Zone", named: "zone", ["name": "zone"]), arrival,
            to: device)
        for fresh in [false, true] {
            let reader = fresh ? try Device("fresh", on: cloud) : device
            try await reader.store.sync()
            #expect(try reader.hasNoValue("folder", of: "clock"))
            #expect(try reader.count("Folder") == 0)
            #expect(try reader.count("Zone") == 1)
            try expectSound(reader)
        }
    }

    @Test(
        "A reference to a record of another type stays unchanged until it is replaced",
        arguments: Arrival.allCases)
    func kept(arrival: Arrival) async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        let clock = client.record("Clock", named: "clock", ["label": "clock"])
        clock["folder"] = client.reference(to: "zone")
        try await deliver(
            clock, target: client.record("Zone", named: "zone", ["name": "zone"]), arrival,
            to: device)
        try device.change("clock", ["note": "edited"])
        try await device.store.sync()
        #expect(try await folder() == "zone")
        try device.add("Folder", ["name": "right"])
        try device.relate("clock", "folder", to: "right")
        try await device.store.sync()
        let right = try #require(try await client.records(ofType: "Folder").first)
        #expect(try await folder() == right.recordID.recordName)
        let other = try Device("other", on: cloud)
        try await Device.settle(other, device)
        try expectAgreement(other, device)
        try expectSound(device, other)
    }

    private func folder() async throws -> String? {
        let record = try #require(try await client.records(ofType: "Clock").first)
        let reference: CKRecord.Reference? = record["folder"]
        return reference?.recordID.recordName
    }

    /// Types of the model other than the driver's, which is a person, and a subentity's
    /// relationship to a parent entity.
    static let drivers = ["Box", "Car", "Vehicle", "SM_Link_Item_tags", "Unknown"]

    @Test(
        "A reference to any other record reads as nil", arguments: drivers, Arrival.allCases)
    func hierarchy(type: String, arrival: Arrival) async throws {
        let device = try Device(on: cloud, model: ShopModel.make())
        try await device.store.sync()
        let car = client.record("Car", named: "car", ["name": "car", "plate": "C"])
        car["driver"] = client.reference(to: "target")
        try await deliver(
            car, target: client.record(type, named: "target", ["name": "target"]), arrival,
            to: device)
        let plates = try device.read { context in
            try Device.all("Car", in: context).filter { $0.value(forKey: "plate") != nil }
                .map { $0.value(forKey: "driver") as? NSManagedObject }
        }
        #expect(plates == [nil])
        #expect(try device.count("Person") == 0)
        try expectSound(device)
    }

    @Test("A record that refers to itself", arguments: [true, false])
    func itself(fits: Bool) async throws {
        let device = try Device(on: cloud, model: fits ? Self.nodes() : ClockModel.make())
        try await device.store.sync()
        let type = fits ? "Node" : "Clock"
        let record = client.record(type, named: "self", ["label": "self"])
        record[fits ? "parent" : "folder"] = client.reference(to: "self")
        try await client.save(record)
        try await device.store.sync()
        try device.read { context in
            let object = try #require(try Device.all(type, in: context).first)
            let other = object.value(forKey: fits ? "parent" : "folder") as? NSManagedObject
            #expect(other == (fits ? object : nil))
        }
        try expectSound(device)
    }

    private static func nodes() -> NSManagedObjectModel {
        let node = NSEntityDescription(
            "Node", [NSAttributeDescription("label", .stringAttributeType)])
        NSRelationshipDescription.join((node, "parent", 1), (node, "children", 0))
        return NSManagedObjectModel(node)
    }

    // MARK: - Links

    /// The records at the ends of a link.
    static let ends: [(String?, String?)] = [
        ("article", nil), (nil, "tag"), (nil, nil), ("article", "nothing"), ("nothing", "tag"),
        ("tag", "article"), ("article", "article"), ("tag", "tag"), ("article", "link"),
        ("link", "tag"), ("self", "tag"), ("article", "self"), ("self", "self"),
        ("person", "person"),
    ]

    @Test("A link whose ends are of wrong types", arguments: ends, [false, true])
    func link(_ ends: (source: String?, target: String?), linkFirst: Bool) async throws {
        let device = try Device(on: cloud, model: LibraryModel.make())
        try await device.store.sync()
        let hostile = client.record("SM_Link_Article_tags", named: "self")
        if let source = ends.source { hostile["source"] = client.reference(to: source) }
        if let target = ends.target { hostile["target"] = client.reference(to: target) }
        if linkFirst {
            try await client.save(hostile)
            await device.attemptSync()
        }
        for (type, name) in [("Article", "article"), ("Tag", "tag"), ("Person", "person")] {
            try await client.save(client.record(type, named: name, ["name": name]))
        }
        let sound = client.record("SM_Link_Article_tags", named: "link")
        sound["source"] = client.reference(to: "article")
        sound["target"] = client.reference(to: "tag")
        try await client.save(sound)
        if !linkFirst { try await client.save(hostile) }
        try device.add("Reader", ["name": "own"])
        try await device.store.sync()
        let fresh = try Device("fresh", on: cloud, model: LibraryModel.make())
        for reader in [device, fresh] {
            try await reader.store.sync()
            #expect(try reader.members("Article", "article", "tags") == ["tag"])
            #expect(try reader.members("Tag", "tag", "articles") == ["article"])
            for entity in ["Article", "Tag", "Person", "Reader"] {
                #expect(try reader.count(entity) == 1, "\(entity)")
            }
            try expectSound(reader)
        }
    }

    // MARK: - Order keys

    /// Keys that this framework never writes.
    static let keys: [[String]] = [
        ["a", "a", "a", "a"], ["~", "!", " ", "-"], ["é", "e", "z", "Z"], ["a0", "a", "a00", "b0"],
        ["", "0", "00", "1"], ["10", "9", "2", "1"], ["\u{1F600}", "\u{FFFF}", "z", "Z"],
        ["V", "V\u{301}", "V~", "V0"], ["a\u{0}b", "a", "a\u{0}", "b"],
        [String(repeating: "z", count: 900), "zz", "z", "zzz"],
    ]

    private static func tracks(_ device: Device) throws -> [String] {
        try device.members("Album", "album", "tracks")
    }

    @Test("Foreign order keys sort the same everywhere, permanently", arguments: keys)
    func orderKeys(keys: [String]) async {
        // In a separate process, which is killed if it does not end.
        await #expect(processExitsWith: .success) { [keys = keys as [String]] in
            alarm(20)
            try await ForeignRecordTests.check(keys)
        }
    }

    /// Expects that two devices have tracks with order keys in the same order, immediately and
    /// after a relaunch, and that the tracks can be moved.
    private static func check(_ keys: [String]) async throws {
        let cloud = LocalCloud.inMemory()
        let client = RawClient(cloud)
        let model = LibraryModel.make
        let device = try Device("a", on: cloud, model: model())
        try await device.store.sync()
        try await client.save(client.record("Album", named: "album", ["name": "album"]))
        for (index, key) in keys.enumerated() {
            let track = client.record(
                "Track", named: "track \(index)", ["name": "\(index)", "album_order": key])
            track["album"] = client.reference(to: "album")
            try await client.save(track)
        }
        try await device.store.sync()
        let other = try Device("b", on: cloud, model: model())
        try await Device.settle(other, device)
        let shown = try tracks(device)
        #expect(shown.count == 4)
        #expect(try tracks(other) == shown)
        try device.relaunch(model: model())
        #expect(try tracks(device) == shown)
        for order in [[3, 0, 1, 2], [1, 3, 0, 2], [2, 1, 0, 3]] {
            try await move(order, on: other, and: device)
        }
        for device in [device, other] {
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    /// Moves the tracks, and temporarily inserts another one.
    private static func move(_ order: [Int], on device: Device, and other: Device) async throws {
        try device.addAll("Track", "new \(order)")
        let before = try tracks(device)
        var names = order.map { before[$0] }
        names.insert("new \(order)", at: 2)
        try device.setMembers("Album", "album", "tracks", names)
        #expect(try tracks(device) == names)
        try await Device.settle(device, other)
        #expect(try tracks(device) == names)
        #expect(try tracks(other) == names)
        try device.relaunch(model: LibraryModel.make())
        #expect(try tracks(device) == names)
        names.remove(at: 2)
        try device.setMembers("Album", "album", "tracks", names)
        try await Device.settle(device, other)
    }
}
