import CloudKit
import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

@Suite(
    "A to-one relationship that is its own inverse", .tags(.convergenceWithoutLuck))
struct OwnInversePairTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", ["name", "note"].map { NSAttributeDescription($0, .stringAttributeType) })
        NSRelationshipDescription.addOwnInverse("partner", 1, to: person)
        return NSManagedObjectModel(person)
    }

    /// A cloud whose pages of changes have at most this number of records.
    static func cloud(pageSize: Int) -> LocalCloud {
        var options = LocalCloudOptions()
        options.pageSize = pageSize
        return LocalCloud.inMemory(options: options)
    }

    /// Devices that have people of these names, who are pairs in that order: the first two, the next two.
    func devices(
        _ count: Int, on cloud: LocalCloud, _ policy: Policy = .serverRecordWins,
        pairs names: [String], singles: [String] = []
    ) async throws -> [Device] {
        let devices = try (0..<count).map {
            try Device("device \($0)", on: cloud, policy: policy, model: Self.model())
        }
        for device in devices {
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
        }
        try devices[0].edit { context in
            let people = (names + singles).map { name in
                let person = NSEntityDescription.insertNewObject(
                    forEntityName: "Person", into: context)
                person.setValue(name, forKey: "name")
                return person
            }
            for index in stride(from: 0, to: names.count - 1, by: 2) {
                people[index].setValue(people[index + 1], forKey: "partner")
            }
        }
        try await settle(devices)
        return devices
    }

    func settle(_ devices: [Device], complete: Bool = false) async throws {
        for _ in 1...(complete ? 2 : 3) {
            for device in devices { try await device.store.sync(complete: complete) }
        }
    }

    /// Makes two people a pair, or one single.
    static func pair(_ name: String, _ other: String?, on device: Device) throws {
        try device.edit { context in
            try Device.object("Person", name, in: context).setValue(
                try other.map { try Device.object("Person", $0, in: context) }, forKey: "partner")
        }
    }

    static func write(_ note: String, to name: String, on device: Device) throws {
        try device.edit {
            try Device.object("Person", name, in: $0).setValue(note, forKey: "note")
        }
    }

    static func note(of name: String, on device: Device) throws -> String? {
        try device.read { context in
            context.refreshAllObjects()
            return try Device.object("Person", name, in: context).value(forKey: "note") as? String
        }
    }

    /// Everybody with their partner.
    static func partners(on device: Device) throws -> [String: String] {
        try device.read { context in
            context.refreshAllObjects()
            return Dictionary(
                try Device.all("Person", in: context).map { person in
                    let partner = person.value(forKey: "partner") as? NSManagedObject
                    return (
                        person.value(forKey: "name") as? String ?? "?",
                        partner?.value(forKey: "name") as? String ?? "-"
                    )
                }, uniquingKeysWith: { "\($0) and \($1)" })
        }
    }

    /// Everybody with their partner, from the pairs and the people without one.
    static func partners(
        _ pairs: [(String, String)], singles: [String] = []
    ) -> [String: String] {
        var partners = Dictionary(uniqueKeysWithValues: singles.map { ($0, "-") })
        for (one, other) in pairs {
            partners[one] = other
            partners[other] = one
        }
        return partners
    }

    /// Expects the same pairs, both ends of which agree, on all devices, also after complete syncs and on a new device.
    ///
    /// - Parameter partners: Everybody with their partner; nil if only agreement is expected.
    func expectOneTruth(
        _ partners: [String: String]? = nil, _ devices: [Device], on cloud: LocalCloud,
        _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for complete in [false, true] {
            try await settle(devices, complete: complete)
            let fresh = try Device("fresh", on: cloud, model: Self.model())
            try await fresh.store.sync()
            let expected = try partners ?? Self.partners(on: devices[0])
            for device in devices + [fresh] {
                let shown = try Self.partners(on: device)
                #expect(
                    shown == expected, "\(device.name) \(comment)", sourceLocation: sourceLocation)
                for (name, partner) in shown where partner != "-" {
                    #expect(
                        shown[partner] == name, "\(device.name) \(comment)",
                        sourceLocation: sourceLocation)
                }
                #expect(
                    try device.store.checkInvariants() == [], "\(device.name) \(comment)",
                    sourceLocation: sourceLocation)
                #expect(
                    try device.store.syncStatus().pendingChangeCount == 0,
                    "\(device.name) \(comment)", sourceLocation: sourceLocation)
            }
        }
        try await expectServerAgrees(comment, sourceLocation: sourceLocation, on: cloud)
    }

    /// Expects that the server's records refer to each other in pairs.
    func expectServerAgrees(
        _ comment: String, sourceLocation: SourceLocation, on cloud: LocalCloud
    ) async throws {
        var partners: [String: String] = [:]
        for record in try await RawClient(cloud).records(ofType: "Person") {
            let partner: CKRecord.Reference? = record["partner"]
            partners[record.recordID.recordName] = partner?.recordID.recordName
        }
        for (name, partner) in partners {
            #expect(
                partners[partner] == name, "the server \(comment)", sourceLocation: sourceLocation)
        }
    }

    // MARK: - One device changes pairs

    /// What one device does to the pairs p–q, r–s, t–u and the singles x and y, and who the pairs are then.
    enum Change: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case removal, removalOfAll, exchange, rotation, chain, newPair, handedOver, taken, deletion
        case deletionAndPair

        var testDescription: String { rawValue }

        func carryOut(on device: Device) throws {
            try device.edit { context in
                func person(_ name: String) throws -> NSManagedObject {
                    try Device.object("Person", name, in: context)
                }
                func pair(_ name: String, _ other: String?) throws {
                    try person(name).setValue(try other.map(person), forKey: "partner")
                }
                switch self {
                case .removal: try pair("p", nil)
                case .removalOfAll: for name in ["p", "s", "t"] { try pair(name, nil) }
                case .exchange:
                    try pair("p", "r")
                    try pair("q", "s")
                case .rotation:
                    try pair("p", "s")
                    try pair("r", "u")
                    try pair("t", "q")
                case .chain:
                    try pair("q", "r")
                    try pair("s", "t")
                case .newPair: try pair("x", "y")
                case .handedOver: try pair("p", "x")
                case .taken: try pair("x", "q")
                case .deletion: context.delete(try person("q"))
                case .deletionAndPair:
                    context.delete(try person("q"))
                    try pair("p", "r")
                }
            }
        }

        var partners: [String: String] {
            switch self {
            case .removal:
                OwnInversePairTests.partners(
                    [("r", "s"), ("t", "u")], singles: ["p", "q", "x", "y"])
            case .removalOfAll:
                OwnInversePairTests.partners([], singles: Change.people)
            case .exchange:
                OwnInversePairTests.partners(
                    [("p", "r"), ("q", "s"), ("t", "u")], singles: ["x", "y"])
            case .rotation:
                OwnInversePairTests.partners(
                    [("p", "s"), ("r", "u"), ("t", "q")], singles: ["x", "y"])
            case .chain:
                OwnInversePairTests.partners(
                    [("q", "r"), ("s", "t")], singles: ["p", "u", "x", "y"])
            case .newPair:
                OwnInversePairTests.partners([("p", "q"), ("r", "s"), ("t", "u"), ("x", "y")])
            case .handedOver:
                OwnInversePairTests.partners(
                    [("p", "x"), ("r", "s"), ("t", "u")], singles: ["q", "y"])
            case .taken:
                OwnInversePairTests.partners(
                    [("x", "q"), ("r", "s"), ("t", "u")], singles: ["p", "y"])
            case .deletion:
                OwnInversePairTests.partners(
                    [("r", "s"), ("t", "u")], singles: ["p", "x", "y"])
            case .deletionAndPair:
                OwnInversePairTests.partners(
                    [("p", "r"), ("t", "u")], singles: ["s", "x", "y"])
            }
        }

        static let people = ["p", "q", "r", "s", "t", "u", "x", "y"]
    }

    func devicesWithPairs(
        _ count: Int = 2, on cloud: LocalCloud, _ policy: Policy = .serverRecordWins
    ) async throws -> [Device] {
        try await devices(
            count, on: cloud, policy, pairs: ["p", "q", "r", "s", "t", "u"], singles: ["x", "y"])
    }

    @Test(
        "has the same pairs everywhere after a change on one device, however pages are cut",
        arguments: Change.allCases, [1, 3, 200])
    func change(change: Change, pageSize: Int) async throws {
        let cloud = Self.cloud(pageSize: pageSize)
        let devices = try await devicesWithPairs(on: cloud)
        try change.carryOut(on: devices[0])
        try await expectOneTruth(change.partners, devices, on: cloud)
    }

    @Test(
        "has the same pairs on a device that has seen nothing yet, however pages are cut",
        arguments: Change.allCases, [1, 3])
    func newDevice(change: Change, pageSize: Int) async throws {
        let cloud = Self.cloud(pageSize: pageSize)
        let devices = try await devicesWithPairs(1, on: cloud)
        try change.carryOut(on: devices[0])
        try await devices[0].store.sync()
        let new = try Device("new", on: cloud, model: Self.model())
        try await new.store.sync()
        #expect(try Self.partners(on: new) == change.partners)
        try await expectOneTruth(change.partners, devices + [new], on: cloud)
    }

    @Test(
        "needs no second sync to show the pairs of one change",
        arguments: Change.allCases, [1, 3, 200])
    func oneSync(change: Change, pageSize: Int) async throws {
        let cloud = Self.cloud(pageSize: pageSize)
        let devices = try await devicesWithPairs(on: cloud)
        try change.carryOut(on: devices[0])
        try await devices[0].store.sync()
        try await devices[1].store.sync()
        for device in devices { #expect(try Self.partners(on: device) == change.partners) }
        #expect(try devices[1].store.checkInvariants() == [])
        #expect(try devices[1].store.syncStatus().pendingChangeCount == 0)
    }

    @Test(
        "has the same pairs everywhere if the other device sees the change request by request",
        arguments: Change.allCases)
    func seenHalfWay(change: Change) async throws {
        let cloud = Self.cloud(pageSize: 1)
        // In the second cloud a request takes one record.
        var options = LocalCloudOptions()
        options.pageSize = 1
        options.maximumOperations = 1
        let narrow = LocalCloud.inMemory(options: options)
        for cloud in [cloud, narrow] {
            let devices = try await devicesWithPairs(on: cloud)
            try change.carryOut(on: devices[0])
            let other = devices[1]
            let fault = cloud.faults.add(
                .call(.beforeCommit) { _ in
                    await #expect(throws: Never.self) { try await other.store.sync() }
                }, for: .kind(.modifyRecords, device: devices[0].cloudContainer.device),
                occurrences: .always)
            try await devices[0].store.sync()
            cloud.faults.remove(fault)
            try await expectOneTruth(change.partners, devices, on: cloud)
        }
    }

    // MARK: - Arrival orders

    /// All orders of some elements.
    static func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var others = elements
            let element = others.remove(at: index)
            return permutations(others).map { [element] + $0 }
        }
    }

    @Test(
        "has the same pairs in whatever order the records of a change arrive",
        arguments: [Change.removal, .exchange, .handedOver, .taken, .deletionAndPair], [1, 200])
    func arrival(change: Change, pageSize: Int) async throws {
        let people =
            change == .exchange
            ? ["p", "q", "r", "s"]
            : change == .deletionAndPair ? ["p", "r", "s"] : ["p", "q", "x"]
        for order in Self.permutations(people) {
            let cloud = Self.cloud(pageSize: pageSize)
            let devices = try await devicesWithPairs(on: cloud)
            try change.carryOut(on: devices[0])
            try await devices[0].store.sync()
            // The record that is saved last arrives last.
            let client = RawClient(cloud)
            let records = try await client.records(ofType: "Person")
            for name in order {
                let record = try #require(records.first { $0["name"] as? String == name })
                try await client.save(record)
            }
            try await devices[1].store.sync()
            #expect(try Self.partners(on: devices[1]) == change.partners, "\(order)")
            #expect(try devices[1].store.checkInvariants() == [], "\(order)")
            try await expectOneTruth(change.partners, devices, on: cloud, "\(order)")
        }
    }

    @Test(
        "has the same pairs in whatever order the records of a rotation arrive",
        arguments: [1, 3, 200])
    func arrivalOfRotation(pageSize: Int) async throws {
        var random = SeededGenerator(seed: UInt64(pageSize))
        for _ in 1...12 {
            let order = ["p", "q", "r", "s", "t", "u"].shuffled(using: &random)
            let cloud = Self.cloud(pageSize: pageSize)
            let devices = try await devicesWithPairs(on: cloud)
            try Change.rotation.carryOut(on: devices[0])
            try await devices[0].store.sync()
            let client = RawClient(cloud)
            let records = try await client.records(ofType: "Person")
            for name in order {
                let record = try #require(records.first { $0["name"] as? String == name })
                try await client.save(record)
            }
            try await devices[1].store.sync()
            #expect(try Self.partners(on: devices[1]) == Change.rotation.partners, "\(order)")
            #expect(try devices[1].store.checkInvariants() == [], "\(order)")
        }
    }

    @Test(
        "has one pair if the server's records contradict each other, in whatever order they arrive",
        arguments: [1, 200])
    func contradiction(pageSize: Int) async throws {
        // Both p and r claim q, who claims neither, p, or r.
        for claimed in [nil, "p", "r"] {
            var results: Set<[String: String]> = []
            for order in Self.permutations(["p", "q", "r"]) {
                let cloud = Self.cloud(pageSize: pageSize)
                let device = try Device("device", on: cloud, model: Self.model())
                try await device.store.sync()
                let client = RawClient(cloud)
                for name in order {
                    let record = client.record("Person", named: name, ["name": name])
                    let partner = name == "q" ? claimed : "q"
                    if let partner { record["partner"] = client.reference(to: partner) }
                    try await client.save(record)
                }
                for complete in [false, true] {
                    try await settle([device], complete: complete)
                    let shown = try Self.partners(on: device)
                    for (name, partner) in shown where partner != "-" {
                        #expect(shown[partner] == name, "\(order)")
                    }
                    #expect(try device.store.checkInvariants() == [], "\(order)")
                    results.insert(shown)
                }
            }
            #expect(results.count == 1, "q claims \(claimed ?? "nobody")")
        }
    }
}
