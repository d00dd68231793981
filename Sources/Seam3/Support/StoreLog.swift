import CloudKit
import CoreData

/// The stores' log messages, which contain no user's values.
enum StoreLog {
    /// See ``SMStore/logger``.
    nonisolated(unsafe) static weak var logger: (any SMLogDelegate)? = SMLogger.shared
    /// See ``SMStore/logsValues``.
    nonisolated(unsafe) static var logsValues = false

    static func debug(_ message: @autoclosure () -> String, _ category: SMLogCategory = .sync) {
        logger?.log(message(), type: .debug, category: category)
    }

    static func info(_ message: @autoclosure () -> String, _ category: SMLogCategory = .sync) {
        logger?.log(message(), type: .info, category: category)
    }

    static func notice(_ message: @autoclosure () -> String, _ category: SMLogCategory = .sync) {
        logger?.log(message(), type: .defaultType, category: category)
    }

    static func error(_ message: @autoclosure () -> String, _ category: SMLogCategory = .sync) {
        logger?.log(message(), type: .error, category: category)
    }

    /// Describes an error. The texts of a server or of SQLite may quote values, so only domains and
    /// codes are logged, unless ``SMStore/logsValues`` is on.
    static func text(_ error: any Error) -> String {
        if logsValues { return "\(error)" }
        switch error {
        case let error as CKError:
            let items = error.partialErrorsByItemID ?? [:]
            guard !items.isEmpty else { return "CKError \(error.code.rawValue)" }
            return "CKError \(error.code.rawValue) with "
                + Set(items.values.map(text)).sorted().joined(separator: ", ")
        case SMStoreError.changesNotAcknowledged(let count, let underlying):
            let cause = underlying.map(text) ?? "no error"
            return "\(count) changes have not been acknowledged by the server: \(cause)"
        case SMStoreError.refusedByServer:
            return "the server refuses a change"
        case SMStoreError.backingStoreCreationFailed(_, let underlying),
            SMStoreError.backingStoreResetFailed(let underlying):
            return "the store's file cannot be used: \(text(underlying))"
        case let error as SMStoreError:
            return error.description
        default:
            let error = error as NSError
            return "\(error.domain) \(error.code)"
        }
    }
}
