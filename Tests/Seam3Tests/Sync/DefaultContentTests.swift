import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A device writes default content, and meets what another one has sent. The place is shown as its name, icon, note and
/// color.
@Suite("Default content meets another version of the same object", .tags(.threeWayConflicts))
struct DefaultContentTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    private static let seed = ["name": "home", "icon": "house", "note": "welcome"]
    private static let users = ["name": "home", "icon": "star", "note": "mine"]

    enum Situation: CaseIterable {
        /// What the device writes, and what the server has.
        case seedMeetsUser, userMeetsSeed, seedMeetsSeed
        /// The device's user has edited the default content's icon before it was sent.
        case editedSeedMeetsUser
        /// Another user has edited the default content's icon after it was sent.
        case userMeetsEditedSeed
    }

    /// When the device meets the other version.
    enum Moment: CaseIterable { case pull, push }

    /// Counts the questions to the app.
    private final class Questions: @unchecked Sendable {
        // Unchecked because the store asks one question at a time.
        var count = 0
    }

    private func device(
        _ name: String, _ policy: Policy = .serverRecordWins, _ questions: Questions? = nil
    ) throws -> Device {
        let device = try Device(name, on: cloud, policy: policy, model: PlaceModel.make())
        device.store.recordConflictResolutionBlock = { server, _, _ in
            questions?.count += 1
            server["icon"] = "both"
            return server
        }
        return device
    }

    /// What the other device sends before.
    private static func writeTheirs(
        _ situation: Situation, _ other: Device, by writing: SeedWriting
    ) async throws {
        switch situation {
        case .seedMeetsUser, .editedSeedMeetsUser:
            try other.add("Place", users)
        case .userMeetsSeed, .seedMeetsSeed, .userMeetsEditedSeed:
            try other.seed(
                by: writing,
                ["name": "home", "icon": "house", "note": "welcome", "color": "gray"])
        }
        try await other.store.sync()
        guard situation == .userMeetsEditedSeed else { return }
        try other.write("home", ["icon": "star"])
        try await other.store.sync()
    }

    private func writeOurs(
        _ situation: Situation, _ device: Device, by writing: SeedWriting
    ) throws {
        switch situation {
        case .seedMeetsUser, .editedSeedMeetsUser:
            try device.seed(by: writing, Self.seed)
        case .seedMeetsSeed:
            try device.seed(by: writing, ["name": "home", "icon": "cottage", "note": "hello"])
        case .userMeetsSeed, .userMeetsEditedSeed:
            try device.add("Place", ["name": "home", "icon": "tent", "note": "ours"])
        }
        if situation == .editedSeedMeetsUser { try device.write("home", ["icon": "tent"]) }
    }

    private static func expected(_ situation: Situation, _ policy: Policy) -> String {
        switch situation {
        case .seedMeetsUser: return "home star mine -"
        case .userMeetsSeed: return "home tent ours gray"
        case .seedMeetsSeed: return "home house welcome gray"
        case .editedSeedMeetsUser: return "home \(icon(policy)) mine -"
        case .userMeetsEditedSeed: return "home \(icon(policy)) ours gray"
        }
    }

    /// The icon that both users have edited: "star" on the server, and "tent" on the device. Because of the natural key,
    /// nothing is kept twice.
    private static func icon(_ policy: Policy) -> String {
        switch policy {
        case .serverRecordWins, .keepBoth, .mergeByProperty: return "star"
        case .clientRecordWins, .mergeByPropertyClientWins: return "tent"
        case .clientTellsWhichWins, .mergeByPropertyClientTells: return "both"
        }
    }

    /// Lets a device meet another one's version.
    ///
    /// - Returns: The number of conflicts that the device reports.
    private func meet(
        _ situation: Situation, _ device: Device, _ other: Device, by writing: SeedWriting,
        at moment: Moment
    ) async throws -> Int {
        for device in [device, other] { try await device.store.sync() }
        try writeOurs(situation, device, by: writing)
        switch moment {
        case .pull:
            try await Self.writeTheirs(situation, other, by: writing)
        case .push:
            cloud.faults.add(
                .call(.beforeCommit) { _ in
                    await #expect(throws: Never.self) {
                        try await Self.writeTheirs(situation, other, by: writing)
                    }
                }, for: .kind(.modifyRecords, device: device.cloudContainer.device))
        }
        return try await device.store.sync().conflictCount
    }

    @Test(
        "a user's value wins under every policy, and only what two users have edited is a conflict",
        arguments: Situation.allCases, Policy.allCases)
    func cell(situation: Situation, policy: Policy) async throws {
        let isConflict = situation == .editedSeedMeetsUser || situation == .userMeetsEditedSeed
        for writing in SeedWriting.allCases {
            for moment in Moment.allCases {
                let comment = Comment(rawValue: "\(writing), \(moment)")
                let questions = Questions()
                let cell = Self()
                let device = try cell.device("a", policy, questions)
                let other = try cell.device("b", policy)
                let count = try await cell.meet(situation, device, other, by: writing, at: moment)
                #expect(count == (isConflict ? 1 : 0), comment)
                #expect((questions.count > 0) == (isConflict && policy.asks), comment)
                let expected = [Self.expected(situation, policy)]
                #expect(try device.places() == expected, comment)
                try await Device.settle(device, other)
                let newcomer = try cell.device("c", policy)
                for device in [device, other, newcomer] {
                    #expect(try await device.store.sync().conflictCount == 0, comment)
                    #expect(try device.places() == expected, comment)
                    #expect(try device.store.syncStatus().pendingChangeCount == 0, comment)
                    #expect(try device.store.checkInvariants() == [], comment)
                }
            }
        }
    }

    @Test(
        "nothing is merged without a natural key, and nothing is lost",
        arguments: SeedWriting.allCases)
    func withoutKey(writing: SeedWriting) async throws {
        let (device, other) = (try device("a"), try device("b"))
        try other.add("Note", ["name": "home", "icon": "star"])
        try await other.store.sync()
        try device.seed(of: "Note", by: writing, ["name": "home", "icon": "house"])
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, other)
        for device in [device, other] { #expect(try device.count("Note") == 2) }
    }

    @Test(
        "what a user has removed does not come back, whether it was sent before or not",
        arguments: Policy.allCases)
    func removed(policy: Policy) async throws {
        for isSent in [true, false] {
            let cell = Self()
            let device = try cell.device("a", policy)
            try device.seed(Self.seed)
            if isSent { try await device.store.sync() }
            try device.write("home", ["note": nil])
            try await device.store.sync()
            let reinstalled = try cell.device("b", policy)
            try reinstalled.seed(Self.seed)
            #expect(try await reinstalled.store.sync().conflictCount == 0)
            try await Device.settle(device, reinstalled)
            for device in [device, reinstalled] {
                #expect(try device.places() == ["home house - -"])
            }
        }
    }

    @Test("an object that a user has renamed is still the same one", arguments: Policy.allCases)
    func renamedThere(policy: Policy) async throws {
        let device = try device("a", policy)
        try device.seed(Self.seed)
        try await device.store.sync()
        try device.write("home", ["name": "casa"])
        try await device.store.sync()
        let reinstalled = try self.device("b", policy)
        try reinstalled.seed(Self.seed)
        #expect(try await reinstalled.store.sync().conflictCount == 0)
        try await Device.settle(device, reinstalled)
        for device in [device, reinstalled] {
            #expect(try device.places() == ["casa house welcome -"])
        }
    }

    @Test("default content that a user renames before it is sent meets that of another device")
    func renamedHere() async throws {
        let (device, other) = (try device("a"), try device("b"))
        try other.seed(Self.seed)
        try await other.store.sync()
        try device.seed(Self.seed)
        try device.write("home", ["name": "casa"])
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try device.places() == ["casa house welcome -"])
        }
    }

    @Test("renamed default content and a user's version with the former name are two objects")
    func renamedBesideUsers() async throws {
        let (device, other) = (try device("a"), try device("b"))
        try other.add("Place", Self.users)
        try await other.store.sync()
        try device.seed(Self.seed)
        try device.write("home", ["name": "casa"])
        try await device.store.sync()
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try device.places() == ["casa house welcome -", "home star mine -"])
        }
    }

    @Test("a reference of default content gives way to a user's", arguments: Policy.allCases)
    func references(policy: Policy) async throws {
        let (device, other) = (try device("a", policy), try device("b", policy))
        for name in ["north", "south"] { try other.add("Region", ["name": name]) }
        try other.add("Place", ["name": "home"])
        try Self.place("home", in: "south", on: other)
        try await other.store.sync()
        try device.asSeed { context in
            let region = NSEntityDescription.insertNewObject(forEntityName: "Region", into: context)
            region.setValue("north", forKey: "name")
            let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: context)
            place.setValue("home", forKey: "name")
            place.setValue(region, forKey: "region")
            try context.save()
        }
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try Self.region(of: "home", on: device) == "south")
            #expect(try device.count("Region") == 2)
        }
    }

    private static func place(_ name: String, in region: String, on device: Device) throws {
        try device.edit { context in
            try Device.object("Place", name, in: context)
                .setValue(try Device.object("Region", region, in: context), forKey: "region")
        }
    }

    private static func region(of name: String, on device: Device) throws -> String? {
        try device.read { context in
            context.refreshAllObjects()
            let place = try Device.object("Place", name, in: context)
            let region = place.value(forKey: "region") as? NSManagedObject
            return region?.value(forKey: "name") as? String
        }
    }

    @Test("an update of default content gives way to a user's edit", arguments: Policy.allCases)
    func update(policy: Policy) async throws {
        for isBatch in [false, true] {
            let cell = Self()
            let (device, other) = (try cell.device("a", policy), try cell.device("b", policy))
            try device.seed(Self.seed, ["name": "work", "icon": "desk", "note": "welcome"])
            try await Device.settle(device, other)
            try other.write("home", ["icon": "star"])
            try await other.store.sync()
            try device.asSeed { context in
                if isBatch {
                    let request = NSBatchUpdateRequest(entityName: "Place")
                    request.propertiesToUpdate = ["icon": "new"]
                    _ = try context.execute(request)
                } else {
                    for place in try Device.all("Place", in: context) {
                        place.setValue("new", forKey: "icon")
                    }
                    try context.save()
                }
            }
            #expect(try await device.store.sync().conflictCount == 0)
            try await Device.settle(device, other)
            for device in [device, other] {
                #expect(
                    try device.places() == ["home star welcome -", "work new welcome -"],
                    "\(isBatch)")
            }
        }
    }

    @Test("a record without edit stamps counts as a user's", arguments: Policy.allCases)
    func withoutStamps(policy: Policy) async throws {
        let device = try device("a", policy)
        try device.seed(Self.seed)
        try await device.store.sync()
        let client = RawClient(cloud)
        let known = try #require(try await client.records(ofType: "Place").first)
        let record = client.record("Place", named: known.recordID.recordName, Self.users)
        let cell = Self()
        let other = RawClient(cell.cloud)
        try await other.createZone()
        try await other.save(record)
        let reinstalled = try cell.device("b", policy)
        try reinstalled.seed(Self.seed)
        #expect(try await reinstalled.store.sync().conflictCount == 0)
        #expect(try reinstalled.places() == ["home star mine -"])
    }

    @Test(
        "what a user has edited stays when default content has filled a new zone",
        arguments: Policy.allCases)
    func newZone(policy: Policy) async throws {
        let device = try device("a", policy)
        try device.seed(Self.seed)
        try await device.store.sync()
        try device.write("home", ["icon": "star"])
        try await device.store.sync()
        try await RawClient(cloud).deleteZone()
        let reinstalled = try self.device("b", policy)
        try reinstalled.seed(["name": "home", "icon": "cottage", "note": "hello"])
        try await reinstalled.store.sync()
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, reinstalled)
        for device in [device, reinstalled] {
            #expect(try device.places() == ["home star hello -"])
        }
    }
}

extension SMSyncConflictResolutionPolicy {
    /// Whether the app's block decides.
    fileprivate var asks: Bool {
        self == .clientTellsWhichWins || self == .mergeByPropertyClientTells
    }
}
