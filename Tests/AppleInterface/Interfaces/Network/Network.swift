// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Network's path monitor as Apple declares it.

@_exported import Dispatch
@_exported import Foundation

@available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 5.0, visionOS 1.0, *)
public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public let status: NWPath.Status
    public let isExpensive: Bool
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
    public var isConstrained: Bool { fatalError() }
}

@available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 5.0, visionOS 1.0, *)
public final class NWPathMonitor: @unchecked Sendable {
    @preconcurrency public final var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { fatalError() }
        set {}
    }
    public final var currentPath: NWPath { fatalError() }
    public final var queue: DispatchQueue? { fatalError() }

    public init() {}

    public final func start(queue: DispatchQueue) {}
    public final func cancel() {}
}
