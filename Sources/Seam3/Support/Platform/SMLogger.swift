import CoreData

#if canImport(os)
import os
#endif

/// The log delegate that stores have at first: the unified log on Apple's systems; elsewhere errors
/// and faults on standard error, and the SQL that a trace asks for.
final class SMLogger: SMLogDelegate, Sendable {
    static let shared = SMLogger()

    func log(_ message: @autoclosure () -> String, type: SMLogType) {
        log(message(), type: type, category: .store)
    }

    #if canImport(os)
    private let loggers: [SMLogCategory: Logger] = Dictionary(
        uniqueKeysWithValues: SMLogCategory.allCases.map { category in
            (category, Logger(subsystem: "Seam3", category: category.rawValue))
        })

    func log(_ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory) {
        guard let logger = loggers[category] else { return }
        let text = message()
        switch type {
        case .defaultType: logger.log("\(text, privacy: .private)")
        case .info: logger.info("\(text, privacy: .private)")
        case .debug: logger.debug("\(text, privacy: .private)")
        case .error: logger.error("\(text, privacy: .private)")
        case .fault: logger.fault("\(text, privacy: .private)")
        }
    }
    #else
    func log(_ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory) {
        // Statements are told only where they were asked for.
        guard type == .error || type == .fault || category == .sql else { return }
        FileHandle.standardError.write(Data("\(category.rawValue): \(message())\n".utf8))
    }
    #endif
}
