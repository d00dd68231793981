// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

extension Decimal: Hashable, Comparable, SignedNumeric, Strideable, ExpressibleByFloatLiteral,
    CustomStringConvertible, Codable,
    @unchecked Sendable, _ObjectiveCBridgeable
{
    public typealias RoundingMode = NSDecimalNumber.RoundingMode
    public typealias CalculationError = NSDecimalNumber.CalculationError
    public static var greatestFiniteMagnitude: Decimal { fatalError() }
    public static var leastNormalMagnitude: Decimal { fatalError() }
    public static var leastNonzeroMagnitude: Decimal { fatalError() }
    public static var pi: Decimal { fatalError() }
    public static var nan: Decimal { fatalError() }
    public static var quietNaN: Decimal { fatalError() }
    public static var radix: Int { fatalError() }
    public init(_ value: UInt8) { fatalError() }
    public init(_ value: Int8) { fatalError() }
    public init(_ value: UInt16) { fatalError() }
    public init(_ value: Int16) { fatalError() }
    public init(_ value: UInt32) { fatalError() }
    public init(_ value: Int32) { fatalError() }
    public init(_ value: UInt64) { fatalError() }
    public init(_ value: Int64) { fatalError() }
    public init(_ value: UInt) { fatalError() }
    public init(_ value: Int) { fatalError() }
    public init(_ value: Double) { fatalError() }
    public init?<T: BinaryInteger>(exactly source: T) { fatalError() }
    public init?(string: __shared String, locale: __shared Locale? = nil) { fatalError() }
    public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) { fatalError() }
    public init(floatLiteral value: Double) { fatalError() }
    public init(integerLiteral value: Int) { fatalError() }
    public var sign: FloatingPointSign { fatalError() }
    public var exponent: Int { fatalError() }
    public var significand: Decimal { fatalError() }
    public var isFinite: Bool { fatalError() }
    public var isNaN: Bool { fatalError() }
    public var isZero: Bool { fatalError() }
    public var isSignMinus: Bool { fatalError() }
    public var isNormal: Bool { fatalError() }
    public var magnitude: Decimal { fatalError() }
    public static func + (a: Decimal, b: Decimal) -> Decimal { fatalError() }
    public static func - (a: Decimal, b: Decimal) -> Decimal { fatalError() }
    public static func * (a: Decimal, b: Decimal) -> Decimal { fatalError() }
    public static func / (a: Decimal, b: Decimal) -> Decimal { fatalError() }
    public static func += (a: inout Decimal, b: Decimal) {}
    public static func -= (a: inout Decimal, b: Decimal) {}
    public static func *= (a: inout Decimal, b: Decimal) {}
    public static func /= (a: inout Decimal, b: Decimal) {}
    public mutating func negate() {}
    public static func == (a: Decimal, b: Decimal) -> Bool { fatalError() }
    public static func < (a: Decimal, b: Decimal) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public func distance(to other: Decimal) -> Decimal { fatalError() }
    public func advanced(by n: Decimal) -> Decimal { fatalError() }
    public var description: String { fatalError() }
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
    public func _bridgeToObjectiveC() -> NSDecimalNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSDecimalNumber, result: inout Decimal?) {}
    public static func _conditionallyBridgeFromObjectiveC(
        _ x: NSDecimalNumber, result: inout Decimal?
    ) -> Bool { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDecimalNumber?) -> Decimal {
        fatalError()
    }
}
public func pow(_ x: Decimal, _ y: Int) -> Decimal { fatalError() }

extension NSNumber: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public required convenience init(integerLiteral value: Int) { fatalError() }
    public required convenience init(floatLiteral value: Double) { fatalError() }
    public required convenience init(booleanLiteral value: Bool) { fatalError() }
}
