// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

extension NSArray: Sequence {
    public final func makeIterator() -> NSFastEnumerationIterator { fatalError() }
}
extension NSSet: Sequence {
    public final func makeIterator() -> NSFastEnumerationIterator { fatalError() }
}
extension NSOrderedSet: Sequence {
    public final func makeIterator() -> NSFastEnumerationIterator { fatalError() }
}
extension NSEnumerator: Sequence {
    public final func makeIterator() -> NSFastEnumerationIterator { fatalError() }
}
public struct NSFastEnumerationIterator: IteratorProtocol {
    public init(_ enumerable: any NSFastEnumeration) {}
    public mutating func next() -> Any? { fatalError() }
}
extension NSDictionary: Sequence {
    public final class Iterator: IteratorProtocol {
        public func next() -> (key: Any, value: Any)? { fatalError() }
    }
    public final func makeIterator() -> Iterator { fatalError() }
    @nonobjc public convenience init(dictionary otherDictionary: __shared [AnyHashable: Any]) {
        fatalError()
    }
    @objc public subscript(key: Any) -> Any? {
        @objc(_swift_objectForKeyedSubscript:) get { fatalError() }
    }
}
extension NSDictionary: ExpressibleByDictionaryLiteral {
    public required convenience init(dictionaryLiteral elements: (Any, Any)...) { fatalError() }
}
extension NSMutableDictionary {
    public final override subscript(key: Any) -> Any? {
        @objc(_swift_objectForKeyedSubscript:) get { fatalError() }
        @objc(_swift_setObject:forKeyedSubscript:) set {}
    }
}
extension NSArray: ExpressibleByArrayLiteral {
    public required convenience init(arrayLiteral elements: Any...) { fatalError() }
    public convenience init(objects elements: Any...) { fatalError() }
    @nonobjc public convenience init(array anArray: __shared NSArray) { fatalError() }
}
extension NSSet: ExpressibleByArrayLiteral {
    public required convenience init(arrayLiteral elements: Any...) { fatalError() }
    @nonobjc public convenience init(set anSet: __shared NSSet) { fatalError() }
    @nonobjc public convenience init(objects elements: Any...) { fatalError() }
}
extension NSOrderedSet: ExpressibleByArrayLiteral {
    public required convenience init(arrayLiteral elements: Any...) { fatalError() }
    public convenience init(objects elements: Any...) { fatalError() }
}
extension NSString: ExpressibleByStringLiteral {
    public required convenience init(stringLiteral value: StaticString) { fatalError() }
    public convenience init(format: __shared NSString, _ args: CVarArg...) { fatalError() }
    @nonobjc public convenience init(string aString: __shared NSString) { fatalError() }
}

extension NSPredicate {
    public convenience init(format predicateFormat: __shared String, _ args: any CVarArg...) {
        fatalError()
    }
}
extension NSExpression {
    public convenience init(format expressionFormat: __shared String, _ args: any CVarArg...) {
        fatalError()
    }
}

extension NSLocking {
    @discardableResult
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { fatalError() }
}

extension FileManager {
    public func enumerator(
        at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: DirectoryEnumerationOptions = [],
        errorHandler handler: ((URL, any Error) -> Bool)? = nil
    ) -> DirectoryEnumerator? { fatalError() }
    @available(*, deprecated, renamed: "replaceItemAt(_:withItemAt:backupItemName:options:)")
    public func replaceItemAtURL(
        originalItemURL: NSURL, withItemAtURL newItemURL: NSURL, backupItemName: String? = nil,
        options: ItemReplacementOptions = []
    ) throws -> NSURL? { fatalError() }
    public func replaceItemAt(
        _ originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String? = nil,
        options: ItemReplacementOptions = []
    ) throws -> URL? { fatalError() }
}

extension FileHandle {
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    public func write<T: DataProtocol>(contentsOf data: T) throws {}
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    public func readToEnd() throws -> Data? { fatalError() }
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    public func read(upToCount count: Int) throws -> Data? { fatalError() }
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    public func offset() throws -> UInt64 { fatalError() }
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    @discardableResult public func seekToEnd() throws -> UInt64 { fatalError() }
}

extension NSCoder {
    public func decodeObject<DecodedObjectType: NSObject & NSCoding>(
        of cls: DecodedObjectType.Type, forKey key: String
    ) -> DecodedObjectType? { fatalError() }
    @nonobjc public func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        fatalError()
    }
}
extension NSKeyedUnarchiver {
    @nonobjc @available(macOS 10.13, iOS 11.0, watchOS 4.0, tvOS 11.0, *)
    public static func unarchivedObject<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> DecodedObjectType? { fatalError() }
    @nonobjc @available(macOS 10.13, iOS 11.0, watchOS 4.0, tvOS 11.0, *)
    public static func unarchivedObject(ofClasses classes: [AnyClass], from data: Data) throws
        -> Any?
    { fatalError() }
}

public struct CharacterSet: Hashable, SetAlgebra, Codable, Sendable {
    public typealias Element = Unicode.Scalar
    public init() {}
    public init(charactersIn string: __shared String) {}
    public init(charactersIn range: Range<Unicode.Scalar>) {}
    public init(charactersIn range: ClosedRange<Unicode.Scalar>) {}
    public static var whitespaces: CharacterSet { fatalError() }
    public static var whitespacesAndNewlines: CharacterSet { fatalError() }
    public static var newlines: CharacterSet { fatalError() }
    public static var decimalDigits: CharacterSet { fatalError() }
    public static var letters: CharacterSet { fatalError() }
    public static var alphanumerics: CharacterSet { fatalError() }
    public static var punctuationCharacters: CharacterSet { fatalError() }
    public static var urlPathAllowed: CharacterSet { fatalError() }
    public static var urlQueryAllowed: CharacterSet { fatalError() }
    public var inverted: CharacterSet { fatalError() }
    public func contains(_ member: Unicode.Scalar) -> Bool { fatalError() }
    @discardableResult public mutating func insert(
        _ character: Unicode.Scalar
    ) -> (inserted: Bool, memberAfterInsert: Unicode.Scalar) { fatalError() }
    @discardableResult public mutating func update(with character: Unicode.Scalar) -> Unicode
        .Scalar?
    { fatalError() }
    @discardableResult public mutating func remove(_ character: Unicode.Scalar) -> Unicode.Scalar? {
        fatalError()
    }
    public func union(_ other: CharacterSet) -> CharacterSet { fatalError() }
    public func intersection(_ other: CharacterSet) -> CharacterSet { fatalError() }
    public func symmetricDifference(_ other: CharacterSet) -> CharacterSet { fatalError() }
    public mutating func formUnion(_ other: CharacterSet) {}
    public mutating func formIntersection(_ other: CharacterSet) {}
    public mutating func formSymmetricDifference(_ other: CharacterSet) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
}
