import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A device sends an object and loses the response. Another device fetches the object and
/// continues. The values that were sent are the common ancestor.
@Suite("A save whose answer is lost is the ancestor of what comes back") struct LostAnswerTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// The values that the first device has sent.
    enum Sent: String, CaseIterable { case insert, update }
    /// The later edit on the first device.
    enum Since: String, CaseIterable { case nothing, anotherProperty, sameProperty }
    /// The other device's change.
    enum Theirs: String, CaseIterable { case anotherProperty, sameProperty, deletion }

    /// The values of a clock.
    private struct Values: Hashable, Comparable, CustomStringConvertible {
        var note = "sent"
        var position = 1
        var hasDate = false

        var description: String { "\(note) \(position)\(hasDate ? " date" : "")" }

        static func < (left: Self, right: Self) -> Bool { left.description < right.description }
    }

    private static let sent = Values()

    private static func local(_ since: Since) -> Values {
        switch since {
        case .nothing: return sent
        case .anotherProperty: return Values(hasDate: true)
        case .sameProperty: return Values(note: "later")
        }
    }

    private static func server(_ theirs: Theirs) -> Values? {
        switch theirs {
        case .anotherProperty: return Values(position: 2)
        case .sameProperty: return Values(note: "by b")
        case .deletion: return nil
        }
    }

    /// The expected result according to the table of policies. The block returns the server's
    /// record.
    private static func expected(
        _ policy: Policy, _ sent: Sent, _ since: Since, _ theirs: Theirs
    ) -> [Values] {
        let local = local(since)
        guard let server = server(theirs) else {
            // A deletion tells that the object was inserted, and not what else it knew.
            let isKnown = since == .nothing && sent == .insert
            return isKnown || policy == .serverRecordWins ? [] : [local]
        }
        if since == .nothing { return [server] }
        switch policy {
        case .serverRecordWins, .clientTellsWhichWins: return [server]
        case .clientRecordWins: return [local]
        case .keepBoth: return [local, server].sorted()
        case .mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells:
            let ancestor = Self.sent
            func merged<Value: Equatable>(_ key: KeyPath<Values, Value>) -> Value {
                if local[keyPath: key] == ancestor[keyPath: key] { return server[keyPath: key] }
                if server[keyPath: key] == ancestor[keyPath: key] { return local[keyPath: key] }
                return policy == .mergeByPropertyClientWins
                    ? local[keyPath: key] : server[keyPath: key]
            }
            return [
                Values(
                    note: merged(\.note), position: merged(\.position), hasDate: merged(\.hasDate))
            ]
        }
    }

    private static func values(on device: Device) throws -> [Values] {
        try device.read { context in
            try Device.all("Clock", in: context).map { clock in
                Values(
                    note: clock.value(forKey: "note") as? String ?? "-",
                    position: clock.value(forKey: "position") as? Int ?? 0,
                    hasDate: clock.value(forKey: "created") != nil)
            }.sorted()
        }
    }

    private static func devices(
        _ policy: Policy, on cloud: LocalCloud
    ) throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        return (a, b)
    }

    /// Makes the first device send the clock "home" with the given values, and lose the response.
    private static func send(
        _ sent: Sent, _ loss: LostAnswer, from a: Device, to b: Device, on cloud: LocalCloud
    ) async throws {
        if sent == .update {
            try a.add("Clock", ["label": "home", "note": "old", "position": 1])
        }
        try await Device.settle(a, b)
        switch sent {
        case .insert: try a.add("Clock", ["label": "home", "note": "sent", "position": 1])
        case .update: try a.change("home", ["note": "sent"])
        }
        try await a.syncLosingAnswer(loss, on: cloud)
        try #require(try a.store.syncStatus().pendingChangeCount == 1)
        try await b.store.sync()
        try #require(try b.value("note", of: "home") == "sent")
    }

    @Test("by each policy", arguments: Policy.allCases, LostAnswer.allCases)
    func matrix(policy: Policy, loss: LostAnswer) async throws {
        for sent in Sent.allCases {
            for since in Since.allCases {
                for theirs in Theirs.allCases {
                    try await check(policy, loss, sent, since, theirs)
                }
            }
        }
    }

    private func check(
        _ policy: Policy, _ loss: LostAnswer, _ sent: Sent, _ since: Since, _ theirs: Theirs
    ) async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try Self.devices(policy, on: cloud)
        try await Self.send(sent, loss, from: a, to: b, on: cloud)
        let comment = "\(policy), \(sent), \(loss), since: \(since), theirs: \(theirs)"
        let block: SMStore.SMStoreConflictResolutionBlock = { server, _, ancestor in
            let note: String? = ancestor["note"]
            #expect(note == "sent", "\(comment)")
            return server
        }
        for device in [a, b] { device.store.recordConflictResolutionBlock = block }
        switch since {
        case .nothing: break
        case .anotherProperty:
            try a.change("home", ["created": Date(timeIntervalSince1970: 0)])
        case .sameProperty: try a.change("home", ["note": "later"])
        }
        switch theirs {
        case .anotherProperty: try b.change("home", ["position": 2])
        case .sameProperty: try b.change("home", ["note": "by b"])
        case .deletion: try b.delete("home")
        }
        try await b.store.sync()
        let summary = try await a.store.sync()
        if since == .nothing, theirs != .deletion {
            #expect(summary.conflictCount == 0, "\(comment)")
        }
        try await Device.settle(b, a)
        let expected = Self.expected(policy, sent, since, theirs)
        for device in [a, b] {
            #expect(try Self.values(on: device) == expected, "\(device.name): \(comment)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
        #expect(try await RawClient(cloud).records().count == expected.count, "\(comment)")
    }

    // MARK: - Properties

    /// Each kind of property in an object's record, with the value that the first device sends and
    /// the one that the other device sets.
    static let properties: [String] = [
        "note", "created", "position", "uuid", "chime", "folder",
    ]

    private static func value(_ key: String, _ number: Int) -> Any {
        switch key {
        case "note", "folder": return "\(number)"
        case "created": return Date(timeIntervalSince1970: Double(number) + 0.123456)
        case "position": return number
        case "uuid":
            return UUID(uuid: (UInt8(number), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        default: return Data(repeating: UInt8(number), count: 300)
        }
    }

    private static func set(_ key: String, _ number: Int, on device: Device) throws {
        if key == "folder" {
            try device.relate("home", "folder", to: "\(number)")
        } else {
            try device.change("home", [key: value(key, number)])
        }
    }

    private static func text(_ key: String, on device: Device) throws -> String {
        try device.read { context in
            let value = try Device.all("Clock", in: context).first?.value(forKey: key)
            if let folder = value as? NSManagedObject {
                return folder.value(forKey: "name") as? String ?? "-"
            }
            if let date = value as? Date { return "\(Int(date.timeIntervalSince1970))" }
            if let data = value as? Data { return "\(data.first ?? 0)" }
            if let uuid = value as? UUID { return "\(uuid.uuid.0)" }
            return value.map { "\($0)" } ?? "nil"
        }
    }

    @Test(
        "so that what the other device sets then is kept, with later edits",
        arguments: properties, LostAnswer.allCases)
    func property(key: String, loss: LostAnswer) async throws {
        for policy in [Policy.mergeByProperty, .mergeByPropertyClientWins] {
            for sent in Sent.allCases {
                let cloud = LocalCloud.inMemory()
                let (a, b) = try Self.devices(policy, on: cloud)
                for name in ["1", "2"] { try a.add("Folder", ["name": name]) }
                if sent == .update { try a.add("Clock", ["label": "home"]) }
                try await Device.settle(a, b)
                if sent == .insert { try a.add("Clock", ["label": "home"]) }
                try Self.set(key, 1, on: a)
                try await a.syncLosingAnswer(loss, on: cloud)
                try await b.store.sync()
                try Self.set(key, 2, on: b)
                try await b.store.sync()
                try a.change("home", ["label": "edited since"])
                try await Device.settle(a, b)
                for device in [a, b] {
                    #expect(try Self.text(key, on: device) == "2", "\(policy), \(sent)")
                    #expect(try Self.text("label", on: device) == "edited since")
                    #expect(try device.count("Clock") == 1)
                }
                try expectAgreement(a, b)
            }
        }
    }

    // MARK: - More than one request

    @Test(
        "also if what was sent has been taken back since", arguments: Policy.allCases,
        LostAnswer.allCases)
    func takenBack(policy: Policy, loss: LostAnswer) async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try Self.devices(policy, on: cloud)
        try await Self.send(.update, loss, from: a, to: b, on: cloud)
        try a.change("home", ["note": "old"])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.value("note", of: "home") == "old")
        #expect(try b.count("Clock") == 1)
    }

    @Test(
        "and nothing keeps the object if what was sent has been taken back since and the other device deletes it",
        arguments: Policy.allCases, LostAnswer.allCases)
    func takenBackAndDeleted(policy: Policy, loss: LostAnswer) async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try Self.devices(policy, on: cloud)
        try await Self.send(.update, loss, from: a, to: b, on: cloud)
        try a.change("home", ["note": "old"])
        try b.delete("home")
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try Self.values(on: b).isEmpty)
    }

    @Test("also if what was sent is taken back and the other device edits another property")
    func takenBackAndMerged() async throws {
        for policy in [Policy.mergeByProperty, .mergeByPropertyClientWins] {
            let cloud = LocalCloud.inMemory()
            let (a, b) = try Self.devices(policy, on: cloud)
            try await Self.send(.update, .connectionBreaks, from: a, to: b, on: cloud)
            try a.change("home", ["note": "old"])
            try b.change("home", ["position": 2])
            try await b.store.sync()
            try await Device.settle(a, b)
            try expectAgreement(a, b)
            #expect(try Self.values(on: b) == [Values(note: "old", position: 2)])
        }
    }

    @Test(
        "also of a deletion: a value that the other device has set back contests it",
        arguments: [Policy.mergeByProperty, .mergeByPropertyClientWins])
    func setBack(policy: Policy) async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try Self.devices(policy, on: cloud)
        try await Self.send(.update, .connectionBreaks, from: a, to: b, on: cloud)
        try b.change("home", ["note": "old"])
        try await b.store.sync()
        try a.delete("home")
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try Self.values(on: b) == [Values(note: "old")])
    }

    @Test(
        "also when the other device sets back what was sent, whatever others have sent since",
        arguments: Policy.allCases)
    func setBackWhileWaiting(policy: Policy) async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try Self.devices(policy, on: cloud)
        try await Self.send(.update, .connectionBreaks, from: a, to: b, on: cloud)
        try b.change("home", ["note": "old"])
        try await b.store.sync()
        let c = try Device("c", on: cloud, policy: policy)
        try c.add("Clock", ["label": "unrelated"])
        try await c.store.sync()
        try c.delete("unrelated")
        try await Device.settle(c, b, a)
        try expectAgreement(a, b)
        #expect(try Self.values(on: b) == [Values(note: "old")])
    }

    /// Two devices that both have the clock "home", of which the first has tried to send a note, which did not
    /// arrive.
    private static func devicesWithUnsentNote(_ policy: Policy) async throws -> (Device, Device) {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try devices(policy, on: cloud)
        try a.add("Clock", ["label": "home", "note": "old", "position": 1])
        try await Device.settle(a, b)
        try a.change("home", ["note": "sent"])
        await a.syncSendingNothing(on: cloud)
        return (a, b)
    }

    @Test(
        "and what did not arrive contests another device's edit of the same property",
        arguments: [
            (Policy.serverRecordWins, ["theirs"]), (.clientRecordWins, ["sent"]),
            (.keepBoth, ["sent", "theirs"]), (.mergeByProperty, ["theirs"]),
            (.mergeByPropertyClientWins, ["sent"]),
        ])
    func contested(policy: Policy, notes: [String]) async throws {
        let (a, b) = try await Self.devicesWithUnsentNote(policy)
        try b.change("home", ["note": "theirs"])
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try Self.values(on: b).map(\.note) == notes)
    }

    @Test(
        "also if the device has deleted another object since", arguments: Policy.allCases,
        ["theirs", "old"])
    func deletedSince(policy: Policy, note: String) async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try Self.devices(policy, on: cloud)
        try a.add("Clock", ["label": "home", "note": "old", "position": 1])
        try a.add("Clock", ["label": "work"])
        try await Device.settle(a, b)
        try a.change("home", ["note": "sent"])
        try a.delete("work")
        // Deletions have a request of their own, which is answered.
        try await a.syncLosingAnswer(on: cloud)
        try await b.store.sync()
        try b.change("home", ["note": note])
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try Self.values(on: b).map(\.note) == [note])
    }

    @Test(
        "and what did not arrive is an edit, though the record has another version since",
        arguments: Policy.allCases)
    func touchedWhileWaiting(policy: Policy) async throws {
        let (a, b) = try await Self.devicesWithUnsentNote(policy)
        for note in ["for a moment", "old"] {
            try b.change("home", ["note": note])
            try await b.store.sync()
        }
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try Self.values(on: b) == [Values(note: "sent")])
    }

    @Test(
        "the last one if several have arrived",
        arguments: [Policy.mergeByProperty, .mergeByPropertyClientWins], [false, true])
    func several(policy: Policy, lastArrives: Bool) async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try Self.devices(policy, on: cloud)
        try await Self.send(.update, .connectionBreaks, from: a, to: b, on: cloud)
        try a.change("home", ["note": "second"])
        if lastArrives {
            try await a.syncLosingAnswer(on: cloud)
        } else {
            await a.syncSendingNothing(on: cloud)
        }
        try await b.store.sync()
        try b.change("home", ["position": 2])
        try await b.store.sync()
        try a.change("home", ["note": "third"])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try Self.values(on: b) == [Values(note: "third", position: 2)])
    }
}
