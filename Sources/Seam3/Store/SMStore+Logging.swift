import CoreData

/// What the stores tell of their work.
extension SMStore {
    /// Who is told what the stores do; writes to the system's log at first. See ``SMLogDelegate``.
    public static var logger: (any SMLogDelegate)? {
        get { StoreLog.logger }
        set { StoreLog.logger = newValue }
    }

    /// Whether what the stores tell ``logger`` may hold a user's values, such as those that a server
    /// quotes when it refuses a record. `false` at first: records are told of by their number and
    /// errors by their code.
    public static var logsValues: Bool {
        get { StoreLog.logsValues }
        set { StoreLog.logsValues = newValue }
    }

    /// What each store tells ``logger`` of the SQL that it runs. Counts for the files that are opened
    /// afterwards. At first what the argument `-com.apple.CoreData.SQLDebug` of the process says.
    public static var sqlTrace: SMSQLTrace {
        get { SQLTrace.requested }
        set { SQLTrace.requested = newValue }
    }
}
