import Testing

@testable import Judge

/// Requests for counts, IDs and dictionaries, with predicates and sort descriptors.
@Suite("The judge of requests")
struct ReadingTests {
    /// A device with three items. The number selects their attribute.
    private static func reading(
        _ number: Int, change: (inout Reading) -> Void = { _ in }
    ) async throws -> [String] {
        let fleet = try Fleet()
        defer { fleet.end() }
        for (index, flag) in [false, true, false].enumerated() {
            try await fleet.insert(
                .item, "i\(index)", on: 0, ["flag": .bool(flag), "small": .int(index)])
        }
        let app = fleet.app(0)
        var reading = try App.perform(try app.makeContext()) {
            try Reading(number: number, in: $0)
        }
        change(&reading)
        fleet.judge(reading, of: app)
        return fleet.violations.map(\.rule)
    }

    @Test("accepts every entity and attribute", arguments: 0..<60)
    func accepted(number: Int) async throws {
        #expect(try await Self.reading(number) == [])
    }

    @Test(
        "reads the contents of files, except those longer than the values of the simulator's SQLite"
    )
    func files() async throws {
        let fleet = try Fleet()
        defer { fleet.end() }
        let app = fleet.app(0)
        func names() throws -> Set<String> {
            try fleet.judgeReading(of: app)
            let reading = try App.perform(try app.makeContext()) { try Reading(number: 2, in: $0) }
            return Set(reading.rows.flatMap { $0.filter { $0.value != .none }.keys })
        }
        try await fleet.insert(.node, "n1", on: 0, ["photo": .data(200_000)])
        #expect(try names().contains("photo"))
        let longest = Int(CommitWatch.longestValue)
        for number in 0..<12 {
            try await fleet.insert(.node, "n2\(number)", on: 0, ["photo": .data(longest + 1)])
            try fleet.judgeReading(of: app)
        }
        #expect(fleet.violations.isEmpty, "\(fleet.violations)")
    }

    @Test("objects to a wrong count")
    func count() async throws {
        let rules = try await Self.reading(4) { $0.count += 1 }
        #expect(rules == ["requests disagree"])
    }

    @Test("objects to a missing ID")
    func ids() async throws {
        let rules = try await Self.reading(4) { _ = $0.ids.popFirst() }
        #expect(rules == ["requests disagree"])
    }

    @Test("objects to a dictionary with another value, and to one too few")
    func rows() async throws {
        var rules = try await Self.reading(4) { $0.rows[1]["small"] = .int(9) }
        #expect(rules == ["requests disagree"])
        rules = try await Self.reading(4) { _ = $0.rows.popLast() }
        #expect(rules == ["requests disagree"])
    }

    @Test("objects to a predicate that selects another object, or none")
    func selection() async throws {
        var rules = try await Self.reading(4) { reading in
            reading.selected = reading.ids.subtracting(reading.selected)
        }
        #expect(rules == ["requests disagree"])
        rules = try await Self.reading(4) { $0.selected = [] }
        #expect(rules == ["requests disagree"])
    }

    @Test("objects to a wrong order, and to an object that is sorted twice")
    func order() async throws {
        // The sixth attribute is "small", whose values differ.
        var rules = try await Self.reading(20) { $0.order.reverse() }
        #expect(rules == ["requests disagree"])
        rules = try await Self.reading(20) { $0.order[0] = $0.order[1] }
        #expect(rules == ["requests disagree"])
    }
}
