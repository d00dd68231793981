import CoreData

/// Logging.
extension SMStore {
    /// Receives the messages of all stores. By default they go to the unified log, and on Linux to standard error, except
    /// those of the levels `info` and `debug`. The delegate is held weakly; see ``SMLogDelegate``.
    public static var logger: (any SMLogDelegate)? {
        get { StoreLog.logger }
        set { StoreLog.logger = newValue }
    }

    /// Whether messages to ``logger`` may contain users' values, such as those that a server quotes when it
    /// refuses a record. `false` by default: records are identified by number and errors by code.
    public static var logsValues: Bool {
        get { StoreLog.logsValues }
        set { StoreLog.logsValues = newValue }
    }

    /// Which SQL statements stores log to ``logger``, for files that are opened afterward.
    ///
    ///     SMStore.sqlTrace = .statements
    ///
    /// The initial value is that of the launch argument `-com.apple.CoreData.SQLDebug`.
    public static var sqlTrace: SMSQLTrace {
        get { SQLTrace.requested }
        set { SQLTrace.requested = newValue }
    }
}
