import Logging
import Seam3

/// Passes the messages of stores to swift-log.
final class StoreLogger: SMLogDelegate, Sendable {
    // Stores hold it weakly.
    private static let shared = StoreLogger()

    private let logger: Logger

    private init() {
        var logger = Logger(label: "seam3") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .debug
        self.logger = logger
    }

    /// Starts logging if the user asked for it.
    static func start(_ option: LogOption) {
        guard option.verbose else { return }
        SMStore.logger = shared
        SMStore.sqlTrace = .statements
    }

    func log(_ message: @autoclosure () -> String, type: SMLogType) {
        log(message(), type: type, category: .store)
    }

    func log(_ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory) {
        let level: Logger.Level =
            switch type {
            case .debug: .debug
            case .info: .info
            case .defaultType: .notice
            case .error: .error
            case .fault: .critical
            }
        logger.log(level: level, "\(category.rawValue): \(message())")
    }
}
