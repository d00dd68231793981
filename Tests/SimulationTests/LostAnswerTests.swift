import CloudKitService
import Seam3
import Testing

@testable import Judge

/// Which edits count as sent without a response.
@Suite("The judge of lost responses") struct LostAnswerTests {
    private static func fleet(_ setting: Setting = Setting(mode: .lossy)) async throws -> Fleet {
        let fleet = try Fleet(setting)
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("a"), "count": .int(1)])
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("a")])
        for _ in 0..<2 { try await fleet.syncAll() }
        try await fleet.set("n1", on: 0, ["title": .text("b")])
        return fleet
    }

    private static func edit(_ ident: String, _ fleet: Fleet) throws -> History.Edit {
        try #require(fleet.history.edits(of: ident).last)
    }

    private static func lose(_ fleet: Fleet, isDone: Bool = true) async throws {
        try await fleet.fail(
            .modifyRecords, of: 0, skip: 0, times: 1, done: isDone, .serverResponseLost,
            retryAfter: nil)
    }

    @Test(
        "counts a request without a response if the server has executed it",
        arguments: [true, false])
    func lostResponse(isDone: Bool) async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        try await Self.lose(fleet, isDone: isDone)
        try await fleet.sync(0)
        let edit = try Self.edit("n1", fleet)
        #expect(edit.mayLackAnswer == isDone)
    }

    @Test(
        "counts a request after whose response its device could not learn who is signed in",
        arguments: [1, 2])
    func unconfirmed(skip: Int) async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        // A pass asks when it begins, after the page of changes, and after the response.
        try await fleet.fail(.fetchCaller, of: 0, skip: skip, times: 1, done: false)
        try await fleet.sync(0)
        let edit = try Self.edit("n1", fleet)
        #expect(edit.mayLackAnswer == (skip == 2))
        #expect(try fleet.app(0).store.syncStatus().pendingChangeCount == 1)
    }

    @Test("counts no request whose pass has failed otherwise")
    func failedPull() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        try await fleet.fail(
            .fetchZoneChanges, of: 0, skip: 0, times: 1, done: true, .serverResponseLost,
            retryAfter: nil)
        try await fleet.sync(0)
        let edit = try Self.edit("n1", fleet)
        #expect(edit.firstAttempt != nil && edit.answer == nil)
        #expect(!edit.mayLackAnswer)
    }
}
