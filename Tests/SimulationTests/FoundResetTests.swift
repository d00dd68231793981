import Seam3
import Testing

@testable import Judge

/// Edits that were lost around a reset, after which a device sends everything as new.
@Suite("A fleet with a device that forgets the server") struct FoundResetTests {
    @Test("keeps a value that another device has set meanwhile") func otherValue() async throws {
        let fleet = try Fleet(
            Setting(mode: .versions, policy: .mergeByPropertyClientWins, version: .first))
        defer { fleet.end() }
        try await fleet.upgrade(1, to: .draftIsSynced)
        try await fleet.insert(.node, "n19", on: 0, ["title": .text("v10")])
        try await fleet.catchUp()
        try await fleet.set("n19", on: 1, ["subtitle": .text("v11")])
        try await fleet.sync(1)
        try await fleet.resetCloudFields(0)
        try await fleet.upgrade(0, to: .draftIsSynced)
        try await fleet.judge()
    }

    @Test("keeps nil, where it was set afterward") func clearedValue() async throws {
        let fleet = try Fleet(Setting(mode: .hostile, policy: .mergeByPropertyClientWins))
        defer { fleet.end() }
        try await fleet.insert(.item, "i1", on: 0, ["medium": .int(-5), "title": .text("v7")])
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.leaf, "n2", on: 0, ["title": .text("v4")])
        try await fleet.set("n2", on: 0, ["list": .object("l1")])
        try await fleet.syncAll()
        try await fleet.resetCloudFields(1)
        try await fleet.set("i1", on: 1, ["medium": .none])
        try await fleet.set("n2", on: 1, ["list": .none])
        try await fleet.judge()
    }

    @Test("removes a reference to an object that it deletes then") func released() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .first, harsh: 998360, traits: [.refusedRecords]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("v2")])
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n2")])
        try await fleet.insert(.item, "i2", on: 1, ["large": .int(-4)])
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun"), "y": .text("v5")])
        try await fleet.sync(1)
        try await fleet.resetCloudFields(1)
        try await fleet.delete("n2", on: 1)
        try await fleet.judge()
    }

    @Test("keeps the place of a link that was moved before") func movedLink() async throws {
        let fleet = try Fleet(Setting(mode: .original, policy: .clientRecordWins))
        defer { fleet.end() }
        try await fleet.insert(.list, "l27", on: 1, ["title": .text("v18")])
        for ident in ["n29", "n30", "n31"] {
            try await fleet.insert(.node, ident, on: 1, ["title": .text("title of \(ident)")])
            try await fleet.place(ident, in: "l27", "picks", at: 9, on: 1)
        }
        try await fleet.sync(1)
        try await fleet.place("n31", in: "l27", "picks", at: 1, on: 1)
        try await fleet.resetCloudFields(1)
        try await fleet.judge()
    }
}
