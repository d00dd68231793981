import CloudKit
import NestedCloudKitCodable
import Testing

@Suite("Objects that already have records")
struct UpdateTests {
    /// The server's records of the example school.
    private func savedRecords(_ test: TestCloud) async throws -> [CKRecord] {
        try await test.save(School.example)
        var records: [CKRecord] = []
        for name in ["school", "ada", "bob", "978-1", "978-2"] {
            records.append(try await test.fetchedRecord(name))
        }
        return records
    }

    @Test("Records whose objects have not changed have no changed keys")
    func unchanged() async throws {
        let test = try await TestCloud()
        let records = try await savedRecords(test)
        let updated = try test.encoder.encode(School.example, updating: records)
        #expect(updated.count == 5)
        #expect(updated.allSatisfy { $0.changedKeys().isEmpty })
    }

    @Test("A changed object changes only its fields, and its record keeps the change tag")
    func changed() async throws {
        let test = try await TestCloud()
        let records = try await savedRecords(test)
        var school = School.example
        school.students?[1].name = "Robert"
        let updated = try test.encoder.encode(school, updating: records)
        let changed = updated.filter { !$0.changedKeys().isEmpty }
        #expect(changed.map(\.recordID.recordName) == ["bob"])
        #expect(changed.first?.changedKeys() == ["name"])
        #expect(changed.first?.recordChangeTag == records[2].recordChangeTag)
        try await test.save(changed)
        #expect(try await test.fetch(School.self, "school") == school)
    }

    @Test(
        "Another client's fields stay when an object is edited, and are no changes when it is not")
    func otherFields() async throws {
        let test = try await TestCloud()
        var records = try await savedRecords(test)
        for record in records { record["added"] = "later" }
        try await test.save(records)
        records = []
        for name in ["school", "ada", "bob", "978-1", "978-2"] {
            records.append(try await test.fetchedRecord(name))
        }
        var updated = try test.encoder.encode(School.example, updating: records)
        #expect(updated.allSatisfy { $0.changedKeys().isEmpty })
        var school = School.example
        school.name = nil
        school.students?[1].name = "Robert"
        updated = try test.encoder.encode(school, updating: records)
        #expect(updated.flatMap { $0.changedKeys() } == ["name", "name"])
        try await test.save(updated.filter { !$0.changedKeys().isEmpty })
        for name in ["school", "bob"] {
            #expect(try await test.fetchedRecord(name)["added"] == "later")
        }
        #expect(try await test.fetch(School.self, "school") == school)
    }

    @Test("A property that has become nil is removed from the record")
    func removed() async throws {
        let test = try await TestCloud()
        let records = try await savedRecords(test)
        var school = School.example
        school.name = nil
        let updated = try test.encoder.encode(school, updating: records)
        #expect(updated.last?.changedKeys() == ["name"])
        try await test.save(updated.filter { !$0.changedKeys().isEmpty })
        #expect(try await test.fetch(School.self, "school").name == nil)
    }

    @Test("A list that has become empty is an empty list in the record")
    func emptied() async throws {
        let test = try await TestCloud()
        let records = try await savedRecords(test)
        var school = School.example
        school.books = []
        let updated = try test.encoder.encode(school, updating: records)
        let changed = updated.filter { !$0.changedKeys().isEmpty }
        #expect(changed.map { $0.changedKeys() } == [["books"]])
        let books: [CKRecord.Reference]? = changed.first?["books"]
        #expect(books == [])
        try await test.save(changed)
        let record = try await test.fetchedRecord("school")
        let again = try test.encoder.encode(school, updating: [record])
        #expect(again.last?.changedKeys() == [])
        #expect(try await test.fetch(School.self, "school").books == [])
    }

    @Test("New objects get new records beside the given ones")
    func added() async throws {
        let test = try await TestCloud()
        let records = try await savedRecords(test)
        var school = School.example
        school.books?.append(Book(isbn: "978-3", title: "CloudKit"))
        let updated = try test.encoder.encode(school, updating: records)
        #expect(
            updated.filter { $0.recordChangeTag == nil }.map(\.recordID.recordName) == ["978-3"])
        #expect(updated.last?.changedKeys() == ["books"])
    }

    @Test("A record of another type than its object is an error, and no record is changed")
    func otherType() throws {
        let record = CKRecord(recordType: "Pet", recordID: CKRecord.ID(recordName: "school"))
        let error = #expect(throws: CKCodableError.self) {
            try CKRecordEncoder().encode(School.example, updating: [record])
        }
        #expect(error?.errorType == .conflictingIdentifier)
        #expect(record.allKeys().isEmpty)
    }
}
