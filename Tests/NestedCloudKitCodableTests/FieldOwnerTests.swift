import CloudKit
import NestedCloudKitCodable
import Testing

/// What an old version of an app knows of a note.
private struct Note: CKCodable {
    var cloudKitRecordType: String { "Note" }
    var cloudKitIdentifier: String { "note" }
    func ignoredProperties() -> [String] { ["draft"] }
    var title = "t"
    var subtitle: String?
    var tags: [String]?
    var draft: String?
}

/// A note that decides itself what it encodes.
private struct TerseNote: CKEncodable {
    var cloudKitRecordType: String { "Note" }
    var cloudKitIdentifier: String { "note" }

    private enum CodingKeys: CodingKey { case title, subtitle }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("t", forKey: .title)
    }
}

/// A note with a nil in the record.
private struct NullNote: CKEncodable {
    var cloudKitRecordType: String { "Note" }
    var cloudKitIdentifier: String { "note" }
    var subtitle: String??

    init() { subtitle = .some(nil) }
}

/// A note whose names are chosen at run time.
private struct OpenNote: CKEncodable {
    var cloudKitRecordType: String { "Note" }
    var cloudKitIdentifier: String { "note" }
    func ignoredProperties() -> [String] { ["draft"] }
    var texts = ["title": "t"]

    func encode(to encoder: any Encoder) throws { try texts.encode(to: encoder) }
}

/// A note that encodes its content as its only value.
private struct Envelope: CKEncodable {
    var cloudKitRecordType: String { "Note" }
    var cloudKitIdentifier: String { "note" }
    func ignoredProperties() -> [String] { ["draft"] }

    private struct Content: Encodable {
        var title = "t"
        var subtitle: String?
        var draft = "new"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Content())
    }
}

/// A note that is one of several things.
private enum AnyNote: CKEncodable {
    case title(String)
    case subtitle(String)

    var cloudKitRecordType: String { "Note" }
    var cloudKitIdentifier: String { "note" }
}

private class Text: Encodable {
    var subtitle: String?
}

/// A note whose superclass encodes itself into the same record.
private final class SharedNote: Text, CKRecordRepresentable {
    var cloudKitRecordType: String { "Note" }
    var cloudKitIdentifier: String { "note" }
    private enum CodingKeys: CodingKey { case title }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("t", forKey: .title)
        try super.encode(to: encoder)
    }
}

/// A note whose superclass has nothing to encode.
private final class SeparateNote: Text, CKRecordRepresentable {
    var cloudKitRecordType: String { "Note" }
    var cloudKitIdentifier: String { "note" }
    private enum CodingKeys: CodingKey { case title }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("t", forKey: .title)
        _ = container.superEncoder()
    }
}

/// Two objects with the record of a note, one of which knows only the title.
private struct Pair: CKEncodable {
    var cloudKitRecordType: String { "Pair" }
    var cloudKitIdentifier: String { "pair" }
    var first = Title()
    var second = Note()

    struct Title: CKEncodable {
        var cloudKitRecordType: String { "Note" }
        var cloudKitIdentifier: String { "note" }
        var title = "t"
    }
}

@Suite("The fields of a record that is updated")
struct FieldOwnerTests {
    /// An object, and which fields of an existing record remain when it is encoded.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let object: @Sendable () -> any CKEncodable
        let remaining: Set<String>
    }

    static let examples = [
        Example(
            testDescription: "synthesized keys", object: { Note() },
            remaining: ["title", "body", "draft", "super"]),
        Example(
            testDescription: "a property that encode(to:) omits", object: { TerseNote() },
            remaining: ["title", "tags", "body", "draft", "super"]),
        Example(
            testDescription: "an explicit nil", object: { NullNote() },
            remaining: ["title", "tags", "body", "draft", "super"]),
        Example(
            testDescription: "keys for every name", object: { OpenNote() },
            remaining: ["title", "draft"]),
        Example(
            testDescription: "a single value with keys", object: { Envelope() },
            remaining: ["title", "tags", "body", "draft", "super"]),
        Example(
            testDescription: "an enumeration", object: { AnyNote.title("t") },
            remaining: ["title", "tags", "body", "draft", "super"]),
        Example(
            testDescription: "a superclass with keys of its own", object: { SharedNote() },
            remaining: ["title", "tags", "body", "draft", "super"]),
        Example(
            testDescription: "a superclass in a container of its own", object: { SeparateNote() },
            remaining: ["title", "subtitle", "tags", "body", "draft"]),
    ]

    private static func record() -> CKRecord {
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "note"))
        for name in ["title", "subtitle", "tags", "body", "draft", "super"] { record[name] = "old" }
        return record
    }

    @Test(
        "A field that the type knows and the object has not is removed, and no other",
        arguments: examples)
    func remaining(_ example: Example) throws {
        let record = Self.record()
        let updated = try CKRecordEncoder().encode(example.object(), updating: [record])
        #expect(updated.last === record)
        #expect(Set(record.allKeys()) == example.remaining)
        if example.remaining.contains("body") { #expect(record["body"] == "old") }
        if example.remaining.contains("draft") { #expect(record["draft"] == "old") }
    }

    @Test("The field of an ignored property is decoded if the record has one")
    func ignored() throws {
        let record = Self.record()
        record["tags"] = nil
        #expect(try CKRecordDecoder().decode(Note.self, from: record, among: []).draft == "old")
        record["draft"] = nil
        #expect(try CKRecordDecoder().decode(Note.self, from: record, among: []).draft == nil)
    }

    @Test("Records of nested objects keep the fields that are unknown")
    func nested() throws {
        let records = try CKRecordEncoder().encode(School.example)
        for record in records { record["added"] = "later" }
        var school = School.example
        school.students?[1].name = "Robert"
        school.students?[0].favorite = nil
        school.director?.favorite = nil
        school.name = nil
        let updated = try CKRecordEncoder().encode(school, updating: records)
        #expect(updated.count == 5)
        #expect(updated.allSatisfy { $0["added"] == "later" })
        #expect(updated.last?["name"] == nil)
        #expect(updated.first { $0.recordID.recordName == "ada" }?["favorite"] == nil)
    }

    @Test("Two types with one record remove what either of them knows")
    func twoTypes() throws {
        let record = Self.record()
        _ = try CKRecordEncoder().encode(Pair(), updating: [record])
        #expect(Set(record.allKeys()) == ["title", "body", "draft", "super"])
    }
}
