import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Two devices independently create an object with the same natural key.
@Suite("An object with a natural key that two devices create") struct NaturalKeyMergeTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// Tags with a key and other values, one of which has a default.
    private static func model() -> NSManagedObjectModel {
        let rank = NSAttributeDescription("rank", .integer64AttributeType)
        rank.defaultValue = NSNumber(value: 5)
        let tag = NSEntityDescription(
            "Tag",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("color", .stringAttributeType),
                NSAttributeDescription("made", .dateAttributeType),
                NSAttributeDescription("data", .binaryDataAttributeType), rank,
            ])
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        let group = NSEntityDescription(
            "Group", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((tag, "group", 1), (group, "tags", 0))
        return NSManagedObjectModel(tag, group)
    }

    private func devices(_ policy: Policy) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: policy, model: Self.model())
        let b = try Device("b", on: cloud, policy: policy, model: Self.model())
        for device in [a, b] {
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
        }
        try a.add("Group", ["name": "group"])
        try await Device.settle(a, b)
        return (a, b)
    }

    private func add(_ name: String, _ values: [String: Any], on device: Device) throws {
        try device.edit { context in
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue(name, forKey: "name")
            for (key, value) in values {
                tag.setValue(
                    key == "group" ? try Device.object("Group", "group", in: context) : value,
                    forKey: key)
            }
        }
    }

    private func tags(_ device: Device) throws -> [String] {
        try device.read { context in
            context.refreshAllObjects()
            return try Device.all("Tag", in: context).map { tag in
                let group = (tag.value(forKey: "group") as? NSManagedObject)?.value(forKey: "name")
                let made = (tag.value(forKey: "made") as? Date)?.timeIntervalSince1970
                let values: [Any?] = [
                    tag.value(forKey: "name"), tag.value(forKey: "color"), made,
                    (tag.value(forKey: "data") as? Data)?.count, tag.value(forKey: "rank"), group,
                ]
                return values.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
            }.sorted()
        }
    }

    private static let all: [String: Any] = [
        "color": "red", "made": Date(timeIntervalSince1970: 5), "data": Data([1, 2]), "rank": 9,
        "group": "group",
    ]

    /// The policies that merge, including those that do so because of the key.
    static let merging: [Policy] = [
        .keepBoth, .mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells,
    ]

    @Test(
        "has the values that only one of them set", arguments: merging,
        ["color", "made", "data", "rank", "group"])
    func setBeatsUnset(policy: Policy, key: String) async throws {
        for isFirst in [true, false] {
            let (a, b) = try await devices(policy)
            let (setter, other) = isFirst ? (a, b) : (b, a)
            let name = "work \(isFirst)"
            try add(name, [key: Self.all[key] as Any], on: setter)
            try add(name, [:], on: other)
            try await Device.settle(a, b)
            try await Device.settle(a, b)
            let (left, right) = (try tags(a), try tags(b))
            #expect(left == right)
            let expected = [
                "name": name, "color": "-", "made": "-", "data": "-", "rank": "5", "group": "-",
            ].merging([
                key: ["color": "red", "made": "5.0", "data": "2", "rank": "9", "group": "group"][
                    key] ?? ""
            ]) { $1 }
            let line = ["name", "color", "made", "data", "rank", "group"]
                .compactMap { expected[$0] }.joined(separator: " ")
            #expect(left.contains(line), "\(left), set by the first: \(isFirst)")
        }
    }

    @Test(
        "has the values that one of them set, even if its request got lost and they share a value",
        arguments: merging, ["color", "made", "data", "group"])
    func setAndLost(policy: Policy, key: String) async throws {
        for isEdited in [false, true] {
            let (a, b) = try await devices(policy)
            let name = "work \(isEdited)"
            try add(name, ["rank": 9, key: Self.all[key] as Any], on: a)
            await a.syncSendingNothing(on: cloud)
            try add(name, ["rank": isEdited ? 7 : 9], on: b)
            try await b.store.sync()
            try b.edit { try Device.object("Tag", name, in: $0).setValue(9, forKey: "rank") }
            try await b.store.sync()
            try await Device.settle(a, b)
            let (left, right) = (try tags(a), try tags(b))
            #expect(left == right)
            let expected = ["color": "red - -", "made": "- 5.0 -", "data": "- - 2"][key] ?? "- - -"
            let line = "\(name) \(expected) 9 \(key == "group" ? "group" : "-")"
            #expect(left.contains(line), "\(left)")
        }
    }

    @Test(
        "survives the other's deletion if its request got lost", arguments: Policy.allCases)
    func lostAndDeleted(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        try add("work", ["color": "red"], on: a)
        await a.syncSendingNothing(on: cloud)
        try add("work", ["color": "blue"], on: b)
        try await b.store.sync()
        try b.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
        try await b.store.sync()
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try tags(device) == ["work red - - 5 -"]) }
    }

    @Test(
        "survives the other's deletion if the response to its request got lost",
        arguments: Policy.allCases)
    func arrivedAndDeleted(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        try add("work", ["color": "red"], on: a)
        try await a.syncLosingAnswer(on: cloud)
        try await b.store.sync()
        try b.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
        try await b.store.sync()
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try tags(device) == ["work red - - 5 -"]) }
    }

    @Test("has the values that each of them set, if they differ", arguments: merging)
    func bothSet(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        try add("work", ["color": "red"], on: a)
        try add("work", ["data": Data([1, 2]), "group": "group"], on: b)
        try await Device.settle(a, b)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try tags(device) == ["work red - 2 5 group"]) }
    }

    @Test(
        "keeps what is set if another device creates it in a new zone, unless records win as a whole",
        arguments: Policy.allCases, [false, true])
    func inNewZone(policy: Policy, isEdited: Bool) async throws {
        let a = try Device("a", on: cloud, policy: policy, model: Self.model())
        a.store.recordConflictResolutionBlock = { server, _, _ in server }
        try add("work", ["color": "red", "made": Date(timeIntervalSince1970: 5)], on: a)
        try await a.store.sync()
        if isEdited {
            try a.edit { context in
                try Device.object("Tag", "work", in: context).setValue("blue", forKey: "color")
            }
        }
        try await RawClient(cloud).deleteZone()
        let b = try Device("b", on: cloud, policy: policy, model: Self.model())
        try add("work", ["rank": 9], on: b)
        try await Device.settle(b, a)
        try await Device.settle(b, a)
        #expect(try tags(a) == tags(b))
        if Self.merging.contains(policy) {
            #expect(try tags(b) == ["work \(isEdited ? "blue" : "red") 5.0 - 9 -"])
        }
    }

    /// What has happened to the record of an object before a new one with its key is sent.
    enum Since: CaseIterable {
        case touched, edited, madeAgain
    }

    @Test(
        "differs from one that was deleted here only in what is different now",
        arguments: Policy.allCases, Since.allCases)
    func replaced(policy: Policy, since: Since) async throws {
        let (a, b) = try await devices(policy)
        try add("work", ["color": "red", "rank": 9], on: a)
        try await Device.settle(a, b)
        try a.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
        try add("work", ["rank": 7], on: a)
        switch since {
        case .touched:
            let client = RawClient(cloud)
            try await client.save(try #require(try await client.records(ofType: "Tag").first))
        case .edited:
            try b.edit { context in
                try Device.object("Tag", "work", in: context).setValue(
                    Data([1, 2]), forKey: "data")
            }
            try await b.store.sync()
        case .madeAgain:
            try b.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
            try await b.store.sync()
            try add("work", ["color": "blue", "rank": 7], on: b)
            try await b.store.sync()
        }
        try await Device.settle(a, b)
        try await Device.settle(a, b)
        let expected =
            switch (since, policy) {
            case (.touched, _), (_, .clientRecordWins): "work - - - 7 -"
            case (.edited, .serverRecordWins), (.edited, .clientTellsWhichWins): "work red - 2 9 -"
            case (.edited, _): "work - - 2 7 -"
            case (.madeAgain, _): "work blue - - 7 -"
            }
        for device in [a, b] { #expect(try tags(device) == [expected]) }
    }

    @Test(
        "is not the object that had that key and has been renamed", arguments: Policy.allCases,
        [false, true])
    func renamed(policy: Policy, renameIsFirst: Bool) async throws {
        let (a, b) = try await devices(policy)
        try add("work", ["color": "red"], on: a)
        try await a.store.sync()
        // A new device without data creates its own "work".
        let c = try Device("c", on: cloud, policy: policy, model: Self.model())
        c.store.recordConflictResolutionBlock = { server, _, _ in server }
        try add("work", ["color": "blue"], on: c)
        try a.edit { context in
            try Device.object("Tag", "work", in: context).setValue("job", forKey: "name")
        }
        if renameIsFirst { try await a.store.sync() }
        for device in [c, a, c, b, a] { try await device.store.sync() }
        let expected = ["job red - - 5 -", "work blue - - 5 -"]
        for device in [a, b, c] {
            let names = try tags(device).map { String($0.prefix { $0 != " " }) }
            if renameIsFirst {
                #expect(try tags(device) == expected, "\(device.name)")
            } else {
                // The first device had the record "work", and the other device's edit applies to
                // it.
                #expect(Set(names).isSubset(of: ["job", "work"]) && names.contains("job"))
            }
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
            #expect(try device.store.checkInvariants() == [])
        }
        #expect(try tags(a) == tags(b))
        #expect(try tags(a) == tags(c))
    }

    @Test("is separate from one renamed to its key on the other device", arguments: Policy.allCases)
    func renamedToTaken(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        try add("work", ["color": "red"], on: a)
        try await Device.settle(a, b)
        try a.edit { context in
            try Device.object("Tag", "work", in: context).setValue("job", forKey: "name")
        }
        try add("job", ["color": "blue"], on: b)
        try await Device.settle(a, b)
        try await Device.settle(a, b)
        // Both objects are kept, because only the app can know which one it wants.
        for device in [a, b] {
            #expect(try tags(device) == ["job blue - - 5 -", "job red - - 5 -"])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "is decided by the app also if it has only now made way for another object's record",
        arguments: [Policy.clientTellsWhichWins, .mergeByPropertyClientTells])
    func madeWay(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        let c = try Device("c", on: cloud, policy: policy, model: Self.model())
        nonisolated(unsafe) var questions = 0
        c.store.recordConflictResolutionBlock = { server, _, _ in
            questions += 1
            return server
        }
        try await c.store.sync()
        for (device, color) in [(a, "red"), (b, "green"), (c, "blue")] {
            try add("home", ["color": color], on: device)
        }
        try a.edit { try Device.object("Tag", "home", in: $0).setValue("fun", forKey: "name") }
        for _ in 1...3 { for device in [a, b, c] { try await device.store.sync() } }
        #expect(questions == 1)
        for device in [a, b, c] {
            #expect(try tags(device) == ["fun red - - 5 -", "home green - - 5 -"])
        }
    }
}
