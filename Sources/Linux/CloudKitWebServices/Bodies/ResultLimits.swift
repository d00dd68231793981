extension Optional<Int> {
    /// The limit for a page's items, at most the maximum; nil lets the server decide.
    func limited(to maximum: Int) -> Int? { map { Swift.min($0, maximum) } }
}

extension ZoneChangesRequest {
    /// Limits the result counts of the request and of its zones.
    mutating func limitResults(to maximum: Int) {
        resultsLimit = resultsLimit.limited(to: maximum)
        for index in zones.indices {
            zones[index].resultsLimit = zones[index].resultsLimit.limited(to: maximum)
        }
    }
}
