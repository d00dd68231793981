import CoreData

#if canImport(os)
import os
#endif

/// The default log delegate: the unified log on Apple's systems. Elsewhere it prints to standard error what the console
/// of Xcode would show at least: notices, errors, faults and traced SQL.
final class SMLogger: SMLogDelegate, Sendable {
    static let shared = SMLogger()

    func log(_ message: @autoclosure () -> String, type: SMLogType) {
        log(message(), type: type, category: .store)
    }

    /// Whether the messages of a category may contain a user's values: those of SQL may, and all
    /// others if the app has requested it.
    static func mayHoldValues(_ category: SMLogCategory) -> Bool {
        category == .sql || StoreLog.logsValues
    }

    #if canImport(os)
    private let loggers: [SMLogCategory: Logger] = Dictionary(
        uniqueKeysWithValues: SMLogCategory.allCases.map { category in
            (category, Logger(subsystem: "Seam3", category: category.rawValue))
        })

    func log(_ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory) {
        guard let logger = loggers[category] else { return }
        let text = message()
        // The system shows private text only on devices that are configured for it.
        if Self.mayHoldValues(category) {
            logger.log(level: Self.level(type), "\(text, privacy: .private)")
        } else {
            logger.log(level: Self.level(type), "\(text, privacy: .public)")
        }
    }

    private static func level(_ type: SMLogType) -> OSLogType {
        switch type {
        case .defaultType: return .default
        case .info: return .info
        case .debug: return .debug
        case .error: return .error
        case .fault: return .fault
        }
    }
    #else
    func log(_ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory) {
        // A notice is mostly about a developer's mistake. Statements are logged only on request.
        guard [.defaultType, .error, .fault].contains(type) || category == .sql else { return }
        FileHandle.standardError.write(Data("\(category.rawValue): \(message())\n".utf8))
    }
    #endif
}
