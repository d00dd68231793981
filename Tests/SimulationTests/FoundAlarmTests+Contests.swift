import Judge
import Seam3
import Testing

/// More schedules for which the oracle has demanded more than the documentation promises.
extension FoundAlarmTests {
    @Test("looks for what was saved in its object, whatever that is named now")
    func savedUnderAnotherName() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.calm(true)
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work")])
        try await fleet.sync(1)
        try await fleet.set("twork", on: 1, ["name": .text("job")])
        try await fleet.sync(0)
        try await fleet.resetCloudFields(1)
        try await fleet.hold(
            14, on: 0, trump: .object, follows: true, [.set("twork", ["y": .text("v15")])])
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun"), "y": .text("v20")])
        try await fleet.syncAll()
        try await fleet.hold(
            24, on: 0, trump: .object, follows: false, [.set("tfun", ["name": .text("work")])])
        try await fleet.delete("tfun", on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.saveHeld(24, on: 0)
        try await fleet.saveHeld(14, on: 0)
        try await fleet.judge()
    }

    @Test("does not require that a device knows the deletion of what it sent unanswered")
    func keyWithoutAnswer() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByPropertyClientWins,
                entityPolicies: [.tag: .clientTellsWhichWins], devices: 2, pageSize: 200,
                version: .second, harsh: 900797, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .none])
        try await fleet.insert(.item, "i1", on: 0, ["title": .text("v6")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("i1", on: 1, ["small": .int(32767)])
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "y": .text("v11")])
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.delete("twork", on: 0)
        try await fleet.judge()
    }

    @Test("lets a deletion win against an edit that has lost its destination before")
    func contestLostBefore() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second, harsh: 900647,
                traits: [.lostAnswers, .refusedRecords, .slowAssets, .coalescedPushes]))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n3", on: 0, ["title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.insert(.cover, "c2", on: 0, [:])
        try await fleet.calm(true)
        try await fleet.syncAll()
        try await fleet.set("c1", on: 0, ["node": .object("n3")])
        try await fleet.set("c2", on: 1, ["node": .object("n3")])
        try await fleet.calm(false)
        try await fleet.sync(0)
        try await fleet.batchDelete(.cover, ["c2"], on: 0)
        try await fleet.syncAll()
        try await fleet.judge()
    }

    @Test("lets an unanswered update that was set back count as not arrived")
    func setBackWithOthers() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second, harsh: 751262,
                traits: [.throttling, .brokenConnections, .lostAnswers, .interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["due": .date(6001.5), "title": .text("v5")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n2")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("c1", on: 1, ["node": .object("n1")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.set("c1", on: 0, ["title": .text("v18")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("c1", on: 0, ["node": .object("n2")])
        try await fleet.judge()
    }

    @Test("does not count a reference cleared with one of two copies as an edit")
    func releaseWithCopy() async throws {
        let fleet = try Fleet(
            Setting(mode: .damage, policy: .keepBoth, devices: 3, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n2", on: 1, ["title": .text("v4")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n2")])
        try await fleet.syncAll()
        try await fleet.set("n2", on: 2, ["count": .int(9), "title": .text("v8")])
        try await fleet.sync(2)
        try await fleet.delete("c1", on: 2)
        try await fleet.hold(33, on: 1, trump: .object, follows: true, [.delete("n2")])
        try await fleet.set("n2", on: 1, ["count": .int(39)])
        try await fleet.sync(1)
        try await fleet.saveHeld(33, on: 1)
        try await fleet.judge()
    }
}
