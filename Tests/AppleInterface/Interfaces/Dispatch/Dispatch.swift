// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Dispatch
import ObjectiveC

public struct DispatchTime: Comparable, Sendable {
    public static let distantFuture = DispatchTime(uptimeNanoseconds: 0)
    public static func now() -> DispatchTime { fatalError() }
    public init(uptimeNanoseconds: UInt64) {}
    public var uptimeNanoseconds: UInt64 { fatalError() }
    public static func < (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
    public static func == (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
}

public struct DispatchWallTime: Comparable, Sendable {
    public static let distantFuture = DispatchWallTime.now()
    public static func now() -> DispatchWallTime { fatalError() }
    public static func < (a: DispatchWallTime, b: DispatchWallTime) -> Bool { fatalError() }
    public static func == (a: DispatchWallTime, b: DispatchWallTime) -> Bool { fatalError() }
}

@frozen public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int)
    case milliseconds(Int)
    case microseconds(Int)
    case nanoseconds(Int)
    case never
}

@frozen public enum DispatchTimeoutResult: Sendable {
    case success
    case timedOut
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }
public func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
public func + (time: DispatchWallTime, interval: DispatchTimeInterval) -> DispatchWallTime {
    fatalError()
}
public func + (time: DispatchWallTime, seconds: Double) -> DispatchWallTime { fatalError() }

public struct DispatchQoS: Equatable, Sendable {
    public let qosClass: QoSClass
    public let relativePriority: Int
    public static let background = DispatchQoS(qosClass: .background, relativePriority: 0)
    public static let utility = DispatchQoS(qosClass: .utility, relativePriority: 0)
    public static let `default` = DispatchQoS(qosClass: .default, relativePriority: 0)
    public static let userInitiated = DispatchQoS(qosClass: .userInitiated, relativePriority: 0)
    public static let userInteractive = DispatchQoS(qosClass: .userInteractive, relativePriority: 0)
    public static let unspecified = DispatchQoS(qosClass: .unspecified, relativePriority: 0)
    public enum QoSClass: Sendable {
        case background
        case utility
        case `default`
        case userInitiated
        case userInteractive
        case unspecified
    }
    public init(qosClass: QoSClass, relativePriority: Int) {
        self.qosClass = qosClass
        self.relativePriority = relativePriority
    }
}

public struct DispatchWorkItemFlags: OptionSet, RawRepresentable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let barrier = DispatchWorkItemFlags(rawValue: 1)
    public static let detached = DispatchWorkItemFlags(rawValue: 2)
    public static let enforceQoS = DispatchWorkItemFlags(rawValue: 4)
}

public class DispatchWorkItem {
    public init(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        block: @escaping @convention(block) () -> Void
    ) {}
    public func perform() {}
    public func wait() {}
    public func cancel() {}
    public var isCancelled: Bool { fatalError() }
}

public final class DispatchSpecificKey<T>: Sendable {
    public init() {}
}

extension DispatchQueue {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static let concurrent = Attributes(rawValue: 2)
        public static let initiallyInactive = Attributes(rawValue: 4)
    }
    public enum AutoreleaseFrequency: Sendable {
        case inherit
        case workItem
        case never
    }
    public class var main: DispatchQueue { fatalError() }
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
    public convenience init(
        label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
    ) { fatalError() }
    public var label: String { fatalError() }
    public func sync(execute block: () -> Void) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
    public func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T {
        fatalError()
    }
    public func sync(execute workItem: DispatchWorkItem) {}
    public func async(execute workItem: DispatchWorkItem) {}
    @preconcurrency public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) {}
    @preconcurrency public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) {}
    public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
    @preconcurrency public class func concurrentPerform(
        iterations: Int, execute work: (Int) -> Void
    ) {}
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
}

extension DispatchGroup {
    public convenience init() { fatalError() }
    public func enter() {}
    public func leave() {}
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    @preconcurrency public func notify(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) {}
}

extension DispatchSemaphore {
    public convenience init(value: Int) { fatalError() }
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult { fatalError() }
    @discardableResult public func signal() -> Int { fatalError() }
}

extension DispatchObject {
    public func activate() {}
    public func suspend() {}
    public func resume() {}
    public func setTarget(queue: DispatchQueue?) {}
}

extension DispatchSourceProtocol {
    public typealias DispatchSourceHandler = @convention(block) () -> Void
    public func setEventHandler(handler: DispatchWorkItem) {}
    @preconcurrency public func setEventHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        handler: (@Sendable @convention(block) () -> Void)?
    ) {}
    @preconcurrency public func setCancelHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        handler: (@Sendable @convention(block) () -> Void)?
    ) {}
    public func cancel() {}
    public func resume() {}
    public func suspend() {}
    public func activate() {}
    public var isCancelled: Bool { fatalError() }
    public var data: UInt { fatalError() }
    public var handle: UInt { fatalError() }
}

extension DispatchSourceTimer {
    public func schedule(
        deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {}
    public func schedule(
        deadline: DispatchTime, repeating interval: Double,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {}
}

extension DispatchSource: DispatchSourceProtocol, DispatchSourceTimer, DispatchSourceRead,
    DispatchSourceFileSystemObject,
    DispatchSourceSignal
{
    public struct TimerFlags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let strict = TimerFlags(rawValue: 1)
    }
    public struct FileSystemEvent: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let delete = FileSystemEvent(rawValue: 0x1)
        public static let write = FileSystemEvent(rawValue: 0x2)
        public static let extend = FileSystemEvent(rawValue: 0x4)
        public static let attrib = FileSystemEvent(rawValue: 0x8)
        public static let link = FileSystemEvent(rawValue: 0x10)
        public static let rename = FileSystemEvent(rawValue: 0x20)
        public static let revoke = FileSystemEvent(rawValue: 0x40)
        public static let funlock = FileSystemEvent(rawValue: 0x100)
        public static let all: FileSystemEvent = [
            .delete, .write, .extend, .attrib, .link, .rename, .revoke,
        ]
    }
    public class func makeTimerSource(flags: TimerFlags = [], queue: DispatchQueue? = nil)
        -> any DispatchSourceTimer
    {
        fatalError()
    }
    public class func makeReadSource(
        fileDescriptor: Int32, queue: DispatchQueue? = nil
    ) -> any DispatchSourceRead { fatalError() }
    public class func makeSignalSource(
        signal: Int32, queue: DispatchQueue? = nil
    ) -> any DispatchSourceSignal { fatalError() }
    public class func makeFileSystemObjectSource(
        fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceFileSystemObject { fatalError() }
}

extension DispatchSourceFileSystemObject {
    public var handle: Int32 { fatalError() }
    public var data: DispatchSource.FileSystemEvent { fatalError() }
    public var mask: DispatchSource.FileSystemEvent { fatalError() }
}
