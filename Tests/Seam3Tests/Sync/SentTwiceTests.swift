import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A device sends an object twice without a response, and edits it in between. The first request does not arrive.
@Suite("A version that never arrived is not what the server has") struct SentTwiceTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// What the device has done to the object.
    enum Kind: CaseIterable { case insert, update }

    /// Two devices with the clock "home", of which the first has sent a note of nil, in vain, and then another one, whose
    /// response it has lost.
    private static func devices(
        _ policy: Policy, _ kind: Kind
    ) async throws -> (a: Device, b: Device) {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        if kind == .update { try a.add("Clock", ["label": "home", "note": "old"]) }
        try await Device.settle(a, b)
        switch kind {
        case .insert: try a.add("Clock", ["label": "home"])
        case .update: try a.change("home", ["note": nil])
        }
        await a.syncSendingNothing(on: cloud)
        try a.change("home", ["note": "sent"])
        try await a.syncLosingAnswer(on: cloud)
        try await b.store.sync()
        try #require(try b.value("note", of: "home") == "sent")
        return (a, b)
    }

    @Test(
        "when another device sets a property to that version's value", arguments: Policy.allCases,
        Kind.allCases)
    func setBack(policy: Policy, kind: Kind) async throws {
        let (a, b) = try await Self.devices(policy, kind)
        try b.change("home", ["note": nil])
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(
            try b.read {
                try Device.all("Clock", in: $0).map { $0.value(forKey: "note") as? String }
            } == [nil])
    }

    @Test("when another device edits another property", arguments: Kind.allCases)
    func otherProperty(kind: Kind) async throws {
        let (a, b) = try await Self.devices(.mergeByProperty, kind)
        try b.change("home", ["position": 7])
        try await b.store.sync()
        try a.change("home", ["note": nil])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        let clocks = try b.read { context in
            try Device.all("Clock", in: context).map { clock in
                "\(clock.value(forKey: "note") ?? "nil") \(clock.value(forKey: "position") ?? "nil")"
            }
        }
        #expect(clocks == ["nil 7"])
    }
}
