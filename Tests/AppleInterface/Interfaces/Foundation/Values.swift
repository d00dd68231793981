// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

public typealias TimeInterval = Double

/// How a value type of Foundation is bridged to its class.
public protocol ReferenceConvertible: _ObjectiveCBridgeable, CustomStringConvertible,
    CustomDebugStringConvertible, Hashable
{
    associatedtype ReferenceType: NSObject, NSCopying
}

public struct Date: ReferenceConvertible, Comparable, Codable, Sendable, Strideable {
    public typealias ReferenceType = NSDate
    public static let timeIntervalBetween1970AndReferenceDate: TimeInterval = 978307200.0
    public static let distantFuture = Date()
    public static let distantPast = Date()
    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *) public static var now: Date { fatalError() }
    public static var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
    public init() {}
    public init(timeIntervalSinceNow: TimeInterval) {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public init(timeIntervalSinceReferenceDate ti: TimeInterval) {}
    public init(timeInterval: TimeInterval, since date: Date) {}
    public var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
    public var timeIntervalSince1970: TimeInterval { fatalError() }
    public var timeIntervalSinceNow: TimeInterval { fatalError() }
    public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
    public func addingTimeInterval(_ timeInterval: TimeInterval) -> Date { fatalError() }
    public mutating func addTimeInterval(_ timeInterval: TimeInterval) {}
    public func compare(_ other: Date) -> ComparisonResult { fatalError() }
    public static func == (a: Date, b: Date) -> Bool { fatalError() }
    public static func < (a: Date, b: Date) -> Bool { fatalError() }
    public static func + (a: Date, b: TimeInterval) -> Date { fatalError() }
    public static func - (a: Date, b: TimeInterval) -> Date { fatalError() }
    public static func += (a: inout Date, b: TimeInterval) {}
    public static func -= (a: inout Date, b: TimeInterval) {}
    public func distance(to other: Date) -> TimeInterval { fatalError() }
    public func advanced(by n: TimeInterval) -> Date { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSDate { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSDate, result: inout Date?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSDate, result: inout Date?) -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Date {
        fatalError()
    }
}

public protocol DataProtocol: RandomAccessCollection
where Element == UInt8, SubSequence: DataProtocol {}
public protocol MutableDataProtocol: DataProtocol, MutableCollection, RangeReplaceableCollection {}
public protocol ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}
extension Array: ContiguousBytes where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
extension Slice: DataProtocol where Base: DataProtocol {}

