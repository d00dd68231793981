import CloudKit
import Testing

@Suite("Record values")
struct RecordValueTests {
    private let record = CKRecord(recordType: "Note")

    @Test("A string is read back typed, as an object, and untyped")
    func string() throws {
        record["title"] = "Lunch"
        let typed: String? = record["title"]
        let object = record["title"] as? NSString
        let untyped: (any CKRecordValueProtocol)? = record["title"]
        #expect(typed == "Lunch")
        #expect(object == "Lunch")
        #expect(untyped as? String == "Lunch")
        let number: Int? = record["title"]
        #expect(number == nil)
    }

    @Test("Integers of every width can be read as any width that holds them")
    func integers() {
        record["small"] = UInt8(200)
        let asInt: Int? = record["small"]
        let asInt8: Int8? = record["small"]
        let asDouble: Double? = record["small"]
        #expect(asInt == 200)
        #expect(asInt8 == nil)
        #expect(asDouble == 200)
        record["least"] = Int64.min
        let least: Int64? = record["least"]
        #expect(least == .min)
    }

    @Test("An untyped number is an Int64 or a Double and nothing else")
    func untypedNumbers() {
        record["count"] = Int16(7)
        record["ratio"] = Float(0.5)
        let count: (any CKRecordValueProtocol)? = record["count"]
        let ratio: (any CKRecordValueProtocol)? = record["ratio"]
        #expect(count is Int64)
        #expect(ratio is Double)
    }

    @Test("A Boolean is a number, and only 0 and 1 are Booleans")
    func booleans() {
        record["done"] = true
        record["count"] = 2
        let done: Bool? = record["done"]
        let number: Int? = record["done"]
        let count: Bool? = record["count"]
        #expect(done == true)
        #expect(number == 1)
        #expect(count == nil)
    }

    @Test("A fraction is not an integer")
    func fractions() {
        record["ratio"] = 2.5
        let integer: Int? = record["ratio"]
        let double: Double? = record["ratio"]
        #expect(integer == nil)
        #expect(double == 2.5)
    }

    @Test("Dates, data, locations, references and assets are kept")
    func otherTypes() {
        let date = Date(timeIntervalSince1970: -1.5)
        let location = CLLocation(latitude: 48.2, longitude: 16.4)
        let reference = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "a"), action: .deleteSelf)
        record["date"] = date
        record["data"] = Data([1, 2])
        record["place"] = location
        record["owner"] = reference
        record["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/x"))
        #expect(record["date"] == date)
        #expect(record["data"] == Data([1, 2]))
        #expect(record["place"] == location)
        let owner: CKRecord.Reference? = record["owner"]
        #expect(owner?.action == .deleteSelf)
        let file: CKAsset? = record["file"]
        #expect(file?.fileURL?.path == "/tmp/x")
    }

    @Test("Lists are kept in order and typed by their elements")
    func lists() {
        record["tags"] = ["a", "b"]
        record["counts"] = [1, 2, 3]
        record["none"] = [String]()
        let tags: [String]? = record["tags"]
        let counts: [Int]? = record["counts"]
        let wrong: [String]? = record["counts"]
        let none: [Int]? = record["none"]
        let untyped: (any CKRecordValueProtocol)? = record["counts"]
        #expect(tags == ["a", "b"])
        #expect(counts == [1, 2, 3])
        #expect(wrong == nil)
        #expect(none == [])
        #expect(untyped is [Int64])
        #expect((record["tags"] as? NSArray)?.count == 2)
    }

    @Test("A value set to nil is removed from allKeys and stays in changedKeys")
    func settingNil() {
        record["title"] = "Lunch"
        record["title"] = nil
        #expect(record.allKeys() == [])
        #expect(record.changedKeys() == ["title"])
    }

    @Test("A value set through the object form is the same value")
    func objectForm() {
        record.setObject(NSString(string: "Lunch"), forKey: "title")
        let value: any CKRecordValue = NSNumber(value: 3)
        record["count"] = value
        let existential: any CKRecordValueProtocol = "x"
        record["other"] = existential
        #expect(record["title"] == "Lunch")
        #expect(record["count"] == 3)
        #expect(record["other"] == "x")
        record.setObject(nil, forKey: "title")
        #expect(record.object(forKey: "title") == nil)
    }

    @Test("A record is a sequence of its keys and values")
    func sequence() {
        record["a"] = 1
        record["b"] = "x"
        let pairs = Dictionary(uniqueKeysWithValues: record.map { ($0, "\($1)") })
        #expect(pairs == ["a": "1", "b": "x"])
    }

    @Test("Encrypted values are a separate set and belong to the record")
    func encryptedValues() {
        record.encryptedValues["secret"] = "x"
        record["open"] = 1
        let secret: String? = record.encryptedValues["secret"]
        #expect(secret == "x")
        #expect(record.allKeys() == ["open"])
        #expect(record.encryptedValues.allKeys() == ["secret"])
        #expect(record.encryptedValues.changedKeys() == ["secret"])
    }

    @Test("Tokens are the distinct words of the string fields")
    func tokens() {
        record["title"] = "Café au lait"
        record["note"] = "au revoir"
        #expect(record.allTokens().sorted() == ["au", "cafe", "lait", "revoir"])
    }
}
