import CloudKit
import LocalCloud
import Testing

@Suite("Queries")
struct QueryTests {
    /// A zone with notes about meals.
    private func makeDevices() async throws -> Devices {
        let devices = try await Devices.withZone()
        let records = [("a", "Lunch", 1), ("b", "Dinner", 2), ("c", "Late lunch", 3)].map {
            name, title, count in
            let record = devices.note(name, title)
            record["count"] = count
            record["tags"] = ["meal", name]
            record["owner"] = CKRecord.Reference(recordID: devices.id("owner"), action: .none)
            record["place"] = CLLocation(latitude: 48 + Double(count), longitude: 16)
            return record
        }
        _ = try await devices.database.modifyRecords(saving: records, deleting: [])
        return devices
    }

    private func names(
        _ predicate: NSPredicate, _ descriptors: [NSSortDescriptor]? = nil, in devices: Devices
    ) async throws -> [String] {
        let query = CKQuery(recordType: "Note", predicate: predicate)
        query.sortDescriptors = descriptors ?? [NSSortDescriptor(key: "count", ascending: true)]
        let results = try await devices.otherDatabase.records(
            matching: query, inZoneWith: devices.zoneID)
        return results.matchResults.map(\.0.recordName)
    }

    @Test("The allowed operators find what they should")
    func operators() async throws {
        let devices = try await makeDevices()
        let owner = devices.id("owner")
        let table: [(NSPredicate, [String])] = [
            (NSPredicate(value: true), ["a", "b", "c"]),
            (NSPredicate(value: false), []),
            (NSPredicate(format: "title == %@", "Lunch"), ["a"]),
            (NSPredicate(format: "title != %@", "Lunch"), ["b", "c"]),
            (NSPredicate(format: "count > 1 AND count <= 3"), ["b", "c"]),
            (NSPredicate(format: "2 <= count"), ["b", "c"]),
            (NSPredicate(format: "count BETWEEN {1, 2}"), ["a", "b"]),
            (NSPredicate(format: "title BEGINSWITH %@", "L"), ["a", "c"]),
            (NSPredicate(format: "count IN %@", [1, 3]), ["a", "c"]),
            (NSPredicate(format: "NOT (count IN %@)", [1, 3]), ["b"]),
            (NSPredicate(format: "tags CONTAINS %@", "b"), ["b"]),
            (NSPredicate(format: "%@ IN tags", "b"), ["b"]),
            (NSPredicate(format: "ANY tags IN %@", ["a", "c"]), ["a", "c"]),
            (
                NSPredicate(
                    format: "owner == %@", CKRecord.Reference(recordID: owner, action: .none)),
                ["a", "b", "c"]
            ),
            (NSPredicate(format: "owner == %@", owner), ["a", "b", "c"]),
            (NSPredicate(format: "self CONTAINS %@", "LUNCH"), ["a", "c"]),
        ]
        for (predicate, expected) in table {
            let found = try await names(predicate, in: devices)
            #expect(found == expected, "\(predicate._structuralFormat)")
        }
    }

    @Test(
        "Operators that CloudKit does not allow are invalid arguments",
        arguments: [
            "count == 1 OR count == 2", "title LIKE 'L*'", "title ENDSWITH 'h'",
            "title MATCHES 'L.*'", "owner.title == 'x'", "ALL tags == 'x'", "title ==[c] 'lunch'",
            "title == note",
        ])
    func refused(format: String) async throws {
        let devices = try await makeDevices()
        let predicate = NSPredicate(format: format)
        let code = await thrownCode { _ = try await names(predicate, in: devices) }
        #expect(code == .invalidArguments)
    }

    @Test("Results are in the order of the sort descriptors")
    func sorting() async throws {
        let devices = try await makeDevices()
        let everything = NSPredicate(value: true)
        let descending = try await names(
            everything, [NSSortDescriptor(key: "count", ascending: false)], in: devices)
        #expect(descending == ["c", "b", "a"])
        let place = CLLocation(latitude: 50.2, longitude: 16)
        let nearest = try await names(
            everything, [CKLocationSortDescriptor(key: "place", relativeLocation: place)],
            in: devices)
        #expect(nearest == ["b", "c", "a"])
    }

    @Test("A cursor leads through the pages and survives an archive")
    func pages() async throws {
        let devices = try await makeDevices()
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        query.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
        let first = try await devices.database.records(
            matching: query, inZoneWith: devices.zoneID, resultsLimit: 2)
        #expect(first.matchResults.map(\.0.recordName) == ["a", "b"])
        let cursor = try #require(first.queryCursor)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: cursor, requiringSecureCoding: true)
        let restored = try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: CKQueryOperation.Cursor.self, from: data))
        let second = try await devices.database.records(continuingMatchFrom: restored)
        #expect(second.matchResults.map(\.0.recordName) == ["c"])
        #expect(second.queryCursor == nil)
    }

    @Test("A type that nobody has saved is unknown")
    func unknownType() async throws {
        let devices = try await makeDevices()
        let query = CKQuery(recordType: "Nothing", predicate: NSPredicate(value: true))
        let code = await thrownCode {
            _ = try await devices.database.records(
                matching: query, inZoneWith: devices.zoneID, desiredKeys: nil)
        }
        #expect(code == .unknownItem)
    }

    @Test("A query survives an archive and finds the same")
    func archive() async throws {
        let query = CKQuery(
            recordType: "Note",
            predicate: NSPredicate(format: "count > 1 AND NOT (title BEGINSWITH %@)", "L"))
        query.sortDescriptors = [
            NSSortDescriptor(key: CKRecord.SystemFieldKey.creationDate, ascending: false)
        ]
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: query, requiringSecureCoding: true)
        let decoded = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuery.self, from: data))
        #expect(decoded.recordType == "Note")
        #expect(decoded.predicate._isStructurallyEqual(to: query.predicate))
        #expect(decoded.sortDescriptors?.first?.key == "creationDate")
        #expect(decoded.sortDescriptors?.first?.ascending == false)
    }
}