public struct Data: ReferenceConvertible, Codable, Sendable, MutableCollection,
    RandomAccessCollection,
    RangeReplaceableCollection, MutableDataProtocol, ContiguousBytes
{
    public typealias ReferenceType = NSData
    public typealias ReadingOptions = NSData.ReadingOptions
    public typealias WritingOptions = NSData.WritingOptions
    public typealias SearchOptions = NSData.SearchOptions
    public typealias Base64EncodingOptions = NSData.Base64EncodingOptions
    public typealias Base64DecodingOptions = NSData.Base64DecodingOptions
    public typealias Index = Int
    public typealias Indices = Range<Int>
    public enum Deallocator {
        case virtualMemory
        case unmap
        case free
        case none
        case custom((UnsafeMutableRawPointer, Int) -> Void)
    }
    @frozen public struct Iterator: IteratorProtocol, Sendable {
        public mutating func next() -> UInt8? { fatalError() }
    }
    public init() {}
    public init(bytes: UnsafeRawPointer, count: Int) {}
    public init<SourceType>(buffer: UnsafeBufferPointer<SourceType>) {}
    public init<SourceType>(buffer: UnsafeMutableBufferPointer<SourceType>) {}
    public init(repeating repeatedValue: UInt8, count: Int) {}
    public init(capacity: Int) {}
    public init(count: Int) {}
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) {}
    public init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {}
    public init?(
        base64Encoded base64String: __shared String, options: Data.Base64DecodingOptions = []
    ) {}
    public init?(base64Encoded base64Data: __shared Data, options: Data.Base64DecodingOptions = [])
    {}
    public init(referencing reference: __shared NSData) {}
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
    public mutating func reserveCapacity(_ minimumCapacity: Int) {}
    public var count: Int {
        get { fatalError() }
        set {}
    }
    public func withUnsafeBytes<ResultType>(
        _ body: (UnsafeRawBufferPointer) throws -> ResultType
    ) rethrows -> ResultType { fatalError() }
    public mutating func withUnsafeMutableBytes<ResultType>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> ResultType
    ) rethrows -> ResultType { fatalError() }
    public func copyBytes(to pointer: UnsafeMutablePointer<UInt8>, count: Int) {}
    public func copyBytes<DestinationType>(
        to buffer: UnsafeMutableBufferPointer<DestinationType>, from range: Range<Index>? = nil
    ) -> Int { fatalError() }
    public func write(to url: URL, options: Data.WritingOptions = []) throws {}
    public func range(
        of dataToFind: Data, options: Data.SearchOptions = [], in range: Range<Index>? = nil
    ) -> Range<Index>? {
        fatalError()
    }
    public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {}
    public mutating func append(_ other: Data) {}
    public mutating func append<SourceType>(_ buffer: UnsafeBufferPointer<SourceType>) {}
    public mutating func append(contentsOf bytes: [UInt8]) {}
    public mutating func append<S: Sequence>(contentsOf elements: S) where S.Element == UInt8 {}
    public mutating func resetBytes(in range: Range<Index>) {}
    public mutating func replaceSubrange(_ subrange: Range<Index>, with data: Data) {}
    public mutating func replaceSubrange<ByteCollection: Collection>(
        _ subrange: Range<Index>, with newElements: ByteCollection
    ) where ByteCollection.Element == UInt8 {}
    public func subdata(in range: Range<Index>) -> Data { fatalError() }
    public func base64EncodedString(options: Data.Base64EncodingOptions = []) -> String {
        fatalError()
    }
    public func base64EncodedData(options: Data.Base64EncodingOptions = []) -> Data { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public func advanced(by amount: Int) -> Data { fatalError() }
    public subscript(index: Index) -> UInt8 {
        get { fatalError() }
        set {}
    }
    public subscript(bounds: Range<Index>) -> Data {
        get { fatalError() }
        set {}
    }
    public subscript<R: RangeExpression>(_ rangeExpression: R) -> Data
    where R.Bound: FixedWidthInteger {
        get { fatalError() }
        set {}
    }
    public var startIndex: Index { fatalError() }
    public var endIndex: Index { fatalError() }
    public func index(before i: Index) -> Index { fatalError() }
    public func index(after i: Index) -> Index { fatalError() }
    public var indices: Range<Int> { fatalError() }
    public func makeIterator() -> Data.Iterator { fatalError() }
    public static func == (a: Data, b: Data) -> Bool { fatalError() }
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSData { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSData, result: inout Data?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSData, result: inout Data?) -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data {
        fatalError()
    }
}

public struct UUID: ReferenceConvertible, Codable, Sendable {
    public typealias ReferenceType = NSUUID
    public init() {}
    public init?(uuidString string: __shared String) {}
    public init(uuid: uuid_t) {}
    public var uuidString: String { fatalError() }
    public var uuid: uuid_t { fatalError() }
    public static func == (a: UUID, b: UUID) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSUUID { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSUUID, result: inout UUID?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSUUID, result: inout UUID?) -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSUUID?) -> UUID {
        fatalError()
    }
}
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension UUID: Comparable {
    public static func < (a: UUID, b: UUID) -> Bool { fatalError() }
}

public struct URLResourceValues {
    public init() {}
    public var allValues: [URLResourceKey: Any] { fatalError() }
    public var isExcludedFromBackup: Bool?
    public var name: String?
    public var isRegularFile: Bool? { fatalError() }
    public var isDirectory: Bool? { fatalError() }
    public var isSymbolicLink: Bool? { fatalError() }
    public var creationDate: Date?
    public var contentModificationDate: Date?
    public var fileSize: Int? { fatalError() }
    public var totalFileAllocatedSize: Int? { fatalError() }
}

