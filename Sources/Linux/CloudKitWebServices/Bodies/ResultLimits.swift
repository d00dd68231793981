extension Optional<Int> {
    /// The limit of a page's items, or a smaller one if it is above the maximum. Without a limit the
    /// server decides.
    func limited(to maximum: Int) -> Int? { map { Swift.min($0, maximum) } }
}

extension ZoneChangesRequest {
    /// Lowers the limits of the request and of its zones to a maximum.
    mutating func limitResults(to maximum: Int) {
        resultsLimit = resultsLimit.limited(to: maximum)
        for index in zones.indices {
            zones[index].resultsLimit = zones[index].resultsLimit.limited(to: maximum)
        }
    }
}
