import CloudKit
import LocalCloud
import NestedCloudKitCodable
import Testing

// Decoding that fetches records from a database on a test's cloud, which exists on Linux only.

/// Saves the records of a school and everything in it.
func save(_ school: School, in zoneID: CKRecordZone.ID, of database: CKDatabase) async throws {
    let encoder = CKRecordEncoder(zoneID: zoneID)
    let records = try encoder.encode(school)
    _ = try await database.modifyRecords(saving: records, deleting: [])
    try encoder.removeAssetFiles()
}

/// Fetches a school and everything in it.
func school(
    named name: String, in zoneID: CKRecordZone.ID, of database: CKDatabase
) async throws -> School {
    let record = try await database.record(
        for: CKRecord.ID(recordName: name, zoneID: zoneID))
    return try await CKRecordDecoder().decode(
        School.self, from: record, referenceDatabase: database)
}

extension TestCloud {
    /// The database on the user's other device, or on a third one instead of a `LocalContainer`.
    var database: CKDatabase {
        let container =
            otherDevice as? CKContainer
            ?? CKContainer(identifier: Self.containerIdentifier, service: cloud)
        return container.privateCloudDatabase
    }

    /// The record with a name as another device fetches it from its database, with its change tag.
    func fetchedRecord(_ name: String) async throws -> CKRecord {
        try await database.record(for: CKRecord.ID(recordName: name, zoneID: zoneID))
    }

    /// Decodes an object on another device, which fetches the records that it needs.
    func fetch<T: CKDecodable>(_ type: T.Type, _ name: String) async throws -> T {
        let database = database
        let record = try await database.record(
            for: CKRecord.ID(recordName: name, zoneID: zoneID))
        return try await CKRecordDecoder().decode(
            type, from: record, referenceDatabase: database)
    }
}

extension SchoolTests {
    @Test("The manual's two functions save a school and fetch it")
    func functions() async throws {
        let test = try await TestCloud()
        try await save(School.example, in: test.zoneID, of: test.database)
        let fetched = try await school(named: "school", in: test.zoneID, of: test.database)
        #expect(fetched == School.example)
    }

    @Test("A block gets the decoded school")
    func block() async throws {
        let test = try await TestCloud()
        try await test.save(School.example)
        let record = try await test.fetchedRecord("school")
        let (school, error) = await withCheckedContinuation { continuation in
            CKRecordDecoder().decode(
                School.self, from: record, referenceDatabase: test.database
            ) { school, error in
                continuation.resume(returning: (school, error))
            }
        }
        #expect(school == School.example)
        #expect(error == nil)
    }

    @Test("A block gets CloudKit's error")
    func blockError() async throws {
        let test = try await TestCloud()
        try await test.save(School.example)
        let record = try await test.fetchedRecord("school")
        test.cloud.faults.add(.fail(.zoneBusy), for: .kind(.lookUpRecords))
        let error = await withCheckedContinuation { continuation in
            CKRecordDecoder().decode(
                School.self, from: record, referenceDatabase: test.database
            ) { _, error in
                continuation.resume(returning: error)
            }
        }
        #expect(error?.errorType == .cloudkitError)
        #expect((error?.underlyingError as? CKError)?.code == .zoneBusy)
    }
}

extension GraphTests {
    @Test("A hundred nested objects are decoded")
    func deepest() async throws {
        let test = try await TestCloud()
        try await test.save(chain(110))
        let copy = try await test.fetch(Node.self, "n0")
        #expect(sequence(first: copy, next: \.next).reduce(0) { count, _ in count + 1 } == 101)
    }

    @Test("Beyond the depth an optional property is nil", arguments: [0, 1, 3])
    func depth(_ depth: Int) async throws {
        let test = try await TestCloud()
        try await test.save(chain(6))
        let decoder = CKRecordDecoder()
        decoder.maximumDepth = depth
        let copy = try await decoder.decode(
            Node.self, from: test.fetchedRecord("n0"), referenceDatabase: test.database)
        #expect(
            sequence(first: copy, next: \.next).reduce(0) { count, _ in count + 1 } == depth + 1)
    }

    @Test("Beyond the depth a property that is not optional is an error")
    func strictDepth() async throws {
        let test = try await TestCloud()
        try await test.save(chain(3))
        let decoder = CKRecordDecoder()
        decoder.maximumDepth = 1
        let error = await #expect(throws: CKCodableError.self) {
            try await decoder.decode(
                Strict.self, from: test.fetchedRecord("n0"), referenceDatabase: test.database)
        }
        #expect(error?.errorType == .recordNotFound)
        #expect(error?.path == "next.next")
    }

    @Test("A reference to a deleted record is nil if it may be, and an error otherwise")
    func dangling() async throws {
        let test = try await TestCloud()
        try await test.save(chain(2))
        let deleted = CKRecord.ID(recordName: "n1", zoneID: test.zoneID)
        _ = try await test.database.deleteRecord(withID: deleted)
        #expect(try await test.fetch(Node.self, "n0").next == nil)
        let error = await #expect(throws: CKCodableError.self) {
            try await test.fetch(Strict.self, "n0")
        }
        #expect(error?.errorType == .recordNotFound)
        #expect(error?.path == "next")
    }

    @Test("A level of objects is fetched in batches, not record by record")
    func batches() async throws {
        let test = try await TestCloud()
        let root = Node("root")
        root.others = (0..<900).map { Node("n\($0)") }
        try await test.save(root)
        let record = try await test.fetchedRecord("root")
        let count = test.cloud.faults.add(
            .call(.beforeCommit, { _ in }), for: .kind(.lookUpRecords),
            occurrences: .always)
        let copy = try await CKRecordDecoder().decode(
            Node.self, from: record, referenceDatabase: test.database)
        #expect(copy.others.count == 900)
        #expect(test.cloud.faults.matchCount(of: count) == 3)
    }

    @Test("A batch that is too large for the server is halved")
    func smallerBatches() async throws {
        let test = try await TestCloud()
        let root = Node("root")
        root.others = (0..<10).map { Node("n\($0)") }
        try await test.save(root)
        let record = try await test.fetchedRecord("root")
        test.cloud.faults.add(
            .fail(.limitExceeded), for: .kind(.lookUpRecords), occurrences: .next(2))
        let copy = try await CKRecordDecoder().decode(
            Node.self, from: record, referenceDatabase: test.database)
        #expect(copy.others.map(\.name) == (0..<10).map { "n\($0)" })
    }
}
