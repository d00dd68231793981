// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

extension String: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSString, result: inout String?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSString, result: inout String?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String {
        fatalError()
    }
}
extension Substring: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSString, result: inout Substring?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSString, result: inout Substring?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> Substring {
        fatalError()
    }
}
extension Array: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSArray { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSArray, result: inout Array?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSArray, result: inout Array?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> Array {
        fatalError()
    }
}
extension Dictionary: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSDictionary, result: inout Dictionary?) {}
    public static func _conditionallyBridgeFromObjectiveC(
        _ x: NSDictionary, result: inout Dictionary?
    ) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Dictionary {
        fatalError()
    }
}
extension Set: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSSet { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSSet, result: inout Set?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSSet, result: inout Set?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSSet?) -> Set {
        fatalError()
    }
}
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension CollectionDifference: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSOrderedCollectionDifference<AnyObject> { fatalError() }
    public static func _forceBridgeFromObjectiveC(
        _ x: NSOrderedCollectionDifference<AnyObject>, result: inout CollectionDifference?
    ) {}
    public static func _conditionallyBridgeFromObjectiveC(
        _ x: NSOrderedCollectionDifference<AnyObject>, result: inout CollectionDifference?
    ) -> Bool { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(
        _ source: NSOrderedCollectionDifference<AnyObject>?
    ) -> CollectionDifference { fatalError() }
}
extension AnyHashable: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSObject { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSObject, result: inout AnyHashable?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSObject, result: inout AnyHashable?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSObject?) -> AnyHashable {
        fatalError()
    }
}
extension Int8: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Int8?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Int8?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int8 {
        fatalError()
    }
}
extension UInt8: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt8?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt8?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> UInt8 {
        fatalError()
    }
}
extension Int16: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Int16?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Int16?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int16 {
        fatalError()
    }
}
extension UInt16: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt16?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt16?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> UInt16 {
        fatalError()
    }
}
extension Int32: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Int32?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Int32?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int32 {
        fatalError()
    }
}
extension UInt32: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt32?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt32?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> UInt32 {
        fatalError()
    }
}
extension Int64: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Int64?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Int64?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int64 {
        fatalError()
    }
}
extension UInt64: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt64?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt64?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> UInt64 {
        fatalError()
    }
}
extension Int: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Int?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Int?) -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int {
        fatalError()
    }
}
extension UInt: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout UInt?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> UInt {
        fatalError()
    }
}
extension Float: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Float?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Float?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Float {
        fatalError()
    }
}
extension Double: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Double?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Double?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Double {
        fatalError()
    }
}
extension Bool: _ObjectiveCBridgeable {
    public init(truncating number: __shared NSNumber) { fatalError() }
    public init?(exactly number: __shared NSNumber) { fatalError() }
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Bool?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Bool?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Bool {
        fatalError()
    }
}

// What is bridged to an object is an argument of a format.
extension String: CVarArg {
    public var _cVarArgEncoding: [Int] { fatalError() }
}
extension Array: CVarArg {
    public var _cVarArgEncoding: [Int] { fatalError() }
}
extension Dictionary: CVarArg {
    public var _cVarArgEncoding: [Int] { fatalError() }
}
extension Set: CVarArg {
    public var _cVarArgEncoding: [Int] { fatalError() }
}
