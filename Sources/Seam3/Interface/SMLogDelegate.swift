import CoreData

/// How much a message matters, with the levels of the unified log.
public enum SMLogType: Sendable {
    /// The level that the system calls default.
    case defaultType
    /// Helpful, not essential.
    case info
    /// For debugging.
    case debug
    /// An error that the store deals with.
    case error
    /// A defect.
    case fault
}

/// What a message is about, as categories of the unified log.
public enum SMLogCategory: String, CaseIterable, Sendable {
    /// What the store does with its file.
    case store = "SMStore"
    /// The course of synchronisations: passes, pages, batches, errors.
    case sync = "Sync"
    /// How conflicts are resolved.
    case conflicts = "Conflicts"
    /// Accounts and zones: who is signed in, what is lost, what becomes of local data.
    case account = "Account"
    /// The statements that the store runs; see ``SMStore/sqlTrace``.
    case sql = "SQL"
}

/// Takes the messages of the stores; see ``SMStore/logger``.
///
/// Messages come on any thread. A class of the main actor implements the method as `nonisolated`.
@preconcurrency public protocol SMLogDelegate: AnyObject {
    /// Takes a message.
    ///
    /// - Parameters:
    ///   - message: Its text, made only if asked for. It never holds a user's values, unless
    ///     ``SMStore/logsValues`` or ``SMStore/sqlTrace`` ask for them.
    ///   - type: How much it matters.
    func log(_ message: @autoclosure () -> String, type: SMLogType)

    /// Takes a message of a category. Without an implementation of its own a delegate gets the
    /// messages of all categories in ``log(_:type:)``.
    ///
    /// - Parameters:
    ///   - message: Its text, made only if asked for.
    ///   - type: How much it matters.
    ///   - category: What it is about.
    func log(_ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory)
}

extension SMLogDelegate {
    /// Passes the message on to ``log(_:type:)``.
    public func log(
        _ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory
    ) {
        log(message(), type: type)
    }

    /// Takes a message of the level `info`.
    public func info(_ message: @autoclosure () -> String) { log(message(), type: .info) }

    /// Takes a message of the level `debug`.
    public func debug(_ message: @autoclosure () -> String) { log(message(), type: .debug) }

    /// Takes a message of the level `error`.
    public func error(_ message: @autoclosure () -> String) { log(message(), type: .error) }

    /// Takes a message of the level `fault`.
    public func fault(_ message: @autoclosure () -> String) { log(message(), type: .fault) }
}
