import CoreDataFiles
import SeededRandom
import Testing

@testable import CoreData

/// A class of an app whose objects contain others.
final class Box: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let words: [String]
    let inner: Box?

    init(_ words: [String], _ inner: Box? = nil) {
        self.words = words
        self.inner = inner
    }

    init?(coder: NSCoder) {
        words =
            coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "words") as? [String]
            ?? []
        inner = coder.decodeObject(of: Box.self, forKey: "inner")
        guard coder.decodeInteger(forKey: "count") == words.count else { return nil }
    }

    func encode(with coder: NSCoder) {
        coder.encode(NSArray(array: words), forKey: "words")
        coder.encode(inner, forKey: "inner")
        coder.encode(words.count, forKey: "count")
    }
}

/// Foundation's unarchiver on Linux ends the process for each of these.
@Suite("A keyed archive from anybody") struct HostileArchiveTests {
    static let classes: [AnyClass] = NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses

    private static func labeled(_ name: String, _ members: [ArchiveValue]) -> ArchiveValue {
        .labeled(name, "NSArray", ["NS.objects": .references(members)])
    }

    /// An array whose members are equal, and so on: a few bytes for many objects.
    private static func doubled(_ depth: Int) -> ArchiveValue {
        (1...depth).reduce(labeled("0", ["end"])) { inner, level in
            labeled("\(level)", [inner, .label("\(level - 1)")])
        }
    }

    private static func nested(_ depth: Int) -> ArchiveValue {
        (0..<depth).reduce("end") { inner, _ in [inner] }
    }

    static let hostile: [(String, ArchiveValue)] = [
        ("an array in itself", labeled("a", [.label("a")])),
        ("a set in itself", .labeled("a", "NSSet", ["NS.objects": .references([.label("a")])])),
        (
            "an address that is its own base",
            .labeled("a", "NSURL", ["NS.relative": "x", "NS.base": .label("a")])
        ),
        ("members of another class", [.object("NSIndexSet", [:])]),
        ("another class", .object("NSIndexSet", [:])),
        ("an unknown class", .object("NoSuchClass", [:])),
        ("a class that cannot be archived", .object("NSKeyedUnarchiver", [:])),
        ("a name that is none", .object("S$1é.(\u{0})", [:])),
        ("an array without members", .object("NSArray", [:])),
        ("members that are none", .object("NSArray", ["NS.objects": "text"])),
        (
            "more keys than values",
            .object(
                "NSDictionary",
                ["NS.keys": .references(["a", "b"]), "NS.objects": .references(["c"])])
        ),
        ("no values", .object("NSDictionary", ["NS.keys": .references(["a"])])),
        (
            "decimals as members",
            .object(
                "NSSet",
                [
                    "NS.objects": .references([
                        .object(
                            "NSDecimalNumber",
                            ["NS.mantissa": .data(Data([1, 0])), "NS.length": 1])
                    ])
                ])
        ),
        ("a date that is not a number", .object("NSDate", ["NS.time": .real(.nan)])),
        ("a date without a time", .object("NSDate", [:])),
        ("half an identifier", .object("NSUUID", ["NS.uuidbytes": .data(Data([1, 2]))])),
        ("an address without text", .object("NSURL", ["NS.relative": 7])),
        ("data without bytes", .object("NSData", [:])),
        ("a string without text", .object("NSMutableString", [:])),
        ("a decimal without digits", .object("NSDecimalNumber", [:])),
        ("a thousand levels", nested(1000)),
        ("a value for each grain of rice", doubled(60)),
    ]

    @Test("is nil if it is hostile", arguments: hostile.map(\.0))
    func isNil(name: String) throws {
        let value = try #require(Self.hostile.first { $0.0 == name }).1
        let data = KeyedArchiveWriter.archive(value)
        let names: [NSValueTransformerName] = [
            .secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
        ]
        for transformer in names.compactMap({ ValueTransformer(forName: $0) }) {
            let object = transformer.transformedValue(data)
            #expect(object == nil || transformer !== ValueTransformer(forName: names[0]))
        }
    }

    @Test("is not larger in memory than its objects, each as often as it occurs")
    func shared() throws {
        let data = KeyedArchiveWriter.archive(Self.doubled(10))
        let object = try #require(_ArchiveDecoder.root(of: Self.classes, in: data) as? NSArray)
        #expect(object.isEqual(object.copy()))
    }

    @Test("has the objects that Foundation's archiver has written") func roundTrip() throws {
        let objects: [NSObject] = [
            NSString(string: "text é 👩‍👩‍👧"), NSNumber(value: 1), NSNumber(value: -1.5),
            NSNumber(value: true),
            NSNumber(value: Int64.min), NSDate(timeIntervalSinceReferenceDate: 0.5),
            NSData(data: Data([1, 2, 3])), NSUUID(), NSNull(),
            NSURL(fileURLWithPath: "/a"),
            NSArray(array: ["a", 1, ["b", NSNull()], Data([1])]), NSArray(),
            NSSet(array: ["a", 1, UUID()]), NSMutableArray(array: ["a"]),
            NSDictionary(dictionary: ["a": ["b": 1], "c": Date(timeIntervalSinceReferenceDate: 1)]),
            NSMutableDictionary(dictionary: ["a": 1]),
        ]
        for object in objects {
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: object, requiringSecureCoding: true)
            let found = try #require(_ArchiveDecoder.root(of: Self.classes, in: data), "\(object)")
            #expect(found.isEqual(object), "\(object)")
            #expect((found is NSMutableArray) == (object is NSMutableArray))
        }
    }

    @Test("has the objects of an app's class, with theirs") func appClass() throws {
        let box = Box(["a", "b"], Box(["c"]))
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: [box, box]), requiringSecureCoding: true)
        let found = _ArchiveDecoder.root(of: [NSArray.self, Box.self], in: data) as? [Box]
        #expect(found?.map(\.words) == [["a", "b"], ["a", "b"]])
        #expect(found?[0] === found?[1])
        #expect(found?[0].inner?.words == ["c"])
        #expect(_ArchiveDecoder.root(of: [NSArray.self], in: data) == nil)
    }

    @Test("gives an error to an app's class that asks for a class which it does not have")
    func inner() {
        let name = NSStringFromClass(Box.self)
        let contents: [[String: ArchiveValue]] = [
            ["words": [1, 2], "count": 2], ["words": .object("NSSet", [:]), "count": 0],
            ["words": [.label("b")], "count": 1], ["inner": .label("b")], ["inner": ["a"]],
            ["count": "two"],
        ]
        for fields in contents {
            let data = KeyedArchiveWriter.archive(.labeled("b", name, fields))
            _ = _ArchiveDecoder.root(of: [Box.self], in: data)
            _ = _ArchiveDecoder.root(of: nil, in: data)
        }
    }
}
