/// A request that is measured.
enum RequestKind: String, CaseIterable, Sendable {
    case saveOne = "save of 1 record"
    case saveFifty = "save of 50 records"
    case fetchOne = "fetch of 1 record"
    case fetchFifty = "fetch of 50 records"
    case changes = "page of 50 changes"

    /// Sends one.
    func send(_ client: NoteClient, in zone: NoteZone) async throws {
        switch self {
        case .saveOne: try await client.save(numbers(1, in: zone))
        case .saveFifty: try await client.save(numbers(50, in: zone))
        case .fetchOne: try await client.fetch(numbers(1, in: zone))
        case .fetchFifty: try await client.fetch(numbers(50, in: zone))
        case .changes:
            _ = try await client.changes(since: zone.tokens.randomElement(), limit: 50)
        }
    }

    /// Neighbors anywhere in the zone, which an app usually saves and fetches together.
    private func numbers(_ count: Int, in zone: NoteZone) -> Range<Int> {
        let start = Int.random(in: 0...zone.size - count)
        return start..<start + count
    }
}
