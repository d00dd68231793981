import LocalCloud
import Seam3
import Testing

@Suite("After resetCloudFieldsInBackingStore(),") struct ForgottenServerTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    let cloud = LocalCloud.inMemory()

    /// What each device sets in the same object before one of them forgets the server.
    struct Case {
        let policy: Policy
        var own: String?
        var others: String?
        let result: String
    }

    static let cases = [Policy.mergeByProperty, .mergeByPropertyClientWins].flatMap { policy in
        [
            Case(policy: policy, own: "own", result: "own"),
            Case(policy: policy, others: "other", result: "other"),
            Case(
                policy: policy, own: "own", others: "other",
                result: policy == .mergeByProperty ? "other" : "own"),
        ]
    }

    @Test("a value that one device has set beats one that the other has left alone", arguments: cases)
    func unset(row: Case) async throws {
        let device = try Device("a", on: cloud, policy: row.policy)
        let other = try Device("b", on: cloud, policy: row.policy)
        try device.add("Clock", ["label": "one"])
        try await Device.settle(device, other)
        if let note = row.others { try other.change("one", ["note": note]) }
        try await other.store.sync()
        if let note = row.own { try device.change("one", ["note": note]) }
        try device.store.resetCloudFieldsInBackingStore()
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try device.value("note", of: "one") == row.result) }
    }

    @Test("a value that another device has set is kept if this one has edited another property")
    func otherProperty() async throws {
        let device = try Device("a", on: cloud, policy: .mergeByPropertyClientWins)
        let other = try Device("b", on: cloud, policy: .mergeByPropertyClientWins)
        try device.add("Clock", ["label": "one"])
        try await Device.settle(device, other)
        try other.change("one", ["note": "other"])
        try await other.store.sync()
        try device.change("one", ["label": "two"])
        try device.store.resetCloudFieldsInBackingStore()
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try device.value("note", of: "two") == "other") }
    }
}
