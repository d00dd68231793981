import Judge
import Seam3
import Testing

/// Schedules, as printed by the simulator, in which a save was judged more strictly than Core Data's
/// documentation allows.
@Suite("A fleet whose saves meet what others have changed") struct FoundSaveAlarmTests {
    @Test("lets the deletions of an object and its copy wait")
    func deletedCopy() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientTellsWhichWins, entityPolicies: [.node: .keepBoth],
                devices: 2, pageSize: 200, version: .second, harsh: 1_100_940,
                traits: [.interruptions]))
        defer { fleet.end() }
        try await fleet.calm(true)
        try await fleet.insert(.leaf, "n11", on: 1, ["title": .text("v2")])
        try await fleet.calm(false)
        try await fleet.catchUp()
        try await fleet.resetCloudFields(1)
        try await fleet.set("n11", on: 1, ["count": .int(13)])
        try await fleet.sync(1)
        try await fleet.batchDelete(.node, ["n11"], on: 1)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("lets the store's side win if a context gives a tag another tag's name")
    func takenName() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .keepBoth, devices: 1, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.insert(.tag, "t27", on: 0, ["name": .text("27"), "y": .text("v22")])
        try await fleet.hold(
            27, on: 0, trump: .store, follows: false,
            [.set("t27", ["name": .text("fun")]), .insert(.leaf, "n39", ["title": .text("v30")])])
        try await fleet.saveHeld(27, on: 0)
        try await fleet.judge()
    }

    @Test("lets a context that follows keep the nil of a deletion when another destination arrives")
    func releasedReference() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second, harsh: 1_102_667, traits: []))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n3", on: 1, ["title": .text("v6")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .none])
        try await fleet.insert(.node, "n23", on: 0, ["title": .text("v21")])
        try await fleet.catchUp()
        try await fleet.set("c1", on: 1, ["node": .object("n23")])
        try await fleet.delete("n3", on: 1)
        try await fleet.set("n3", on: 0, ["cover": .object("c1")])
        try await fleet.hold(
            58, on: 0, trump: .error, follows: true,
            [.delete("n3"), .set("n3", ["title": .text("")])])
        try await fleet.catchUp()
        try await fleet.saveHeld(58, on: 0)
        try await fleet.judge()
    }

    @Test("lets a reference show again whose destination a context saves after its deletion")
    func returnedDestination() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientWins,
                entityPolicies: [.tag: .mergeByPropertyClientTells], devices: 2, pageSize: 200,
                version: .second, harsh: 1_102_851, traits: []))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["photo": .none, "title": .text("v3")])
        try await fleet.insert(.list, "l18", on: 2, ["title": .text("v9")])
        try await fleet.catchUp()
        try await fleet.place("n1", in: "l18", "nodes", at: 2, on: 2)
        try await fleet.hold(
            16, on: 1, trump: .object, follows: false, [.set("l18", ["title": .text("v17")])])
        try await fleet.delete("l18", on: 1)
        try await fleet.sync(2)
        try await fleet.sync(1)
        try await fleet.saveHeld(16, on: 1)
        try await fleet.judge()
    }

    @Test("lets a tag made again give all its attributes to the tag that has its name now")
    func valuesTaken() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .mergeByPropertyClientTells, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "y": .text("v14")])
        try await fleet.sync(0)
        try await fleet.hold(
            16, on: 0, trump: .object, follows: false, [.set("twork", ["y": .none])])
        try await fleet.delete("twork", on: 0)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "x": .text("v22")])
        try await fleet.saveHeld(16, on: 0)
        try await fleet.judge()
    }

    @Test("lets a new tag give all its attributes to the tag that has its name")
    func valuesOfNewTaken() async throws {
        let fleet = try Fleet(Setting(policy: .mergeByProperty, devices: 1))
        defer { fleet.end() }
        try await fleet.hold(
            16, on: 0, trump: .object, follows: false,
            [.insert(.tag, "twork", ["name": .text("work"), "y": .text("v14")])])
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "x": .text("v22")])
        try await fleet.sync(0)
        try await fleet.saveHeld(16, on: 0)
        try await fleet.judge()
    }

    @Test("lets a reference show again whose destination a context saves beside a copy")
    func returnedCopy() async throws {
        let fleet = try Fleet(
            Setting(mode: .lossy, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("l1", on: 1, ["title": .text("../../important.data")])
        try await fleet.sync(1)
        try await fleet.set("l1", on: 0, ["title": .text("v10")])
        try await fleet.hold(
            17, on: 1, trump: .object, follows: false,
            [.show("c2"), .link("l1", "picks", "n2", isThere: false)])
        try await fleet.place("n2", in: "l1", "nodes", at: 2, on: 0)
        try await fleet.sync(0)
        try await fleet.delete("l1", on: 1)
        try await fleet.sync(1)
        try await fleet.saveHeld(17, on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets a context that follows take the node of a deleted cover from the cover that has it now"
    )
    func releasedOtherEnd() async throws {
        let fleet = try Fleet(
            Setting(mode: .lossy, policy: .keepBoth, devices: 1, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["due": .date(3000.75), "title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n3")])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n2")])
        try await fleet.hold(12, on: 0, trump: .store, follows: true, [.delete("c2")])
        try await fleet.set("n2", on: 0, ["cover": .object("c1")])
        try await fleet.save(
            [
                .delete("c2"), .insert(.list, "l41", ["title": .text("v32")]),
                .set("n3", ["secret": .text("v33")]),
            ], on: 0)
        try await fleet.saveHeld(12, on: 0)
        try await fleet.judge()
    }

    @Test("lets a context save a deleted member of a list beside its copy")
    func copyInOrder() async throws {
        let fleet = try Fleet(Setting(policy: .keepBoth, devices: 2))
        defer { fleet.end() }
        try await fleet.save(
            [
                .insert(.list, "l1"), .insert(.node, "n2", ["list": .object("l1")]),
                .insert(.node, "n3", ["title": .text("a")]),
            ], on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("n3", on: 0, ["list": .object("l1"), "title": .text("b")])
        try await fleet.sync(0)
        try await fleet.set("n3", on: 1, ["list": .object("l1"), "title": .text("c")])
        try await fleet.hold(25, on: 0, [.insert(.cover, "c36", ["node": .object("n3")])])
        try await fleet.delete("n3", on: 0)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.saveHeld(25, on: 0)
        try await fleet.judge()
    }

    @Test("lets a context take a node from its cover without giving it to another one in the end")
    func takenNode() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientTellsWhichWins, devices: 1, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["note": .text("v3"), "title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .none])
        try await fleet.sync(1)
        try await fleet.hold(
            9, on: 2, trump: .rollback, follows: true,
            [.set("c2", ["node": .object("n1")]), .set("c2", ["node": .none])])
        try await fleet.saveHeld(9, on: 2)
        try await fleet.judge()
    }

    @Test("lets the store's side win if a context gives two folders the same code")
    func sameCode() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .keepBoth, devices: 1, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.folder, "f1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.folder, "f2", on: 1, ["title": .text("v2")])
        try await fleet.hold(
            6, on: 1, trump: .store, follows: false,
            [.set("f2", ["code": .text("A")]), .set("f1", ["code": .text("A")])])
        try await fleet.saveHeld(6, on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets a folder become the new one to which its context gives the same code",
        arguments: [Trump.object, .overwrite], [false, true])
    func sameCodeOfNew(trump: Trump, follows: Bool) async throws {
        let fleet = try Fleet(Setting(policy: .keepBoth, devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.folder, "f1", on: 0, ["title": .text("a")])
        try await fleet.hold(
            6, on: 0, trump: trump, follows: follows,
            [
                .set("f1", ["code": .text("A"), "title": .text("c")]),
                .insert(.folder, "f2", ["code": .text("A"), "title": .text("d")]),
            ])
        try await fleet.saveHeld(6, on: 0)
        try await fleet.judge()
    }

    @Test("lets a tag keep its name if the store keeps a deleted one that has the new name")
    func nameOfKept() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work")])
        try await fleet.insert(.tag, "thome", on: 1, ["name": .text("home")])
        try await fleet.catchUp()
        try await fleet.set("twork", on: 1, ["x": .text("v3")])
        try await fleet.sync(0)
        try await fleet.hold(
            2, on: 0, trump: .store, follows: false,
            [.set("thome", ["name": .text("work")]), .delete("twork")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.saveHeld(2, on: 0)
        try await fleet.judge()
    }
}
