import CloudKit
import NestedCloudKitCodable
import Testing

@Suite("Errors name the property at fault")
struct ErrorTests {
    private func encodingError(_ object: any CKEncodable) -> CKCodableError? {
        do {
            _ = try CKRecordEncoder().encode(object)
            return nil
        } catch {
            return error as? CKCodableError
        }
    }

    @Test("A number that is not finite", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(_ score: Double) {
        var school = School.example
        school.students?[1].score = score
        let error = encodingError(school)
        #expect(error?.errorType == .unsupportedValue)
        #expect(error?.path == "students[1].score")
    }

    @Test("An integer of more than 63 bits")
    func largeInteger() {
        struct Counter: CKEncodable {
            var cloudKitRecordType: String { "Counter" }
            var cloudKitIdentifier: String { "c" }
            var values = [1, UInt64.max]
        }
        let error = encodingError(Counter())
        #expect(error?.errorType == .unsupportedValue)
        #expect(error?.path == "values[1]")
    }

    @Test("An optional integer of more than 63 bits")
    func largeOptionalInteger() {
        struct Counter: CKEncodable {
            var cloudKitRecordType: String { "Counter" }
            var cloudKitIdentifier: String { "c" }
            var value: UInt64? = .max
        }
        #expect(encodingError(Counter())?.path == "value")
    }

    @Test("The decimal that is not a number")
    func decimal() {
        struct Price: CKEncodable {
            var cloudKitRecordType: String { "Price" }
            var cloudKitIdentifier: String { "p" }
            var values = [Decimal(1), .nan]
        }
        let error = encodingError(Price())
        #expect(error?.errorType == .unsupportedValue)
        #expect(error?.path == "values[1]")
    }

    @Test("The URL of a file inside a dictionary")
    func nestedFile() {
        struct Album: CKEncodable {
            var cloudKitRecordType: String { "Album" }
            var cloudKitIdentifier: String { "a" }
            var pictures = ["cat": URL(fileURLWithPath: "/tmp/cat.png")]
        }
        let error = encodingError(Album())
        #expect(error?.errorType == .unsupportedValue)
        #expect(error?.path == "pictures.cat")
    }

    @Test(
        "An identifier that cannot name a record",
        arguments: ["", "_private", "Zürich", String(repeating: "x", count: 256)])
    func identifier(_ identifier: String) {
        var school = School.example
        school.books?[1].isbn = identifier
        let error = encodingError(school)
        #expect(error?.errorType == .invalidIdentifier)
        #expect(error?.path == "books[1]")
    }

    @Test(
        "A record type that CloudKit does not accept, of the outermost object or of another",
        arguments: ["", "a b", "_x", "1a", "ä", "a-b", String(repeating: "x", count: 256)])
    func recordType(_ recordType: String) {
        struct Kind: CKEncodable {
            var cloudKitRecordType: String { type }
            var cloudKitIdentifier: String { type == "Outer" ? "outer" : "inner" }
            let type: String
            var next: [Kind] = []
        }
        let outermost = encodingError(Kind(type: recordType))
        #expect(outermost?.errorType == .invalidRecordType)
        #expect(outermost?.path == "")
        #expect(outermost?.reason.contains("\"\(recordType)\"") == true)
        #expect(outermost?.reason.contains("Kind") == true)
        let inner = encodingError(Kind(type: "Outer", next: [Kind(type: recordType)]))
        #expect(inner?.errorType == .invalidRecordType)
        #expect(inner?.path == "next[0]")
    }

    @Test("An object's own error has the path from the outermost object")
    func codingPath() throws {
        struct Parent: CKEncodable {
            var cloudKitRecordType: String { "Parent" }
            var cloudKitIdentifier: String { "parent" }
            var kids = ["none": [Kid()]]
        }
        struct Kid: CKEncodable {
            var cloudKitRecordType: String { "Kid" }
            var cloudKitIdentifier: String { "kid" }
            var toys = [Toy()]
        }
        struct Toy: Encodable {
            private enum CodingKeys: CodingKey { case parts }

            func encode(to encoder: any Encoder) throws {
                let paths = [
                    encoder.codingPath, encoder.singleValueContainer().codingPath,
                    encoder.container(keyedBy: CodingKeys.self).codingPath,
                ].map { $0.map(\.stringValue) }
                #expect(paths.allSatisfy { $0 == ["kids", "none", "0", "toys", "0"] })
                var container = encoder.container(keyedBy: CodingKeys.self)
                let parts = container.nestedUnkeyedContainer(forKey: .parts)
                throw EncodingError.invalidValue(
                    self,
                    EncodingError.Context(codingPath: parts.codingPath, debugDescription: "Mine"))
            }
        }
        let error = #expect(throws: EncodingError.self) {
            try CKRecordEncoder().encode(Parent())
        }
        guard case .invalidValue(_, let context)? = error else {
            Issue.record("There is no invalid value")
            return
        }
        #expect(
            context.codingPath.map(\.stringValue) == ["kids", "none", "0", "toys", "0", "parts"])
    }

    @Test("Two different objects with one identifier")
    func conflict() {
        var school = School.example
        school.director?.name = "Somebody else"
        #expect(encodingError(school)?.errorType == .conflictingIdentifier)
    }

    @Test("A missing field of a nested object")
    func missing() throws {
        let records = try CKRecordEncoder().encode(School.example)
        let bob = try #require(records.first { $0.recordID.recordName == "bob" })
        bob["name"] = nil
        let error = #expect(throws: CKCodableError.self) {
            try CKRecordDecoder().decode(
                School.self, from: try #require(records.last), among: records)
        }
        #expect(error?.errorType == .typeMismatch)
        #expect(error?.path == "students[1].name")
    }

    @Test("A field of another type")
    func mismatch() throws {
        let records = try CKRecordEncoder().encode(School.example)
        let book = try #require(records.first { $0.recordID.recordName == "978-2" })
        book["title"] = 5
        let error = #expect(throws: CKCodableError.self) {
            try CKRecordDecoder().decode(
                School.self, from: try #require(records.last), among: records)
        }
        #expect(error?.errorType == .typeMismatch)
        #expect(error?.description == "books[1].title: Expected String, found a number.")
    }

    @Test("A number that does not fit the property")
    func overflow() throws {
        struct Small: CKDecodable {
            var cloudKitRecordType: String { "Small" }
            var cloudKitIdentifier: String { "s" }
            var value: Int8
        }
        let record = CKRecord(recordType: "Small")
        record["value"] = 300
        let error = #expect(throws: CKCodableError.self) {
            try CKRecordDecoder().decode(Small.self, from: record, among: [])
        }
        #expect(error?.path == "value")
    }

    @Test("An asset whose file is missing")
    func missingFile() throws {
        struct Letter: CKDecodable {
            var cloudKitRecordType: String { "Letter" }
            var cloudKitIdentifier: String { "l" }
            var content: Data
        }
        let record = CKRecord(recordType: "Letter")
        record["content"] = CKAsset(fileURL: URL(fileURLWithPath: "/nowhere/letter"))
        let error = #expect(throws: CKCodableError.self) {
            try CKRecordDecoder().decode(Letter.self, from: record, among: [])
        }
        #expect(error?.path == "content")
        #expect(error?.underlyingError != nil)
    }
}
