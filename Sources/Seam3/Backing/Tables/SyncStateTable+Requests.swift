import CoreData

/// The requests that have reached the server.
extension SyncStateTable {
    /// Assigns a number to a request that changes the zone.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The request's number, and the log that the zone is to keep.
    func takeRequest(at now: Date) throws -> (number: Int64, log: RequestLog) {
        var log = try requestLog()
        let known = try database.connection.firstRow(
            "SELECT device, last_request FROM sm_sync"
        ) { ($0.value(at: 0).text, $0.integer(at: 1)) }
        let device = known?.0 ?? String(UUID().uuidString.filter(\.isHexDigit).prefix(16))
        let milliseconds = Int64(exactly: (now.timeIntervalSince1970 * 1000).rounded()) ?? 0
        let last = max(known?.1 ?? 0, log.numbers.values.max() ?? 0)
        let number = max(milliseconds, last + 1)
        try database.connection.execute(
            "UPDATE sm_sync SET device = ?, last_request = ?", [.text(device), .integer(number)])
        log.note(number, of: device)
        return (number, log)
    }

    /// Whether a request of this device was carried out, as the zone's log says; nil if it does not
    /// decide it.
    func hasArrived(_ request: Int64) throws -> Bool? {
        let device = try database.connection.firstRow("SELECT device FROM sm_sync") {
            $0.value(at: 0).text
        }
        guard let device = device ?? nil else { return nil }
        return try requestLog().hasRequest(request, of: device)
    }

    /// Merges the zone's log of requests into the known one.
    func noteRequests(_ received: RequestLog) throws {
        var log = try requestLog()
        log.add(received)
        try database.connection.execute(
            "UPDATE sm_sync SET request_log = ?", [.blob(log.encoded)])
    }

    /// The last known log of requests.
    func requestLog() throws -> RequestLog {
        let data = try database.connection.firstRow("SELECT request_log FROM sm_sync") {
            $0.value(at: 0).blob
        }
        return (data ?? nil).map(RequestLog.init(encoded:)) ?? RequestLog()
    }
}
