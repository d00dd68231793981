import CoreData

/// The severity of a message, as the levels of the unified log.
public enum SMLogType: Sendable {
    /// The system's level "default".
    case defaultType
    /// Helpful, but not essential.
    case info
    /// For debugging.
    case debug
    /// An error that the store handles.
    case error
    /// A defect.
    case fault
}

/// The subject of a message, as categories of the unified log.
public enum SMLogCategory: String, CaseIterable, Sendable {
    /// What the store does with its file.
    case store = "SMStore"
    /// The course of syncs: passes, pages, batches, errors.
    case sync = "Sync"
    /// How conflicts are resolved.
    case conflicts = "Conflicts"
    /// Accounts and zones: who is signed in, what is lost, what happens to local data.
    case account = "Account"
    /// The statements that the store runs; see ``SMStore/sqlTrace``.
    case sql = "SQL"
}

/// Receives the messages of stores; see ``SMStore/logger``.
///
/// The methods are called on any thread, also at the same time. A class of the main actor therefore implements
/// them as `nonisolated`:
///
///     extension AppDelegate: SMLogDelegate {
///         nonisolated func log(_ message: @autoclosure () -> String, type: SMLogType) {
///             if type == .error { print(message()) }
///         }
///     }
@preconcurrency public protocol SMLogDelegate: AnyObject, Sendable {
    /// Receives a message.
    ///
    /// - Parameters:
    ///   - message: The text, created only when it is used. It contains no user's values unless
    ///     ``SMStore/logsValues`` or ``SMStore/sqlTrace`` allow it.
    ///   - type: The severity.
    func log(_ message: @autoclosure () -> String, type: SMLogType)

    /// Receives a message with its category. The default implementation passes it on to ``log(_:type:)``.
    ///
    /// - Parameters:
    ///   - message: The text, created only when it is used.
    ///   - type: The severity.
    ///   - category: The subject.
    func log(_ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory)
}

extension SMLogDelegate {
    /// Passes the message on to ``log(_:type:)``.
    public func log(
        _ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory
    ) {
        log(message(), type: type)
    }

    /// Logs a message of the level `info`.
    public func info(_ message: @autoclosure () -> String) { log(message(), type: .info) }

    /// Logs a message of the level `debug`.
    public func debug(_ message: @autoclosure () -> String) { log(message(), type: .debug) }

    /// Logs a message of the level `error`.
    public func error(_ message: @autoclosure () -> String) { log(message(), type: .error) }

    /// Logs a message of the level `fault`.
    public func fault(_ message: @autoclosure () -> String) { log(message(), type: .fault) }
}
