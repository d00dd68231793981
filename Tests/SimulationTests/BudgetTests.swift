import CloudKitService
import Foundation
import Seam3
import Testing

@testable import Judge

/// The budget, with the numbers from a test.
@Suite("The judge's budgets")
struct BudgetTests {
    struct Use: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let counts: Wire.Counts
        let rule: String?

        init(_ name: String, _ rule: String?, _ change: (inout Wire.Counts) -> Void) {
            var counts = Wire.Counts()
            change(&counts)
            testDescription = name
            self.counts = counts
            self.rule = rule
        }
    }

    private static let uses = [
        Use("40 requests", nil) { $0.requests = 40 },
        Use("41 requests", "too many requests") { $0.requests = 41 },
        Use("41 requests, one of them for a second page", nil) {
            $0.requests = 41
            $0.pages = 1
        },
        Use("41 requests, one of which failed", nil) {
            $0.requests = 41
            $0.hadFault = true
        },
        Use("1.5 MB of fields", nil) { $0.largestBatch = 1_500_000 },
        Use("more than 1.5 MB of fields", "batch too large") { $0.largestBatch = 1_500_001 },
        Use("8 MB of files", nil) { $0.largestFiles = 8_000_000 },
        Use("more than 8 MB of files", "batch too large") { $0.largestFiles = 8_000_001 },
    ]

    private static func withFleet(
        _ mode: Mode = .clean, _ body: (Fleet) async throws -> Void
    ) async throws -> [String] {
        let fleet = try Fleet(Setting(mode: mode, devices: 1))
        defer { fleet.end() }
        try await body(fleet)
        return fleet.violations.map(\.rule)
    }

    @Test("count a pass's requests", arguments: uses)
    func pass(use: Use) async throws {
        let rules = try await Self.withFleet { $0.checkBudget($0.app(0), use.counts) }
        #expect(rules == [use.rule].compactMap { $0 })
    }

    @Test(
        "count the bytes of fields and of files separately, in requests with several records"
    )
    func wire() async throws {
        let fleet = try Fleet(Setting(devices: 1))
        defer { fleet.end() }
        for (number, size) in [200_000, 300_000].enumerated() {
            try await fleet.insert(.node, "n\(number)", on: 0, ["photo": .data(size)])
        }
        let app = fleet.app(0)
        _ = fleet.wire.takeCounts(of: app.name)
        try await app.store.sync()
        let counts = fleet.wire.takeCounts(of: app.name)
        #expect(counts.largestFiles == 500_000)
        #expect(counts.largestBatch > 0 && counts.largestBatch < 10_000)
        #expect((2...Budget.requests).contains(counts.requests))
        #expect(counts.modifications > 0 && !counts.hadFault)
    }

    @Test("allow one waiting change for each object")
    func outbox() async throws {
        let rules = try await Self.withFleet { fleet in
            try await fleet.insert(.node, "n1", on: 0, ["title": .text("a")])
            for number in 0..<5 {
                try await fleet.set("n1", on: 0, ["title": .text("\(number)")])
            }
            let app = fleet.app(0)
            #expect(try app.store.syncStatus().pendingChangeCount == 1)
            fleet.checkOutbox(app, waiting: 1)
            #expect(fleet.violations.isEmpty)
            fleet.checkOutbox(app, waiting: 6)
        }
        #expect(rules == ["outbox too long"])
    }

    @Test("allow a waiting deletion for each of several copies, until the server has them")
    func deletedCopies() async throws {
        let rules = try await Self.withFleet { fleet in
            for _ in 0..<2 { try await fleet.save([.insert(.node, "n1")], on: 0) }
            try await fleet.sync(0)
            try await fleet.batchDelete(.node, ["n1"], on: 0)
            let app = fleet.app(0)
            #expect(try app.store.syncStatus().pendingChangeCount == 2)
            fleet.checkOutbox(app, waiting: 2)
            #expect(fleet.violations.isEmpty)
            try await fleet.sync(0)
            #expect(fleet.violations.isEmpty)
            fleet.checkOutbox(app, waiting: 2)
        }
        #expect(rules == ["outbox too long"])
    }

    @Test("allow one waiting change for the objects of one natural key, and for one link")
    func deletedAgain() async throws {
        let rules = try await Self.withFleet { fleet in
            for _ in 0..<2 {
                try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
                try await fleet.delete("thome", on: 0)
            }
            fleet.checkOutbox(fleet.app(0), waiting: 1)
            #expect(fleet.violations.isEmpty)
            fleet.checkOutbox(fleet.app(0), waiting: 2)
        }
        #expect(rules == ["outbox too long"])
        let linkRules = try await Self.withFleet { fleet in
            try await fleet.save([.insert(.node, "n1"), .insert(.node, "n2")], on: 0)
            for isThere in [true, false, true, false] {
                try await fleet.link("n1", "friends", "n2", isThere: isThere, on: 0)
            }
            fleet.checkOutbox(fleet.app(0), waiting: 5)
            #expect(fleet.violations.isEmpty)
            fleet.checkOutbox(fleet.app(0), waiting: 6)
        }
        #expect(linkRules == ["outbox too long"])
    }

    @Test("allow one waiting change for each of two objects that have different natural keys")
    func deletedNamesakes() async throws {
        let rules = try await Self.withFleet { fleet in
            try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
            try await fleet.set("thome", on: 0, ["name": .text("work")])
            try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
            #expect(try fleet.shown(by: fleet.app(0)).objects.count == 2)
            for _ in 0..<2 { try await fleet.delete("thome", on: 0) }
            fleet.checkOutbox(fleet.app(0), waiting: 2)
            #expect(fleet.violations.isEmpty)
            fleet.checkOutbox(fleet.app(0), waiting: 3)
        }
        #expect(rules == ["outbox too long"])
    }

    @Test("allow one waiting change for each link record that another client has written")
    func foreignLinks() async throws {
        let rules = try await Self.withFleet(.hostile) { fleet in
            try await fleet.insert(.node, "n1", on: 0)
            try await fleet.sync(0)
            for _ in 0..<2 { try await fleet.foreign(.linkToNowhere, "n1", "n1") }
            fleet.checkOutbox(fleet.app(0), waiting: 4)
            #expect(fleet.violations.isEmpty)
            fleet.checkOutbox(fleet.app(0), waiting: 5)
        }
        #expect(rules == ["outbox too long"])
    }

    @Test("find a file that no object needs")
    func files() async throws {
        let rules = try await Self.withFleet { fleet in
            try await fleet.insert(.node, "n1", on: 0, ["photo": .data(200_000)])
            let app = fleet.app(0)
            try fleet.checkFiles(app)
            #expect(fleet.violations.isEmpty)
            try Data("x".utf8).write(
                to: app.externalData.appendingPathComponent("\(UUID().uuidString).data"))
            try fleet.checkFiles(app)
        }
        #expect(rules == ["files left over"])
    }

    @Test("find long order keys on a device", arguments: [31, 32])
    func localOrderKeys(length: Int) async throws {
        let rules = try await Self.withFleet { fleet in
            try await fleet.insert(.list, "l1", on: 0)
            try await fleet.insert(.node, "n1", on: 0, ["list": .object("l1")])
            let app = fleet.app(0)
            try fleet.checkOrderKeys(in: app)
            #expect(fleet.violations.isEmpty)
            let key = String(repeating: "V", count: length)
            try RawFile(app.storeURL).execute("UPDATE \"Node\" SET list_order = '\(key)'")
            try fleet.checkOrderKeys(in: app)
        }
        #expect(rules == (length > 31 ? ["order key too long"] : []))
    }

    @Test("find long order keys on the server", arguments: [31, 32], [Mode.clean, .hostile])
    func orderKeys(length: Int, mode: Mode) async throws {
        let rules = try await Self.withFleet(mode) { fleet in
            try await fleet.insert(.list, "l1", on: 0)
            try await fleet.insert(.node, "n1", on: 0, ["list": .object("l1")])
            try await fleet.sync(0)
            let record = try #require(fleet.server.records.values.first { $0.recordType == "Node" })
            let key = String(repeating: "V", count: length)
            _ = try await fleet.cloud.modifyRecords(
                ModifyRecordsRequest(
                    zoneID: ZoneIDDictionary(zoneName: ServerReader.zone),
                    operations: [
                        RecordOperation(
                            .forceUpdate,
                            RecordDictionary(
                                recordName: record.recordName, recordType: "Node",
                                fields: ["list_order": RecordFieldDictionary(.string(key))]))
                    ]), in: fleet.server.context)
            _ = try await fleet.server.read()
            #expect(fleet.server.longestOrderKey == length)
            fleet.checkOrderKeys()
        }
        #expect(rules == (length > 31 && mode == .clean ? ["order key too long"] : []))
    }
}