public struct URL: ReferenceConvertible, Codable, Sendable {
    public typealias ReferenceType = NSURL
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public enum DirectoryHint: Sendable {
        case isDirectory
        case notDirectory
        case checkFileSystem
        case inferFromPath
    }
    public init?(string: __shared String) {}
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
    public init?(string: __shared String, encodingInvalidCharacters: Bool) {}
    public init?(string: __shared String, relativeTo url: __shared URL?) {}
    public init(
        fileURLWithPath path: __shared String, isDirectory: Bool, relativeTo base: __shared URL?
    ) {}
    public init(fileURLWithPath path: __shared String, relativeTo base: __shared URL?) {}
    public init(fileURLWithPath path: __shared String, isDirectory: Bool) {}
    public init(fileURLWithPath path: __shared String) {}
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public init(
        filePath path: String, directoryHint: DirectoryHint = .inferFromPath,
        relativeTo base: URL? = nil
    ) {}
    public var absoluteString: String { fatalError() }
    public var relativeString: String { fatalError() }
    public var baseURL: URL? { fatalError() }
    public var absoluteURL: URL { fatalError() }
    public var scheme: String? { fatalError() }
    public var isFileURL: Bool { fatalError() }
    public var host: String? { fatalError() }
    public var port: Int? { fatalError() }
    public var user: String? { fatalError() }
    public var password: String? { fatalError() }
    public var path: String { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func path(percentEncoded: Bool = true) -> String { fatalError() }
    public var relativePath: String { fatalError() }
    public var fragment: String? { fatalError() }
    public var query: String? { fatalError() }
    public var pathComponents: [String] { fatalError() }
    public var lastPathComponent: String { fatalError() }
    public var pathExtension: String { fatalError() }
    public var hasDirectoryPath: Bool { fatalError() }
    public var standardized: URL { fatalError() }
    public var standardizedFileURL: URL { fatalError() }
    public func withUnsafeFileSystemRepresentation<ResultType>(
        _ block: (UnsafePointer<Int8>?) throws -> ResultType
    ) rethrows -> ResultType { fatalError() }
    public func appendingPathComponent(_ pathComponent: String, isDirectory: Bool) -> URL {
        fatalError()
    }
    public func appendingPathComponent(_ pathComponent: String) -> URL { fatalError() }
    public func appendingPathExtension(_ pathExtension: String) -> URL { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func appending<S: StringProtocol>(
        path: S, directoryHint: DirectoryHint = .inferFromPath
    ) -> URL { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func appending<S: StringProtocol>(
        component: S, directoryHint: DirectoryHint = .inferFromPath
    ) -> URL { fatalError() }
    public mutating func appendPathComponent(_ pathComponent: String) {}
    public func deletingLastPathComponent() -> URL { fatalError() }
    public func deletingPathExtension() -> URL { fatalError() }
    public mutating func deleteLastPathComponent() {}
    public func resolvingSymlinksInPath() -> URL { fatalError() }
    public func checkResourceIsReachable() throws -> Bool { fatalError() }
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
        fatalError()
    }
    public mutating func removeAllCachedResourceValues() {}
    public static func == (a: URL, b: URL) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSURL { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSURL, result: inout URL?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSURL, result: inout URL?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL {
        fatalError()
    }
}

public struct IndexSet: ReferenceConvertible, BidirectionalCollection, SetAlgebra, Codable, Sendable
{
    public typealias ReferenceType = NSIndexSet
    public typealias Element = Int
    public typealias ArrayLiteralElement = Int
    public typealias SubSequence = Slice<IndexSet>
    public typealias Indices = DefaultIndices<IndexSet>
    public var isEmpty: Bool { fatalError() }
    public struct Index: Comparable, Sendable {
        public static func < (a: Index, b: Index) -> Bool { fatalError() }
        public static func == (a: Index, b: Index) -> Bool { fatalError() }
    }
    public init() {}
    public init(integer: Int) {}
    public init(integersIn range: Range<Int>) {}
    public init<R: RangeExpression>(integersIn range: R) where R.Bound == Int {}
    public var startIndex: Index { fatalError() }
    public var endIndex: Index { fatalError() }
    public func index(after i: Index) -> Index { fatalError() }
    public func index(before i: Index) -> Index { fatalError() }
    public subscript(index: Index) -> Int { fatalError() }
    public var count: Int { fatalError() }
    public func contains(_ integer: Int) -> Bool { fatalError() }
    public func union(_ other: IndexSet) -> IndexSet { fatalError() }
    public func intersection(_ other: IndexSet) -> IndexSet { fatalError() }
    public func symmetricDifference(_ other: IndexSet) -> IndexSet { fatalError() }
    public mutating func formUnion(_ other: IndexSet) {}
    public mutating func formIntersection(_ other: IndexSet) {}
    public mutating func formSymmetricDifference(_ other: IndexSet) {}
    @discardableResult
    public mutating func insert(_ integer: Int) -> (inserted: Bool, memberAfterInsert: Int) {
        fatalError()
    }
    @discardableResult public mutating func update(with integer: Int) -> Int? { fatalError() }
    @discardableResult public mutating func remove(_ integer: Int) -> Int? { fatalError() }
    public static func == (a: IndexSet, b: IndexSet) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSIndexSet { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSIndexSet, result: inout IndexSet?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSIndexSet, result: inout IndexSet?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSIndexSet?) -> IndexSet {
        fatalError()
    }
}

public struct IndexPath: ReferenceConvertible, Comparable, RandomAccessCollection,
    MutableCollection, ExpressibleByArrayLiteral,
    Codable, Sendable
{
    public typealias ReferenceType = NSIndexPath
    public typealias Element = Int
    public typealias Index = Int
    public typealias Indices = DefaultIndices<IndexPath>
    public init() {}
    public init(arrayLiteral elements: Int...) {}
    public init(indexes: [Int]) {}
    public init(index: Int) {}
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public func index(after i: Int) -> Int { fatalError() }
    public func index(before i: Int) -> Int { fatalError() }
    public subscript(index: Int) -> Int {
        get { fatalError() }
        set {}
    }
    public subscript(range: Range<Int>) -> IndexPath {
        get { fatalError() }
        set {}
    }
    public static func < (a: IndexPath, b: IndexPath) -> Bool { fatalError() }
    public static func == (a: IndexPath, b: IndexPath) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSIndexPath { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSIndexPath, result: inout IndexPath?) {}
    public static func _conditionallyBridgeFromObjectiveC(
        _ x: NSIndexPath, result: inout IndexPath?
    ) -> Bool { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSIndexPath?) -> IndexPath {
        fatalError()
    }
}

public struct Notification: ReferenceConvertible {
    public typealias ReferenceType = NSNotification
    public typealias Name = NSNotification.Name
    public var name: Name
    public var object: Any?
    public var userInfo: [AnyHashable: Any]?
    public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) {
        fatalError()
    }
    public static func == (a: Notification, b: Notification) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSNotification { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSNotification, result: inout Notification?)
    {}
    public static func _conditionallyBridgeFromObjectiveC(
        _ x: NSNotification, result: inout Notification?
    ) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNotification?)
        -> Notification
    { fatalError() }
}

public struct TimeZone: ReferenceConvertible, Codable, Sendable {
    public typealias ReferenceType = NSTimeZone
    public static var current: TimeZone { fatalError() }
    public static var autoupdatingCurrent: TimeZone { fatalError() }
    public static var knownTimeZoneIdentifiers: [String] { fatalError() }
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) public static let gmt = TimeZone.current
    public init?(identifier: __shared String) {}
    public init?(secondsFromGMT seconds: Int) {}
    public init?(abbreviation: __shared String) {}
    public var identifier: String { fatalError() }
    public func secondsFromGMT(for date: Date = Date()) -> Int { fatalError() }
    public func abbreviation(for date: Date = Date()) -> String? { fatalError() }
    public static func == (a: TimeZone, b: TimeZone) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSTimeZone { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSTimeZone, result: inout TimeZone?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSTimeZone, result: inout TimeZone?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSTimeZone?) -> TimeZone {
        fatalError()
    }
}

public struct Locale: ReferenceConvertible, Codable, Sendable {
    public typealias ReferenceType = NSLocale
    public static var current: Locale { fatalError() }
    public static var autoupdatingCurrent: Locale { fatalError() }
    public init(identifier: String) {}
    public var identifier: String { fatalError() }
    public static func == (a: Locale, b: Locale) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func _bridgeToObjectiveC() -> NSLocale { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSLocale, result: inout Locale?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSLocale, result: inout Locale?)
        -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSLocale?) -> Locale {
        fatalError()
    }
}
