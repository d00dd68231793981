import CoreData

#if canImport(os)
import os
#endif

/// The log delegate that stores have at first: the unified log on Apple's systems; elsewhere errors
/// and faults on standard error.
final class SMLogger: SMLogDelegate, Sendable {
    static let shared = SMLogger()

    #if canImport(os)
    private let logger = Logger(subsystem: "Seam3", category: "SMStore")

    func log(_ message: @autoclosure () -> String, type: SMLogType) {
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
    func log(_ message: @autoclosure () -> String, type: SMLogType) {
        guard type == .error || type == .fault else { return }
        FileHandle.standardError.write(Data("SMStore: \(message())\n".utf8))
    }
    #endif
}
