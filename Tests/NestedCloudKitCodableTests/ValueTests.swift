import CloudKit
import CoreLocation
import NestedCloudKitCodable
import Testing

/// An object with one property of any type.
private struct Box<Value: Codable & Equatable>: CKCodable, Equatable {
    var cloudKitRecordType: String { "Box" }
    var cloudKitIdentifier: String { "box" }

    var value: Value
}

private enum Color: String, Codable { case red, green }

private enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case square(Int)
}

private struct Point: Codable, Hashable {
    var x: Int
    var y: Int
}

private struct Limits: Codable, Equatable {
    var upper: UInt
    var lower: Int
}

private struct Group: Codable, Equatable {
    var name: String
    var leader: Person
}

@Suite("Values of every type")
struct ValueTests {
    /// A type-erased check of a value.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let survives: @Sendable (TestCloud) async throws -> Bool

        init<Value: Codable & Equatable & Sendable>(_ description: String, _ value: Value) {
            testDescription = description
            survives = { test in
                try await test.save(Box(value: value))
                return try await test.load(Box<Value>.self, "box").value == value
            }
        }
    }

    static let examples = [
        Example("true", true), Example("false", false),
        Example("the smallest Int8", Int8.min), Example("the largest UInt8", UInt8.max),
        Example("the smallest Int16", Int16.min), Example("the largest UInt16", UInt16.max),
        Example("the smallest Int32", Int32.min), Example("the largest UInt32", UInt32.max),
        Example("the smallest Int64", Int64.min), Example("the largest Int64", Int64.max),
        Example("an Int", -1), Example("a UInt", UInt(7)),
        Example("a Double", 0.1), Example("a whole Double", 5.0),
        Example("the largest Double", Double.greatestFiniteMagnitude),
        Example("a Float", Float(0.1)),
        Example("a text", "Grüße 👩‍👩‍👧"), Example("an empty text", ""),
        Example("a text with a semicolon", "a;b"), Example("three numbers", "1;2;3"),
        Example("coordinates out of range", "91;0"),
        Example("coordinates", "52.5;-13.25"),
        Example("a list of coordinates", ["52.5;-13.25", "0.0;0.0"]),
        Example("texts of which one is coordinates", ["1;2", "a"]),
        Example("a date", Date(timeIntervalSinceReferenceDate: 12345.5)),
        Example("a date before 1970", Date(timeIntervalSince1970: -86400)),
        Example("data", Data([0, 1, 255])), Example("empty data", Data()),
        Example("a list of data", [Data([1]), Data([2, 3])]),
        Example("a UUID", UUID()), Example("a URL", URL(string: "https://example.org/a?b=c")),
        Example("a decimal", Decimal(string: "12345678901234567890.123456789")),
        Example("an enumeration", Color.green), Example("nil", Int?.none),
        Example("an optional", Int?.some(3)),
        Example("an enumeration with values", [Shape.circle(radius: 1.5), .square(2)]),
        Example("a structure", Point(x: 1, y: -1)),
        Example("a list of structures", [Point(x: 1, y: 2), Point(x: 3, y: 4)]),
        Example("a set", Set([1, 2, 3])), Example("a set of structures", Set([Point(x: 1, y: 2)])),
        Example("a list of numbers", [1, 2, 3]), Example("a list of truths", [true, false]),
        Example("a list of fractions", [1.0, 2.5]), Example("a list of texts", ["a", "b"]),
        Example("a list of dates", [Date(timeIntervalSinceReferenceDate: 1)]),
        Example("an empty list", [String]()), Example("an empty set", Set<Int>()),
        Example("a list with nil", [1, nil, 3]), Example("a list of enumerations", [Color.red]),
        Example("a list of lists", [[1], [], [2, 3]]),
        Example("a list of lists of texts", [["a"], ["1;2"]]),
        Example("a dictionary", ["a": 1, "b": 2]), Example("an empty dictionary", [String: Int]()),
        Example("a dictionary by numbers", [1: "a", 2: "b"]),
        Example("a dictionary by structures", [Point(x: 1, y: 2): "a"]),
        Example("a dictionary of data", ["a": Data([1, 2])]),
        Example("a dictionary of dates", ["a": Date(timeIntervalSinceReferenceDate: 1.25)]),
        Example("a dictionary of UUIDs", ["a": UUID()]),
        Example("a dictionary that looks like a reference", ["$record": "x"]),
        Example(
            "a structure with an object that has a record",
            Group(name: "g", leader: Person(id: "p", name: "P"))),
        Example(
            "a dictionary of objects with records",
            ["first": Person(id: "p", name: "P"), "second": Person(id: "q", name: "Q")]),
        Example("a list of objects with records", [Book(isbn: "1", title: "One")]),
        Example("a dictionary with the largest UInt64", ["a": UInt64.max, "b": 0]),
        Example("a structure with the largest UInt", Limits(upper: .max, lower: .min)),
        Example("a list with nil and the largest UInt64", [UInt64.max, nil]),
        Example("a dictionary of large fractions", ["a": 1e19, "b": 9.3e18]),
        Example("an object with a record", Book(isbn: "1", title: "One")),
    ]

    @Test("A value comes back from the cloud unchanged", arguments: examples)
    func survives(_ example: Example) async throws {
        #expect(try await example.survives(TestCloud()))
    }

    @Test("Data is saved as bytes, and the URL of a file as an asset")
    func assets() async throws {
        let test = try await TestCloud()
        let file = test.directory.url.appendingPathComponent("letter.txt")
        try Data("Hello".utf8).write(to: file)
        try await test.save(Box(value: file))
        let copy = try await test.load(Box<URL>.self, "box").value
        #expect(copy != file)
        #expect(try Data(contentsOf: copy) == Data("Hello".utf8))
        let record = try test.encoder.encode(Box(value: Data([1])))[0]
        #expect(record["value"] == Data([1]))
    }

    @Test("Lists of data are lists of bytes, and lists of coordinates are lists of strings")
    func lists() throws {
        let data = try CKRecordEncoder().encode(Box(value: [Data([1]), Data()]))[0]
        #expect(data["value"] == [Data([1]), Data()])
        let texts = try CKRecordEncoder().encode(Box(value: ["1;2", "3;4"]))[0]
        #expect(texts["value"] == ["1;2", "3;4"])
    }

    @Test("Data is saved as an asset, and coordinates as a location, if the encoder is set so")
    func otherForms() async throws {
        let test = try await TestCloud()
        let encoder = test.encoder
        encoder.dataForm = .asset
        encoder.coordinateForm = .location
        let data = try encoder.encode(Box(value: Data([1])))
        let asset: CKAsset? = data[0]["value"]
        #expect(asset != nil)
        try await test.save(data)
        #expect(try await test.load(Box<Data>.self, "box").value == Data([1]))
        let location: CLLocation? = try encoder.encode(Box(value: "1;2"))[0]["value"]
        #expect(location?.coordinate.longitude == 2)
    }

    @Test("A string with a semicolon is unchanged", arguments: ["1;2", "+1;-0.5", "1e-05;2.0"])
    func semicolon(text: String) async throws {
        let test = try await TestCloud()
        try await test.save(Box(value: text))
        #expect(try await test.load(Box<String>.self, "box").value == text)
    }

    @Test("An optional list that is empty comes back empty, and is nil only on request")
    func emptyOptionalList() async throws {
        struct Shelf: CKCodable {
            var cloudKitRecordType: String { "Shelf" }
            var cloudKitIdentifier: String { "s" }
            var books: [Book]!
            var marks: Set<Int>?
            var name: String?
        }
        let test = try await TestCloud()
        try await test.save(Shelf(books: [], marks: []))
        let shelf = try await test.load(Shelf.self, "s")
        #expect(shelf.books == [])
        #expect(shelf.marks == [])
        #expect(shelf.name == nil)
        let decoder = CKRecordDecoder()
        decoder.missingListsAreEmpty = false
        let record = try await test.record("s")
        #expect(try decoder.decode(Shelf.self, from: record, among: []).marks == nil)
    }

    @Test("An optional list of a generic property comes back empty, too")
    func emptyGenericList() throws {
        let record = try CKRecordEncoder().encode(Box<[Int]?>(value: []))[0]
        let decoder = CKRecordDecoder()
        #expect(try decoder.decode(Box<[Int]?>.self, from: record, among: []).value == [])
        #expect(try decoder.decode(Box<Set<Int>?>.self, from: record, among: []).value == [])
        #expect(try decoder.decode(Box<[Int]>.self, from: record, among: []).value == [])
        #expect(try decoder.decode(Box<Int?>.self, from: record, among: []).value == nil)
        decoder.missingListsAreEmpty = false
        #expect(try decoder.decode(Box<[Int]?>.self, from: record, among: []).value == nil)
        #expect(try decoder.decode(Box<[Int]>.self, from: record, among: []).value == [])
    }

    @Test(
        "A name that CloudKit refuses for a field is an error",
        arguments: [
            "", "first-name", "_x", "1abc", "ä", "a b", "a.b", String(repeating: "x", count: 256),
        ])
    func invalidName(name: String) throws {
        let error = #expect(throws: CKCodableError.self) {
            try CKRecordEncoder().encode(Named(name: name))
        }
        #expect(error?.errorType == .unsupportedValue)
        #expect(error?.path == name)
        #expect(error?.reason.contains("\"\(name)\"") == true)
    }

    @Test(
        "Names of letters, digits and underscores are fields",
        arguments: ["a", "A1_", "z_9", String(repeating: "x", count: 255)])
    func validName(name: String) throws {
        #expect(try CKRecordEncoder().encode(Named(name: name))[0].allKeys() == [name])
    }

    @Test(
        "A name that CloudKit reserves is an error",
        arguments: [
            "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
            "creatorUserRecordID", "lastModifiedUserRecordID", "etag",
        ])
    func reservedName(name: String) throws {
        let error = #expect(throws: CKCodableError.self) {
            try CKRecordEncoder().encode(Named(name: name))
        }
        #expect(error?.errorType == .unsupportedValue)
        #expect(error?.path == name)
    }

    /// An object with one property whose name is chosen at run time.
    private struct Named: CKEncodable {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        var cloudKitRecordType: String { "Named" }
        var cloudKitIdentifier: String { "n" }
        let name: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode("x", forKey: Key(stringValue: name))
        }
    }

    @Test("The files of assets are removed on demand")
    func assetFiles() throws {
        let directory = try TemporaryDirectory()
        let encoder = CKRecordEncoder()
        encoder.assetDirectory = directory.url
        encoder.dataForm = .asset
        _ = try encoder.encode(Box(value: [Data([1]), Data([2])]))
        let path = directory.url.path
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 2)
        try encoder.removeAssetFiles()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test(
        "A string becomes a location only if it is exactly two coordinates",
        arguments: [
            ("52.5;13.4", true), ("-90;180", true), ("+1;-0.5", true), ("1e-05;2.0", true),
            ("", false), (";", false), ("1;", false), (";1", false), ("1;2;3", false),
            ("90.1;0", false), ("0;-180.5", false), ("a;b", false), ("1; 2", false),
            (" 1;2", false), ("0x1p3;2", false), ("nan;1", false), ("inf;1", false),
            ("1.;2", false), (".5;2", false), ("1;2\n", false), ("1,5;2", false),
        ])
    func locationText(text: String, isLocation: Bool) throws {
        let encoder = CKRecordEncoder()
        encoder.coordinateForm = .location
        let record = try encoder.encode(Box(value: text))[0]
        let location: CLLocation? = record["value"]
        #expect((location != nil) == isLocation)
    }

    @Test("Ignored properties have no field")
    func ignored() throws {
        struct Draft: CKEncodable {
            var cloudKitRecordType: String { "Draft" }
            var cloudKitIdentifier: String { "d" }
            func ignoredProperties() -> [String] { ["secret", "friend"] }
            var title = "t"
            var secret = "s"
            var friend = Person(id: "p", name: "P")
        }
        let records = try CKRecordEncoder().encode(Draft())
        #expect(records.map { $0.allKeys() } == [["title"]])
    }

    @Test("An object's own reference action takes precedence over the encoder's")
    func referenceActions() throws {
        struct Desk: CKEncodable {
            var cloudKitRecordType: String { "Desk" }
            var cloudKitIdentifier: String { "d" }
            func cloudKitReferenceActions() -> [String: CKRecord.ReferenceAction] {
                ["owner": .deleteSelf, "books": .deleteSelf]
            }
            var owner = Person(id: "p", name: "P")
            var books = [Book(isbn: "1", title: "One")]
            var user = Person(id: "q", name: "Q")
        }
        let desk = try #require(CKRecordEncoder().encode(Desk()).last)
        let owner: CKRecord.Reference? = desk["owner"]
        let user: CKRecord.Reference? = desk["user"]
        let books: [CKRecord.Reference]? = desk["books"]
        #expect(owner?.action == .deleteSelf)
        #expect(books?.map(\.action) == [.deleteSelf])
        #expect(user?.action == CKRecord.ReferenceAction.none)
        let encoder = CKRecordEncoder()
        encoder.referenceAction = .deleteSelf
        let other: CKRecord.Reference? = try encoder.encode(Desk()).last?["user"]
        #expect(other?.action == .deleteSelf)
    }

    @Test("A subclass encodes its superclass with it")
    func superclass() async throws {
        let test = try await TestCloud()
        let dog = Dog()
        dog.name = "Rex"
        dog.tricks = ["sit"]
        try await test.save(dog)
        let copy = try await test.load(Dog.self, "dog")
        #expect(copy.name == "Rex")
        #expect(copy.tricks == ["sit"])
    }
}

private class Animal: Codable {
    var name = ""
}

private final class Dog: Animal, CKRecordRepresentable {
    var cloudKitRecordType: String { "Dog" }
    var cloudKitIdentifier: String { "dog" }
    var tricks: [String] = []

    private enum CodingKeys: String, CodingKey { case tricks }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tricks = try container.decode([String].self, forKey: .tricks)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tricks, forKey: .tricks)
        try super.encode(to: container.superEncoder())
    }
}
