import CloudKit
import CoreLocation
import NestedCloudKitCodable
import Testing

@Suite("The School of the manual")
struct SchoolTests {
    @Test("Every object is one record, and the outermost object's is the last")
    func records() throws {
        let records = try CKRecordEncoder().encode(School.example)
        #expect(records.last?.recordType == "School")
        #expect(
            records.map(\.recordID.recordName).sorted()
                == ["978-1", "978-2", "ada", "bob", "school"])
        #expect(Set(records.map(\.recordID.zoneID)) == [.default])
    }

    @Test("Nested objects are references, lists of them lists of references")
    func references() throws {
        let records = try CKRecordEncoder().encode(School.example)
        let school = try #require(records.last)
        let director: CKRecord.Reference? = school["director"]
        #expect(director?.recordID.recordName == "ada")
        let students: [CKRecord.Reference]? = school["students"]
        #expect(students?.map(\.recordID.recordName) == ["ada", "bob"])
    }

    @Test("A string of two coordinates is a string in the record, or a location on request")
    func location() throws {
        let text = try #require(CKRecordEncoder().encode(School.example).last)
        #expect(text["location"] == "52.52;13.405")
        let encoder = CKRecordEncoder()
        encoder.coordinateForm = .location  // for queries by distance
        let school = try #require(encoder.encode(School.example).last)
        let location: CLLocation? = school["location"]
        #expect(location?.coordinate.latitude == 52.52)
        #expect(location?.coordinate.longitude == 13.405)
    }

    @Test("A school saved on one device is the same on another")
    func roundTrip() async throws {
        let test = try await TestCloud()
        try await test.save(School.example)
        #expect(try await test.load(School.self, "school") == School.example)
    }

    @Test("Records that are all available are decoded without a database")
    func local() throws {
        let records = try CKRecordEncoder().encode(School.example)
        let school = try #require(records.last)
        #expect(
            try CKRecordDecoder().decode(School.self, from: school, among: records)
                == School.example)
    }
}
