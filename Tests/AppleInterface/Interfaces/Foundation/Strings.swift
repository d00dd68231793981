// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

extension String {
    public struct Encoding: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let ascii = Encoding(rawValue: 1)
        public static let utf8 = Encoding(rawValue: 4)
        public static let isoLatin1 = Encoding(rawValue: 5)
        public static let unicode = Encoding(rawValue: 10)
        public static let utf16 = Encoding(rawValue: 10)
        public static let utf16LittleEndian = Encoding(rawValue: 0x9400_0100)
        public static let utf16BigEndian = Encoding(rawValue: 0x9000_0100)
    }
    public typealias CompareOptions = NSString.CompareOptions
    public init?(data: __shared Data, encoding: Encoding) { fatalError() }
    public init?<S: Sequence>(bytes: __shared S, encoding: Encoding) where S.Element == UInt8 {
        fatalError()
    }
    public init(contentsOf url: __shared URL, encoding enc: Encoding) throws { fatalError() }
    public init(contentsOf url: __shared URL) throws { fatalError() }
    public init(contentsOfFile path: __shared String, encoding enc: Encoding) throws {
        fatalError()
    }
    public init(contentsOfFile path: __shared String) throws { fatalError() }
    public init?(utf8String bytes: UnsafePointer<CChar>) { fatalError() }
    public init(format: __shared String, _ arguments: any CVarArg...) { fatalError() }
    public init(format: __shared String, arguments: __shared [any CVarArg]) { fatalError() }
    public init(format: __shared String, locale: __shared Locale?, _ args: any CVarArg...) {
        fatalError()
    }
}

extension StringProtocol {
    public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { fatalError() }
    public func components(separatedBy separator: CharacterSet) -> [String] { fatalError() }
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
    public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
    public func range<T: StringProtocol>(
        of searchString: T, options mask: String.CompareOptions = [],
        range searchRange: Range<Index>? = nil,
        locale: Locale? = nil
    ) -> Range<Index>? { fatalError() }
    public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
        of target: Target, with replacement: Replacement, options: String.CompareOptions = [],
        range searchRange: Range<Index>? = nil
    ) -> String { fatalError() }
    public func compare<T: StringProtocol>(
        _ aString: T, options mask: String.CompareOptions = [], range: Range<Index>? = nil,
        locale: Locale? = nil
    ) -> ComparisonResult { fatalError() }
    public func caseInsensitiveCompare<T: StringProtocol>(_ aString: T) -> ComparisonResult {
        fatalError()
    }
    public func localizedCompare<T: StringProtocol>(_ aString: T) -> ComparisonResult {
        fatalError()
    }
    public func localizedCaseInsensitiveCompare<T: StringProtocol>(_ aString: T) -> ComparisonResult
    { fatalError() }
    public func localizedStandardCompare<T: StringProtocol>(_ string: T) -> ComparisonResult {
        fatalError()
    }
    public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? {
        fatalError()
    }
    public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet)
        -> String?
    { fatalError() }
    public var removingPercentEncoding: String? { fatalError() }
    public var capitalized: String { fatalError() }
    public var decomposedStringWithCanonicalMapping: String { fatalError() }
    public var precomposedStringWithCanonicalMapping: String { fatalError() }
    public func folding(options: String.CompareOptions = [], locale: Locale?) -> String {
        fatalError()
    }
    public func padding<T: StringProtocol>(
        toLength newLength: Int, withPad padString: T, startingAt padIndex: Int
    ) -> String { fatalError() }
    public func write<T: StringProtocol>(
        toFile path: T, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding
    ) throws {}
    public func write(to url: URL, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding)
        throws
    {}
    public func appending<T: StringProtocol>(_ aString: T) -> String { fatalError() }
    public func lengthOfBytes(using encoding: String.Encoding) -> Int { fatalError() }
    public func enumerateLines(
        invoking body: @escaping (_ line: String, _ stop: inout Bool) -> Void
    ) {}
}
