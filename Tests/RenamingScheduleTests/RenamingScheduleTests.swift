import Foundation
import Testing

/// Random schedules that are run twice: with migrations that rename entities and properties, and
/// without. `SEAM3_RENAMING_SEED=A-B` replaces the seeds, see the README.
@Suite("Devices whose model's names change")
struct RenamingScheduleTests {
    @Test(
        "End like devices whose model keeps its names", arguments: SeedCase.compared)
    func renaming(seed: SeedCase) async throws {
        try await seed.check()
    }

    @Test("End alike in two runs without a migration", arguments: SeedCase.controls)
    func control(seed: SeedCase) async throws {
        try await seed.check()
    }
}

/// A seed, and what it is used for.
struct SeedCase: CustomTestStringConvertible, Sendable {
    let seed: UInt64
    let breadth: RenamingSchedule.Breadth
    let kind: RenamingComparison.Kind

    var testDescription: String { "seed \(seed), \(breadth), \(kind)" }

    func check() async throws {
        let schedule = RenamingSchedule(seed: seed, breadth)
        let comparison = RenamingComparison(kind: kind)
        let complaints = try await comparison.complaints(schedule)
        guard !complaints.isEmpty else { return }
        let report = try await comparison.report(schedule, complaints)
        Issue.record("\(testDescription)\n    \(report)")
    }

    // MARK: - The seeds

    private static func cases(
        _ seeds: [UInt64], _ breadth: RenamingSchedule.Breadth,
        _ kind: RenamingComparison.Kind = .firstNames
    ) -> [SeedCase] {
        seeds.map { SeedCase(seed: $0, breadth: breadth, kind: kind) }
    }

    /// Seeds that have found defects, and others.
    private static let fixed =
        cases([28, 103, 235, 258, 272, 388, 396, 461, 515, 527, 641, 689, 10021], .names)
        + cases([60172, 60435, 60450, 70159], .fields)
        + cases([10, 74, 83], .names, .lastNames)
        + cases(Array(32000..<32012), .rich)
        + cases(Array(32012..<32016), .rich, .lastNames)

    static let compared: [SeedCase] =
        requested.map { seeds in
            breadths.flatMap { breadth in
                cases(seeds, breadth, .firstNames) + cases(seeds, breadth, .lastNames)
            }
        } ?? fixed

    static let controls: [SeedCase] =
        requested.map { seeds in
            breadths.flatMap { cases(seeds, $0, .withoutMigrations) }
        } ?? cases([1003, 1021, 1058, 2053], .names, .withoutMigrations)
        + cases([32000, 32001], .rich, .withoutMigrations)

    /// The breadth from `SEAM3_RENAMING_BREADTH`, or all.
    private static let breadths: [RenamingSchedule.Breadth] = {
        let text = ProcessInfo.processInfo.environment["SEAM3_RENAMING_BREADTH"]
        let breadth = text.flatMap { RenamingSchedule.Breadth(rawValue: $0) }
        return breadth.map { [$0] } ?? RenamingSchedule.Breadth.allCases
    }()

    /// The seeds from `SEAM3_RENAMING_SEED`: a number, or the first and the last one.
    private static let requested: [UInt64]? = {
        let text = ProcessInfo.processInfo.environment["SEAM3_RENAMING_SEED"]
        let bounds = text?.split(separator: "-").compactMap { UInt64($0) } ?? []
        guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
        return Array(first...last)
    }()
}
