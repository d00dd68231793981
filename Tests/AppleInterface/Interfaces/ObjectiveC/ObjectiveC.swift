// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import ObjectiveC

/// The Boolean type of Objective-C.
@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable, CustomStringConvertible {
    public init(_ value: Bool) {}
    public init(booleanLiteral value: Bool) {}
    public var boolValue: Bool { fatalError() }
    public var description: String { fatalError() }
}

public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { fatalError() }

@frozen
public struct Selector: ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
    public init(_ text: String) {}
    public init(stringLiteral value: String) {}
    public var description: String { fatalError() }
}

@frozen public struct NSZone {
    var pointer: OpaquePointer
}

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    fatalError()
}

extension NSObject: Equatable, Hashable {
    public static func == (left: NSObject, right: NSObject) -> Bool { fatalError() }
    @nonobjc public final func hash(into hasher: inout Hasher) {}
    @nonobjc public final var hashValue: Int { fatalError() }
}

extension NSObject: CVarArg {
    public var _cVarArgEncoding: [Int] { fatalError() }
}
