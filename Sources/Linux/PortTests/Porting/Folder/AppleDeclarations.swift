/// Declarations for Linux of what Apple's module `os` has, as far as models and their tests use it, and of
/// functions that behave differently there.
enum AppleDeclarations {
    /// Linux' function needs a module in the name.
    static let classFromString = """
        func NSClassFromString(_ aClassName: String) -> AnyClass? { _classFromString(aClassName) }
        """

    /// Linux' XCTest requires a timeout.
    static let wait = """
        extension XCTestCase {
            func wait(for expectations: [XCTestExpectation], enforceOrder: Bool = false) {
                wait(for: expectations, timeout: 3600, enforceOrder: enforceOrder)
            }
        }
        """

    /// A lock with a value. `lock()` and `unlock()` are for one without.
    static let unfairLock = """
        public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
            private final class Storage {
                let lock = NSLock()
                var state: State
                init(_ state: State) { self.state = state }
            }

            private let storage: Storage

            public init(initialState: State) { storage = Storage(initialState) }
            public init(uncheckedState: State) { storage = Storage(uncheckedState) }

            public func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
                storage.lock.lock()
                defer { storage.lock.unlock() }
                return try body(&storage.state)
            }

            public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
                try withLock(body)
            }
        }

        extension OSAllocatedUnfairLock where State == Void {
            public init() { self.init(initialState: ()) }
            public func lock() { storage.lock.lock() }
            public func unlock() { storage.lock.unlock() }
            public func withLock<R>(_ body: () throws -> R) rethrows -> R {
                try withLock { _ in try body() }
            }
        }
        """

    /// A log without a reader: the messages are discarded, and their values are not computed.
    static let logging = """
        public struct OSLogType: Sendable {
            public static let `default` = Self(), info = Self(), debug = Self()
            public static let error = Self(), fault = Self()
        }

        public struct OSLog: Sendable {
            public static let `default` = OSLog(), disabled = OSLog()
            private init() {}
            public init(subsystem: String, category: String) {}
        }

        public struct OSLogPrivacy: Sendable {
            public static let `public` = Self(), `private` = Self(), sensitive = Self(), auto = Self()
        }

        public struct OSLogFloatFormatting: Sendable {
            public static let fixed = Self(), hybrid = Self(), exponential = Self()
            public static func fixed(precision: Int) -> Self { Self() }
        }

        public struct OSLogMessage: ExpressibleByStringInterpolation {
            public struct StringInterpolation: StringInterpolationProtocol {
                public init(literalCapacity: Int, interpolationCount: Int) {}
                public func appendLiteral(_ literal: String) {}
                public func appendInterpolation(
                    _ value: @autoclosure () -> Any?, privacy: OSLogPrivacy = .auto
                ) {}
                public func appendInterpolation(
                    _ value: @autoclosure () -> Double, format: OSLogFloatFormatting,
                    privacy: OSLogPrivacy = .auto
                ) {}
            }

            public init(stringLiteral value: String) {}
            public init(stringInterpolation: StringInterpolation) {}
        }

        public struct Logger: Sendable {
            public init() {}
            public init(_ log: OSLog) {}
            public init(subsystem: String, category: String) {}
            public func log(_ message: OSLogMessage) {}
            public func log(level: OSLogType, _ message: OSLogMessage) {}
            public func trace(_ message: OSLogMessage) {}
            public func debug(_ message: OSLogMessage) {}
            public func info(_ message: OSLogMessage) {}
            public func notice(_ message: OSLogMessage) {}
            public func warning(_ message: OSLogMessage) {}
            public func error(_ message: OSLogMessage) {}
            public func critical(_ message: OSLogMessage) {}
            public func fault(_ message: OSLogMessage) {}
        }

        public func os_log(
            _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ values: Any?...
        ) {}
        public func os_log(
            _ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ values: Any?...
        ) {}
        """
}
