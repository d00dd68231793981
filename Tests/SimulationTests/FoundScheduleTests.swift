import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules that the simulator has found, as it printed them.
@Suite("A fleet")
struct FoundScheduleTests {
    @Test("in which one device gives a cover away while another takes it leaves no half one-to-one")
    func inverseOfStoreTrump() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(
            .node, "n2", on: 2, ["price": .decimal("3.12345678901234567"), "title": .text("v2")])
        try await fleet.insert(.cover, "c2", on: 2, ["node": .object("n2")])
        try await fleet.insert(.node, "n15", on: 2, ["title": .text("v6")])
        try await fleet.syncAll()
        try await fleet.sync(1)
        try await fleet.hold(
            11, on: 1, trump: .store, follows: true,
            [.set("n2", ["count": .int(12)]), .set("c2", ["node": .none])])
        try await fleet.set("n15", on: 1, ["cover": .object("c2")])
        try await fleet.saveHeld(11, on: 1)
        try await fleet.judge()
    }

    @Test("with two contexts on a device agrees on both ends of a one-to-one")
    func inverseOnBothDevices() async throws {
        let fleet = try Fleet(
            Setting(mode: .clean, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("v2")])
        try await fleet.insert(.leaf, "n3", on: 1, ["memo": .text("v4"), "title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n1")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.hold(
            5, on: 0, trump: .object, follows: false,
            [.set("c1", ["node": .object("n3")]), .set("n3", ["title": .text("")])])
        try await fleet.set("c1", on: 0, ["node": .object("n1")])
        try await fleet.saveHeld(5, on: 0)
        try await fleet.judge()
    }

    @Test("resets a store without duplicating what a distant date names")
    func farDate() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientTellsWhichWins, devices: 1, pageSize: 5,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(
            .event, "e1e+300", on: 0, ["day": .date(1e+300), "text": .text("v9")])
        try await fleet.sync(0)
        try await fleet.resetCloudFields(0)
        try await fleet.judge()
    }

    @Test("keeps what one device has set, even if the other was first")
    func throttledName() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second, harsh: 39, traits: [.throttling]))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun"), "x": .text("v5")])
        try await fleet.sync(1)
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.judge()
    }

    @Test("that saves what was deleted in the meantime gives it a place in its order")
    func orderAfterReinsertion() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientTellsWhichWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n3", on: 0, ["folder": .none, "title": .text("v3")])
        try await fleet.set("n3", on: 0, ["list": .object("l1")])
        try await fleet.hold(
            5, on: 0, trump: .object, follows: false,
            [.insert(.cover, "c16", ["node": .object("n3")])])
        try await fleet.delete("n3", on: 0)
        try await fleet.saveHeld(5, on: 0)
        try await fleet.relaunch(0)
        try await fleet.judge()
    }

    @Test("deletes what a list deletes with it, even if the push breaks off")
    func interruptedCascade() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientTells, devices: 3, pageSize: 200,
                version: .second, harsh: 91, traits: [.interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 2, ["title": .text("v1")])
        try await fleet.insert(.node, "n3", on: 2, ["title": .text("v7")])
        try await fleet.insert(.cover, "c1", on: 2, ["node": .object("n3")])
        try await fleet.set("n3", on: 2, ["list": .object("l1")])
        try await fleet.sync(2)
        try await fleet.delete("l1", on: 2)
        try await fleet.batchInsert(.node, ["n38", "n39"], on: 2, ["title": .text("v30")])
        try await fleet.sync(2)
        try await fleet.judge()
    }

    @Test("keeps a name that was changed after a refused request")
    func refusedRename() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByProperty, devices: 2, pageSize: 200, version: .second,
                harsh: 126, traits: [.throttling, .rejectedRequests]))
        defer { fleet.end() }
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "y": .text("v10")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("twork", on: 1, ["name": .text("job")])
        try await fleet.sync(1)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "y": .text("v11")])
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.judge()
    }

    @Test("has an object once if it is edited elsewhere and saved again after its deletion")
    func savedAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientRecordWins, devices: 3, pageSize: 200, version: .second
            ))
        defer { fleet.end() }
        try await fleet.insert(
            .node, "n3", on: 1, ["count": .int(4), "title": .text("../../important.data")])
        try await fleet.insert(.cover, "c1", on: 1, [:])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.set("c1", on: 2, ["node": .object("n3")])
        try await fleet.hold(
            12, on: 0, trump: .object, follows: false,
            [.insert(.cover, "c23", ["node": .object("n3")])])
        try await fleet.delete("n3", on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.saveHeld(12, on: 0)
        try await fleet.judge()
    }

    @Test("removes a deleted object from what another context has related to it")
    func newReferrer() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientRecordWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 2, ["list": .none, "title": .text("v2")])
        try await fleet.hold(
            15, on: 2, trump: .store, follows: true,
            [.set("n1", ["title": .text("v16")]), .delete("n1")])
        try await fleet.insert(.cover, "c35", on: 2, ["node": .object("n1")])
        try await fleet.saveHeld(15, on: 2)
        try await fleet.judge()
    }

    @Test("lets a deletion stand even if the answer to the insertion was lost")
    func lostInsertion() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second, harsh: 6, traits: [.throttling, .lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n2")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.batchDelete(.cover, ["c2"], on: 0)
        try await fleet.judge()
    }

    @Test("lets a link be removed even if the answer to its insertion was lost")
    func lostLink() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v3")])
        try await fleet.insert(.list, "l20", on: 0, ["title": .text("v11")])
        try await fleet.fail(
            .modifyRecords, of: 1, skip: 0, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.link("l20", "picks", "n2", isThere: true, on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.link("l20", "picks", "n2", isThere: false, on: 0)
        try await fleet.judge()
    }

    @Test("writes both ends if the merge policy overwrites")
    func overwriting() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByProperty, devices: 2))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v3")])
        try await fleet.syncAll()
        try await fleet.hold(
            19, on: 1, trump: .overwrite, follows: false, [.set("n2", ["title": .text("")])])
        try await fleet.insert(.cover, "c31", on: 1, [:])
        try await fleet.set("c31", on: 1, ["node": .object("n2")])
        try await fleet.saveHeld(19, on: 1)
        try await fleet.judge()
    }

    @Test("writes both ends if the merge policy rolls back")
    func rollingBack() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByProperty, devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 0, [:])
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.hold(
            10, on: 0, trump: .rollback, follows: false, [.set("c1", ["node": .object("n3")])])
        try await fleet.set("c1", on: 0, ["title": .text("")])
        try await fleet.saveHeld(10, on: 0)
        try await fleet.judge()
    }

    @Test("keeps what one device has set, even if both have set another value before")
    func commonValue() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientTells, devices: 3, pageSize: 200,
                version: .second, harsh: 52, traits: [.lostAnswers, .rejectedRequests]))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.set("tfun", on: 1, ["x": .text("v9")])
        try await fleet.sync(1)
        try await fleet.insert(.tag, "thome", on: 1, ["name": .text("home"), "x": .text("v13")])
        try await fleet.insert(.tag, "thome", on: 2, ["name": .text("home")])
        try await fleet.syncAll()
        try await fleet.judge()
    }

    @Test("leads links to one of two objects with one natural key, the same on all devices")
    func linkToRenamed() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientTellsWhichWins, devices: 3, pageSize: 200,
                version: .second, harsh: 120, traits: [.throttling, .touchedTargets]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 2, ["title": .text("v3")])
        try await fleet.sync(0)
        try await fleet.sync(0, complete: true)
        try await fleet.insert(.folder, "f15", on: 0, ["title": .text("v6")])
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "y": .text("v9")])
        try await fleet.sync(0)
        try await fleet.set("twork", on: 0, ["name": .text("job")])
        try await fleet.sync(0)
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work")])
        try await fleet.link("n2", "tags", "twork", isThere: true, on: 0)
        try await fleet.sync(0)
        try await fleet.judge()
    }
}
