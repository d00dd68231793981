import CloudKitService
import Seam3
import Testing

@testable import Judge

/// Schedules with natural keys for which the oracle has demanded more than the documentation promises.
extension FoundAlarmTests {
    @Test("does not require a copy of an object with a natural key")
    func noCopy() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home"), "x": .text("v6")])
        try await fleet.set("thome", on: 0, ["name": .text("work")])
        try await fleet.syncAll()
        try await fleet.hold(
            8, on: 1, trump: .object, follows: false,
            [
                .set("thome", ["y": .text("../../important.data")]),
                .set("thome", ["x": .text("v9")]), .insert(.cover, "c20", ["node": .none]),
            ])
        try await fleet.insert(.tag, "thome", on: 1, ["name": .text("home")])
        try await fleet.save(
            [
                .set("c21", ["title": .text("v16")]),
                .insert(.list, "l27", ["title": .text("v18")]), .set("thome", ["x": .text("v19")]),
            ], on: 0)
        try await fleet.saveHeld(8, on: 1)
        try await fleet.judge()
    }

    @Test("lets one of two names be lost if a device renamed what another one was creating")
    func renamedWhileMade() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second, harsh: 20020,
                traits: [.throttling, .brokenConnections, .lostAnswers]))
        defer { fleet.end() }
        try await fleet.syncAll()
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "y": .text("v1")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("twork", on: 1, ["name": .text("job")])
        try await fleet.sync(1)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "x": .text("v2")])
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("knows the values of objects that have become one")
    func becomeOne() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun"), "x": .text("v3")])
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun"), "y": .text("v5")])
        try await fleet.set("tfun", on: 1, ["name": .text("work")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "x": .text("v12")])
        try await fleet.judge()
    }

    @Test("sees which object replaces another because of a constraint")
    func placeTaken() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .serverRecordWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun"), "x": .text("v4")])
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "y": .text("v6")])
        try await fleet.hold(
            15, on: 1, trump: .object, follows: false, [.set("tfun", ["name": .text("work")])])
        try await fleet.delete("tfun", on: 1)
        try await fleet.saveHeld(15, on: 1)
        try await fleet.judge()
    }

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

    @Test("lets a name go with an object that took the record of its new name")
    func recordOfNewName() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .clientRecordWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun")])
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "x": .text("v3")])
        try await fleet.set("twork", on: 0, ["name": .text("fun")])
        try await fleet.insert(.tag, "twork", on: 2, ["name": .text("work")])
        try await fleet.sync(2)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("twork", on: 0, ["name": .text("job")])
        try await fleet.judge()
    }

    @Test(
        "expects one tag if a context has saved it again with another name, and another device has edited it",
        arguments: [false, true])
    func renamedTag(isDeletedAgain: Bool) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n3", on: 0, ["title": .text("v7")])
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.catchUp()
        try await fleet.set("twork", on: 0, ["x": .text("v19")])
        try await fleet.hold(
            20, on: 1, trump: .object, follows: false, [.set("twork", ["name": .text("home")])])
        try await fleet.delete("twork", on: 1)
        try await fleet.sync(0)
        try await fleet.saveHeld(20, on: 1)
        try await fleet.sync(1)
        #expect(fleet.history.shows(1).byIdent["twork"]?.count == 1)
        if isDeletedAgain {
            try await fleet.delete("twork", on: 1)
        } else {
            try await fleet.link("n3", "tags", "twork", isThere: true, on: 1)
        }
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.judge()
    }

    @Test("lets the deletions of two tags wait that had one name at different times")
    func deletedNamesakes() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second, harsh: 1_700_135, traits: [.throttling]))
        defer { fleet.end() }
        try await fleet.calm(true)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.set("twork", on: 0, ["name": .text("job")])
        try await fleet.sync(0)
        try await fleet.calm(false)
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "x": .text("v2")])
        try await fleet.syncAll()
        try await fleet.calm(false)
        try await fleet.delete("twork", on: 1)
        try await fleet.delete("twork", on: 1)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("does not require an object whose record a bad one has taken because of its new key")
    func recordOfNewKey() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientRecordWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 2, ["name": .text("fun"), "x": .text("v1")])
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.sync(2)
        try await fleet.refuseRecord(
            of: "tfun", ServerErrorCode(rawValue: "BAD_REQUEST"), once: false)
        try await fleet.set("tfun", on: 0, ["name": .text("work")])
        try await fleet.insert(.tag, "twork", on: 2, ["name": .text("work")])
        try await fleet.judge()
    }

    @Test("expects two tags if one was saved again under another name, and an edit brings it back")
    func savedAgainAndEdited() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.sync(0)
        try await fleet.hold(
            1, on: 0, trump: .object, follows: false,
            [.set("thome", ["name": .text("fun")]), .set("twork", ["name": .text("fun")])])
        try await fleet.sync(1)
        try await fleet.delete("twork", on: 0)
        try await fleet.set("twork", on: 1, ["x": .text("v4")])
        try await fleet.saveHeld(1, on: 0)
        try await fleet.judge()
    }

    @Test(
        "expects two tags if one was saved again under another name after its deletion was sent",
        arguments: [
            SMSyncConflictResolutionPolicy.clientRecordWins, .keepBoth, .mergeByProperty,
        ])
    func savedAgainAfterSending(policy: SMSyncConflictResolutionPolicy) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: policy, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(
            .tag, "twork", on: 0, ["name": .text("work"), "x": .text("v1")])
        try await fleet.insert(.node, "n1", on: 0)
        try await fleet.link("n1", "tags", "twork", on: 0)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("twork", on: 0, ["x": .text("v2")])
        try await fleet.hold(
            3, on: 1, trump: .overwrite, follows: false, [.set("twork", ["name": .text("fun")])])
        try await fleet.delete("twork", on: 1)
        try await fleet.sync(1)
        try await fleet.saveHeld(3, on: 1)
        try await fleet.judge()
        #expect(fleet.history.shows(0).byIdent["twork"]?.count == 2)
    }

    @Test(
        "expects two tags if one was saved again under another name after another device's deletion"
    )
    func savedAgainAfterForeignDeletion() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .clientRecordWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.catchUp()
        try await fleet.set("twork", on: 0, ["x": .text("v1")])
        try await fleet.hold(
            3, on: 1, trump: .overwrite, follows: false, [.set("twork", ["name": .text("fun")])])
        try await fleet.delete("twork", on: 2)
        try await fleet.sync(2)
        try await fleet.sync(1)
        try await fleet.saveHeld(3, on: 1)
        try await fleet.judge()
        #expect(fleet.history.shows(0).byIdent["twork"]?.count == 2)
    }

    @Test(
        "expects one tag if one was saved again before its deletion was sent, or under its name",
        arguments: [(false, "fun"), (false, "work"), (true, "work")],
        [SMSyncConflictResolutionPolicy.clientRecordWins, .clientTellsWhichWins, .keepBoth])
    func savedAgainAsOne(
        _ way: (isSent: Bool, name: String), policy: SMSyncConflictResolutionPolicy
    ) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: policy, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.catchUp()
        try await fleet.set("twork", on: 0, ["x": .text("v1")])
        try await fleet.hold(
            3, on: 1, trump: .overwrite, follows: false,
            [.set("twork", ["name": .text(way.name), "y": .text("v2")])])
        try await fleet.delete("twork", on: 1)
        if way.isSent { try await fleet.sync(1) }
        try await fleet.saveHeld(3, on: 1)
        try await fleet.judge()
        #expect(fleet.history.shows(0).byIdent["twork"]?.count == 1)
    }

    @Test("lets the name of an object go with another one that it has become, and that was renamed")
    func mergedAndRenamed() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByPropertyClientTells))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "y": .text("v1")])
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.catchUp()
        try await fleet.hold(
            2, on: 1, trump: .object, follows: false,
            [.set("twork", ["y": .text("")]), .set("thome", ["y": .none])])
        try await fleet.saveAndUndo([.set("thome", ["name": .text("work")])], on: 0, syncs: true)
        try await fleet.sync(1)
        try await fleet.saveHeld(2, on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets an object that has taken another one's place lose to an edit of that one",
        arguments: [
            SMSyncConflictResolutionPolicy.serverRecordWins, .clientRecordWins,
            .clientTellsWhichWins, .keepBoth, .mergeByProperty, .mergeByPropertyClientWins,
            .mergeByPropertyClientTells,
        ], [(true, "x"), (false, "x"), (false, "y")])
    func placeOfEdited(
        policy: SMSyncConflictResolutionPolicy, _ way: (isKnown: Bool, name: String)
    ) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: policy, devices: 2, pageSize: 200, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "y": .text("v1")])
        try await fleet.insert(.tag, "thome", on: 1, ["name": .text("home"), "x": .text("v2")])
        if way.isKnown { try await fleet.catchUp() }
        try await fleet.hold(
            4, on: 1, trump: .object, follows: false,
            [.set("thome", ["name": .text("fun")]), .set("twork", ["name": .text("fun")])])
        try await fleet.during(.fetchZoneChanges, of: 1, afterwards: false, .delete("thome", 1))
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("twork", on: 0, [way.name: .text("v6")])
        try await fleet.saveHeld(4, on: 1)
        try await fleet.judge()
        let merges = ![.serverRecordWins, .clientTellsWhichWins].contains(policy)
        #expect(fleet.history.shows(0).byIdent.keys.contains("thome") == merges)
    }
}
