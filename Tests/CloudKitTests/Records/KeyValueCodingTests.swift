import CloudKit
import Testing

@Suite("Key-value coding of records")
struct KeyValueCodingTests {
    private let record = CKRecord(
        recordType: "Note", recordID: CKRecord.ID(recordName: "n1"))

    @Test("Fields and the record's own properties are accessible by their names")
    func reading() {
        record["title"] = "Lunch"
        record["count"] = 3
        #expect(record.value(forKey: "title") as? String == "Lunch")
        #expect(record.value(forKey: "count") as? Int == 3)
        #expect(record.value(forKey: "missing") == nil)
        #expect(record.value(forKey: "recordType") as? String == "Note")
        #expect(record.value(forKey: "recordID") as? CKRecord.ID == record.recordID)
        #expect(record.value(forKey: "creationDate") == nil)
        #expect(record.value(forKeyPath: "recordID.recordName") as? String == "n1")
    }

    @Test("Any value that a field can hold can be set, and nil removes")
    func writing() {
        record.setValue("Lunch", forKey: "title")
        record.setValue([1, 2] as [Any], forKey: "list")
        record.setValuesForKeys(["done": true, "title": NSNull()])
        #expect(record["title"] as String? == nil)
        #expect(record["list"] == [1, 2])
        #expect(record["done"] == true)
        #expect(record.changedKeys().sorted() == ["done", "list", "title"])
        let parent = CKRecord.Reference(recordID: CKRecord.ID(), action: .none)
        record.setValue(parent, forKey: "parent")
        #expect(record.parent == parent)
        record.setValue(nil, forKey: "parent")
        #expect(record.parent == nil)
        #expect(record.dictionaryWithValues(forKeys: ["title"])["title"] is NSNull)
    }

    @Test("Predicates and sort descriptors reach into records")
    func predicates() {
        let records = ["b", "c", "a"].map { title in
            let record = CKRecord(recordType: "Note")
            record["title"] = title
            record["owner"] = CKRecord.Reference(
                recordID: CKRecord.ID(recordName: "owner-" + title), action: .none)
            return record
        }
        let predicate = NSPredicate(format: "owner.recordID.recordName == %@", "owner-c")
        #expect(records.filter { predicate.evaluate(with: $0) } == [records[1]])
        let sorted = (records as NSArray).sortedArray(
            using: [NSSortDescriptor(key: "title", ascending: true)])
        #expect(sorted.compactMap { ($0 as? CKRecord)?["title"] as? String } == ["a", "b", "c"])
    }

    @Test(
        "A Swift value in Any is a record value",
        arguments: [
            "text", 1, Int8(1), Int64(1), UInt(1), UInt64(1), 1.5, Float(1.5), true, Date(), Data(),
            ["a"], [1], [Date()], [["a"]],
        ] as [any Sendable])
    func values(value: any Sendable) throws {
        let record = CKRecord(recordType: "Note")
        let anything: Any = value
        let recordValue = try #require(anything as? CKRecordValue)
        record["field"] = recordValue
        #expect(record.changedKeys() == ["field"])
        #expect(record.value(forKey: "field") != nil)
    }

    @Test("A value that no field can hold is not a record value")
    func otherValues() {
        #expect(!((URL(fileURLWithPath: "/") as Any) is CKRecordValue))
        #expect(!(([UUID()] as Any) is CKRecordValue))
        #expect(!((UUID() as Any) is CKRecordValue))
    }
}
