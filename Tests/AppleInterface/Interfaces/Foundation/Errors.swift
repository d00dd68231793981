// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

extension NSError: Error {
    @nonobjc public var _domain: String { domain }
    @nonobjc public var _code: Int { code }
    @nonobjc public var _userInfo: AnyObject? { nil }
}

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
    public static var errorDomain: String { fatalError() }
    public var errorCode: Int { fatalError() }
    public var errorUserInfo: [String: Any] { [:] }
}

extension Error {
    public var localizedDescription: String { fatalError() }
}

public protocol _ObjectiveCBridgeableError: Error {
    init?(_bridgedNSError error: __shared NSError)
}

public protocol __BridgedNSError: Error {
    static var _nsErrorDomain: String { get }
}

public protocol _BridgedStoredNSError: __BridgedNSError, _ObjectiveCBridgeableError, CustomNSError,
    Hashable
{
    associatedtype Code: _ErrorCodeProtocol, RawRepresentable where Code.RawValue: FixedWidthInteger
    static var errorDomain: String { get }
    var _nsError: NSError { get }
    init(_nsError error: NSError)
}
extension _BridgedStoredNSError {
    public static var _nsErrorDomain: String { fatalError() }
    public var code: Code { fatalError() }
    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
    public var userInfo: [String: Any] { fatalError() }
    public init?(_bridgedNSError error: __shared NSError) { fatalError() }
    public var errorCode: Int { fatalError() }
    public var errorUserInfo: [String: Any] { fatalError() }
    public static func == (left: Self, right: Self) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
}

public protocol _ErrorCodeProtocol: Equatable {
    associatedtype _ErrorType: _BridgedStoredNSError where _ErrorType.Code == Self
}
extension _ErrorCodeProtocol {
    public static func ~= (match: Self, error: any Error) -> Bool { fatalError() }
}

public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
