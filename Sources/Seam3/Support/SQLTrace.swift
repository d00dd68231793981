import CoreData

/// Logs the statements that a connection runs.
enum SQLTrace {
    /// See ``SMStore/sqlTrace``.
    nonisolated(unsafe) static var requested = SMSQLTrace.standard

    /// Starts the currently requested trace.
    static func start(on connection: SQLiteConnection) {
        let trace = requested
        guard trace != .off else { return }
        connection.profile = { profile in
            StoreLog.logger?.log(
                message(profile, withValues: trace == .statementsAndValues), type: .debug,
                category: .sql)
        }
    }

    private static func message(
        _ profile: SQLiteConnection.StatementProfile, withValues: Bool
    ) -> String {
        let milliseconds = String(format: "%.3f", profile.duration * 1000)
        let rows = profile.rowCount == 1 ? "1 row" : "\(profile.rowCount) rows"
        let failure = profile.error == nil ? "" : ", failed"
        let text = withValues ? profile.sqlWithValues : profile.sql
        return "\(milliseconds) ms, \(rows)\(failure): \(text)"
    }
}
