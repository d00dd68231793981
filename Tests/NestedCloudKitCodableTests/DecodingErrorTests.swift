import CloudKit
import NestedCloudKitCodable
import Testing

/// A key of any name.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(_ name: String) { stringValue = name }
    init?(intValue: Int) { nil }
}

/// Gives a test's closure the decoder of a record.
private struct Probe: CKDecodable {
    var cloudKitRecordType: String { "Probe" }
    var cloudKitIdentifier: String { "probe" }

    struct Body { let run: (any Decoder) throws -> Void }

    static let body = CodingUserInfoKey(rawValue: "body")

    init(from decoder: any Decoder) throws {
        let body = Self.body.flatMap { decoder.userInfo[$0] as? Body }
        try body?.run(decoder)
    }
}

/// A number or a string, the second of which is tried after a mismatch.
private struct NumberOrText: Codable, Equatable {
    var text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            text = try container.decode(String.self)
        } catch DecodingError.typeMismatch {
            text = String(try container.decode(Int.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let number = Int(text) {
            try container.encode(number)
        } else {
            try container.encode(text)
        }
    }
}

@Suite("Containers throw the errors of Swift's documentation")
struct DecodingErrorTests {
    enum Kind { case typeMismatch, valueNotFound, keyNotFound, dataCorrupted }

    /// A call that fails, and its error.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: Kind
        /// The type of a mismatch or of a missing value.
        let type: Any.Type?
        let path: [String]
        fileprivate let call: @Sendable (KeyedDecodingContainer<AnyKey>) throws -> Void

        fileprivate init<T>(
            _ description: String, _ kind: Kind, _ type: Any.Type? = nil, at path: String...,
            call: @escaping @Sendable (KeyedDecodingContainer<AnyKey>) throws -> T
        ) {
            testDescription = description
            self.kind = kind
            self.type = type
            self.path = path
            self.call = { _ = try call($0) }
        }
    }

    private static func record() throws -> CKRecord {
        let record = CKRecord(recordType: "Probe")
        record["number"] = 1000
        record["large"] = 1e300
        record["text"] = "1,5"
        record["list"] = [1, 2]
        record["bytes"] = Data([1, 2])
        record["json"] = Data(#"{"a":1,"list":[1,null],"none":null}"#.utf8)
        record["asset"] = CKAsset(fileURL: URL(fileURLWithPath: "/nowhere/letter"))
        record["missing"] = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "gone"), action: .none)
        record["itself"] = CKRecord.Reference(recordID: record.recordID, action: .none)
        return record
    }

    /// The list after all its elements.
    private static func end(
        of container: KeyedDecodingContainer<AnyKey>
    ) throws -> any UnkeyedDecodingContainer {
        var list = try container.nestedUnkeyedContainer(forKey: AnyKey("list"))
        while !list.isAtEnd { _ = try list.decode(Int.self) }
        return list
    }

    static let fields = [
        Example("a number as a string", .typeMismatch, String.self, at: "number") {
            try $0.decode(String.self, forKey: AnyKey("number"))
        },
        Example("a number that is too large", .typeMismatch, Int8.self, at: "number") {
            try $0.decode(Int8.self, forKey: AnyKey("number"))
        },
        Example("a number that a Float cannot hold", .typeMismatch, Float.self, at: "large") {
            try $0.decode(Float.self, forKey: AnyKey("large"))
        },
        Example("a number that a Decimal cannot hold", .typeMismatch, Decimal.self, at: "large") {
            try $0.decode(Decimal.self, forKey: AnyKey("large"))
        },
        Example("a number as a list", .typeMismatch, [Any].self, at: "number") {
            try $0.decode([Int].self, forKey: AnyKey("number"))
        },
        Example("a number as an object", .typeMismatch, [String: Any].self, at: "number") {
            try $0.decode(Person.self, forKey: AnyKey("number"))
        },
        Example("a container for a number", .typeMismatch, [String: Any].self, at: "number") {
            try $0.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("number"))
        },
        Example("a list for a number", .typeMismatch, [Any].self, at: "number") {
            try $0.nestedUnkeyedContainer(forKey: AnyKey("number"))
        },
        Example("a string that is no UUID", .typeMismatch, UUID.self, at: "text") {
            try $0.decode(UUID.self, forKey: AnyKey("text"))
        },
        Example("bytes that are no JSON", .typeMismatch, [String: Any].self, at: "bytes") {
            try $0.decode([String: Int].self, forKey: AnyKey("bytes"))
        },
        Example("a reference as a number", .typeMismatch, Int.self, at: "itself") {
            try $0.decode(Int.self, forKey: AnyKey("itself"))
        },
        Example("a missing field", .keyNotFound, at: "none") {
            try $0.decode(Int.self, forKey: AnyKey("none"))
        },
        Example("a missing object", .keyNotFound, at: "none") {
            try $0.decode(Person.self, forKey: AnyKey("none"))
        },
        Example("a container for a missing field", .keyNotFound, at: "none") {
            try $0.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("none"))
        },
        Example("a record that is missing", .valueNotFound, Person.self, at: "missing") {
            try $0.decode(Person.self, forKey: AnyKey("missing"))
        },
        Example("a record that is being decoded", .valueNotFound, Person.self, at: "itself") {
            try $0.decode(Person.self, forKey: AnyKey("itself"))
        },
        Example("an asset without its file", .dataCorrupted, at: "asset") {
            try $0.decode(Data.self, forKey: AnyKey("asset"))
        },
    ]

    static let lists = [
        Example("an element of another type", .typeMismatch, String.self, at: "list", "0") {
            var list = try $0.nestedUnkeyedContainer(forKey: AnyKey("list"))
            return try list.decode(String.self)
        },
        Example("an element beyond the end", .valueNotFound, Int.self, at: "list", "2") {
            var list = try end(of: $0)
            return try list.decode(Int.self)
        },
        Example("nil beyond the end", .valueNotFound, Any?.self, at: "list", "2") {
            var list = try end(of: $0)
            return try list.decodeNil()
        },
        Example(
            "a container beyond the end", .valueNotFound, KeyedDecodingContainer<AnyKey>.self,
            at: "list", "2"
        ) {
            var list = try end(of: $0)
            return try list.nestedContainer(keyedBy: AnyKey.self)
        },
        Example(
            "a list beyond the end", .valueNotFound, (any UnkeyedDecodingContainer).self,
            at: "list", "2"
        ) {
            var list = try end(of: $0)
            return try list.nestedUnkeyedContainer()
        },
        Example(
            "a decoder beyond the end", .valueNotFound, (any Decoder).self, at: "list", "2"
        ) {
            var list = try end(of: $0)
            return try list.superDecoder()
        },
        Example("a number in JSON as a string", .typeMismatch, String.self, at: "json", "a") {
            try $0.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("json"))
                .decode(String.self, forKey: AnyKey("a"))
        },
        Example(
            "a list in JSON as an object", .typeMismatch, [String: Any].self, at: "json", "list"
        ) {
            try $0.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("json"))
                .nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("list"))
        },
        Example("null in JSON", .valueNotFound, Int.self, at: "json", "none") {
            try $0.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("json"))
                .decode(Int.self, forKey: AnyKey("none"))
        },
        Example("null in JSON as a list", .valueNotFound, [Any].self, at: "json", "none") {
            try $0.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("json"))
                .nestedUnkeyedContainer(forKey: AnyKey("none"))
        },
        Example("null in a list in JSON", .valueNotFound, Int.self, at: "json", "list", "1") {
            try $0.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("json"))
                .decode([Int].self, forKey: AnyKey("list"))
        },
        Example("a missing value in JSON", .keyNotFound, at: "json", "b") {
            try $0.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("json"))
                .decode(Int.self, forKey: AnyKey("b"))
        },
    ]

    /// Runs a closure with the container of the record's fields.
    private func decode(
        _ run: @escaping (any Decoder) throws -> Void
    ) throws {
        let decoder = CKRecordDecoder()
        let key = try #require(Probe.body)
        decoder.userInfo[key] = Probe.Body(run: run)
        _ = try decoder.decode(Probe.self, from: Self.record(), among: [])
    }

    @Test(
        "A decoding error has the documented kind, the requested type and the path",
        arguments: fields + lists)
    func kinds(_ example: Example) throws {
        var thrown: (any Error)?
        try decode { decoder in
            do {
                try example.call(decoder.container(keyedBy: AnyKey.self))
            } catch {
                thrown = error
            }
        }
        let error = try #require(thrown as? DecodingError)
        let (kind, type, path, text) = Self.parts(of: error)
        #expect(kind == example.kind)
        #expect(path == example.path)
        #expect(!text.isEmpty)
        if let expected = example.type { #expect(type == expected) }
    }

    private static func parts(
        of error: DecodingError
    ) -> (kind: Kind?, type: Any.Type?, path: [String], text: String) {
        func names(_ path: [any CodingKey]) -> [String] { path.map(\.stringValue) }
        switch error {
        case .typeMismatch(let type, let context):
            return (.typeMismatch, type, names(context.codingPath), context.debugDescription)
        case .valueNotFound(let type, let context):
            return (.valueNotFound, type, names(context.codingPath), context.debugDescription)
        case .keyNotFound(let key, let context):
            return (
                .keyNotFound, nil, names(context.codingPath + [key]), context.debugDescription
            )
        case .dataCorrupted(let context):
            return (.dataCorrupted, nil, names(context.codingPath), context.debugDescription)
        @unknown default:
            return (nil, nil, [], "")
        }
    }

    @Test("A record is no number")
    func record() throws {
        try decode { decoder in
            let container = try decoder.singleValueContainer()
            let error = #expect(throws: DecodingError.self) { try container.decode(Int.self) }
            #expect(error.map { Self.parts(of: $0).kind } == .typeMismatch)
        }
    }

    @Test("A failure does not move a list's index")
    func index() throws {
        try decode { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            var list = try container.nestedUnkeyedContainer(forKey: AnyKey("list"))
            _ = try? list.decode(String.self)
            _ = try? list.nestedContainer(keyedBy: AnyKey.self)
            _ = try? list.nestedUnkeyedContainer()
            #expect(list.currentIndex == 0)
            #expect(try list.decode(Int.self) == 1)
        }
    }

    @Test("Code that tries another type after a mismatch gets the value")
    func fallback() throws {
        struct Box: CKCodable, Equatable {
            var cloudKitRecordType: String { "Box" }
            var cloudKitIdentifier: String { "box" }
            fileprivate var one = NumberOrText("5")
            fileprivate var list = [NumberOrText("5"), NumberOrText("6")]
            fileprivate var mixed = [NumberOrText("5"), NumberOrText("x")]
            fileprivate var byName = ["a": NumberOrText("5")]
        }
        let record = try CKRecordEncoder().encode(Box())[0]
        #expect(try CKRecordDecoder().decode(Box.self, from: record, among: []) == Box())
    }

    @Test("The outermost error still has the type for a reference, the path and the cause")
    func outermost() throws {
        var error = #expect(throws: CKCodableError.self) {
            try decode { decoder in
                _ = try decoder.container(keyedBy: AnyKey.self)
                    .decode(Person.self, forKey: AnyKey("missing"))
            }
        }
        #expect(error?.errorType == .recordNotFound)
        #expect(error?.path == "missing")
        error = #expect(throws: CKCodableError.self) {
            try decode { decoder in
                _ = try decoder.container(keyedBy: AnyKey.self)
                    .decode(Data.self, forKey: AnyKey("asset"))
            }
        }
        #expect(error?.errorType == .typeMismatch)
        #expect(error?.path == "asset")
        #expect(error?.underlyingError is CocoaError)
    }

    @Test(
        "A string is a decimal only as a whole",
        arguments: [
            ("1.5", "1.5"), ("-0.001", "-0.001"), ("+2", "2"), ("1e3", "1000"), ("2E-1", "0.2"),
            ("1,5", nil), ("1.5 EUR", nil), (" 1", nil), ("1_000", nil), ("0x10", nil),
            ("1.2.3", nil), ("1e", nil), ("--1", nil), ("-", nil), (".", nil), ("", nil),
            ("NaN", nil), ("1e500", nil),
        ] as [(String, String?)])
    func decimals(text: String, number: String?) throws {
        let record = try Self.record()
        record["text"] = text
        let decoder = CKRecordDecoder()
        var result: Decimal?
        decoder.userInfo[try #require(Probe.body)] = Probe.Body { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            do {
                result = try container.decode(Decimal.self, forKey: AnyKey("text"))
            } catch DecodingError.typeMismatch {
                result = nil
            }
        }
        _ = try decoder.decode(Probe.self, from: record, among: [])
        #expect(result?.description == number)
    }
}
