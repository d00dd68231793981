// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

open class JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
        @available(macOS 10.13, iOS 11.0, watchOS 4.0, tvOS 11.0, *)
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
        @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
    }
    public enum DateEncodingStrategy: Sendable {
        case deferredToDate
        case secondsSince1970
        case millisecondsSince1970
        case iso8601
        case formatted(DateFormatter)
        @preconcurrency case custom(@Sendable (Date, any Encoder) throws -> Void)
    }
    public enum DataEncodingStrategy: Sendable {
        case deferredToData
        case base64
        @preconcurrency case custom(@Sendable (Data, any Encoder) throws -> Void)
    }
    public enum NonConformingFloatEncodingStrategy: Sendable {
        case `throw`
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
    public enum KeyEncodingStrategy: Sendable {
        case useDefaultKeys
        case convertToSnakeCase
        @preconcurrency case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }
    open var outputFormatting: OutputFormatting
    open var dateEncodingStrategy: DateEncodingStrategy
    open var dataEncodingStrategy: DataEncodingStrategy
    open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy
    open var keyEncodingStrategy: KeyEncodingStrategy
    open var userInfo: [CodingUserInfoKey: any Sendable]
    public init() { fatalError() }
    open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
extension JSONEncoder: @unchecked Sendable {}

open class JSONDecoder {
    public enum DateDecodingStrategy: Sendable {
        case deferredToDate
        case secondsSince1970
        case millisecondsSince1970
        case iso8601
        case formatted(DateFormatter)
        @preconcurrency case custom(@Sendable (any Decoder) throws -> Date)
    }
    public enum DataDecodingStrategy: Sendable {
        case deferredToData
        case base64
        @preconcurrency case custom(@Sendable (any Decoder) throws -> Data)
    }
    public enum NonConformingFloatDecodingStrategy: Sendable {
        case `throw`
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
    public enum KeyDecodingStrategy: Sendable {
        case useDefaultKeys
        case convertFromSnakeCase
        @preconcurrency case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }
    open var dateDecodingStrategy: DateDecodingStrategy
    open var dataDecodingStrategy: DataDecodingStrategy
    open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy
    open var keyDecodingStrategy: KeyDecodingStrategy
    open var userInfo: [CodingUserInfoKey: any Sendable]
    public init() { fatalError() }
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}
extension JSONDecoder: @unchecked Sendable {}

open class PropertyListEncoder {
    open var outputFormat: PropertyListSerialization.PropertyListFormat
    open var userInfo: [CodingUserInfoKey: any Sendable]
    public init() { fatalError() }
    open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError() }
}
extension PropertyListEncoder: @unchecked Sendable {}

open class PropertyListDecoder {
    open var userInfo: [CodingUserInfoKey: any Sendable]
    public init() { fatalError() }
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
    open func decode<T: Decodable>(
        _ type: T.Type, from data: Data, format: inout PropertyListSerialization.PropertyListFormat
    ) throws -> T { fatalError() }
}
extension PropertyListDecoder: @unchecked Sendable {}
