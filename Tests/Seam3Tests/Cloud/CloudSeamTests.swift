import CloudKit
import CloudKitService
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// The contract of `SMCloudContainer` and `SMCloudZone`, for both conforming types.
@Suite("A cloud behind the seam") struct CloudSeamTests {
    let cloud = LocalCloud.inMemory()
    let zoneID = CKRecordZone.ID(zoneName: "zone", ownerName: CKCurrentUserDefaultName)

    private func device(
        _ path: CloudPath, _ name: String = "a"
    ) -> (container: any TestContainer, zone: any SMCloudZone) {
        let container = path.container(on: cloud, device: name)
        return (container, container.zone(zoneID) { .userInitiated })
    }

    private func id(_ name: String) -> CKRecord.ID {
        CKRecord.ID(recordName: name, zoneID: zoneID)
    }

    private func record(_ name: String, _ text: String? = nil) -> SMCloudRecord {
        let record = CKRecord(recordType: "Note", recordID: id(name))
        record["text"] = text
        return SMCloudRecord(record)
    }

    /// Saves a record, and returns the server's version.
    private func save(_ record: SMCloudRecord, in zone: any SMCloudZone) async throws
        -> SMCloudRecord
    {
        let answer = try await zone.modify(saving: [record], deleting: [])
        #expect(answer.failure == nil)
        return try #require(try answer.saved[record.record.recordID]?.get())
    }

    @Test("keeps what the last request has left in the zone", arguments: CloudPath.available)
    func clientToken(path: CloudPath) async throws {
        let (zone, other) = (device(path, "a").zone, device(path, "b").zone)
        try await zone.createZone()
        #expect(try await zone.changes(since: nil, limit: 10).clientToken == nil)
        for (number, writer) in [zone, other].enumerated() {
            let token = Data([UInt8(number + 1)])
            _ = try await writer.modify(
                saving: [record("\(number)")], deleting: [], clientToken: token)
            _ = try await writer.modify(saving: [], deleting: [id("\(number)")])
            #expect(try await zone.changes(since: nil, limit: 10).clientToken == token)
        }
    }

    private func code(_ body: () async throws -> Void) async -> CKError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? CKError)?.code
        }
    }

    private static func code<Value>(_ result: Result<Value, any Error>?) -> CKError.Code? {
        guard case .failure(let error) = result else { return nil }
        return (error as? CKError)?.code
    }

    // MARK: - Success

    @Test("says who is signed in", arguments: CloudPath.available)
    func account(path: CloudPath) async throws {
        let (container, _) = device(path)
        #expect(try await container.accountStatus() == .available)
        let user = try await container.userRecordID().recordName
        #expect(try await cloud.fetchCaller(in: container.context).userRecordName == user)
        try cloud.signOut()
        #expect(try await container.accountStatus() == .noAccount)
        #expect(
            await code { _ = try await container.userRecordID() } == .notAuthenticated)
    }

    @Test("reports a changed account with itself as the object", arguments: CloudPath.available)
    func accountNotice(path: CloudPath) async throws {
        let (container, _) = device(path)
        let (notices, arrived) = AsyncStream<Void>.makeStream()
        let observer = NotificationCenter.default.addObserver(
            forName: .CKAccountChanged, object: container, queue: nil
        ) { _ in arrived.yield() }
        defer { NotificationCenter.default.removeObserver(observer) }
        // The response shows that the registration is complete, so that nothing is missed from now
        // on.
        _ = try await container.accountStatus()
        try cloud.signIn("other")
        for await _ in notices { break }
    }

    @Test("creates its zone, and finds it", arguments: CloudPath.available)
    func zone(path: CloudPath) async throws {
        let (_, zone) = device(path)
        #expect(zone.zoneID == zoneID)
        #expect(try await !zone.zoneExists())
        try await zone.createZone()
        try await zone.createZone()
        #expect(try await zone.zoneExists())
    }

    @Test("receives pushes for changes of other devices", arguments: CloudPath.available)
    func pushes(path: CloudPath) async throws {
        let (a, b) = (device(path), device(path, "b"))
        try await a.zone.createZone()
        try await b.zone.subscribe(id: "subscription")
        let (pushes, arrived) = AsyncStream<String?>.makeStream()
        b.container.remoteNotificationHandler = { userInfo in
            let notification = CKNotification(fromRemoteNotificationDictionary: userInfo)
            arrived.yield((notification as? CKRecordZoneNotification)?.recordZoneID?.zoneName)
        }
        try await b.container.registerForRemoteNotifications()
        _ = try await save(record("one"), in: a.zone)
        for await name in pushes {
            #expect(name == "zone")
            break
        }
    }

    @Test("saves what was changed, and deletes", arguments: CloudPath.available)
    func modification(path: CloudPath) async throws {
        let (_, zone) = device(path)
        try await zone.createZone()
        let first = record("one", "first")
        first.record["count"] = 1
        let saved = try await save(first, in: zone)
        #expect(saved.changeTag != nil)
        // Based on the saved version, so that only this key is sent.
        let change = SMCloudRecord(
            CKRecord(recordType: "Note", recordID: id("one")), changeTag: saved.changeTag)
        if path == .service {
            change.record["text"] = "second"
            let changed = try await save(change, in: zone)
            #expect(changed.changeTag != saved.changeTag)
        }
        let fetched = try #require(try await zone.records([id("one")])[id("one")]?.get())
        #expect(fetched.record["count"] == 1)
        #expect(fetched.record["text"] == (path == .service ? "second" : "first"))
        let answer = try await zone.modify(saving: [], deleting: [id("one"), id("nowhere")])
        #expect(answer.deleted.count == 2 && answer.failure == nil)
        #expect(Self.code(try await zone.records([id("one")])[id("one")]) == .unknownItem)
    }

    @Test("carries every kind of value, there and back", arguments: CloudPath.available)
    func values(path: CloudPath) async throws {
        for reader in CloudPath.available {
            let writing = device(path)
            let reading = device(reader, "b")
            try await writing.zone.createZone()
            let folder = try TestFolder()
            let sent = try Self.full(id("values"), folder.url)
            _ = try await save(SMCloudRecord(sent), in: writing.zone)
            let records = try await reading.zone.records([id("values")])
            let got = try #require(try records[id("values")]?.get()).record
            #expect(got.allKeys().filter { $0 != "secret" }.sorted() == sent.allKeys().sorted())
            for key in ["text", "integer", "double", "data", "date", "reference", "list", "dates"] {
                let (left, right) = (sent.object(forKey: key), got.object(forKey: key))
                #expect("\(left as Any)" == "\(right as Any)", "\(key)")
            }
            let double: Double? = got["double"]
            #expect(double == 2)
            let secret: String? = got.encryptedValues["secret"]
            #expect(secret == "hidden")
            let place: CLLocation? = got["place"]
            #expect(place?.coordinate.latitude == 52.5)
            let asset: CKAsset? = got["asset"]
            #expect(try Data(contentsOf: #require(asset?.fileURL)) == Data("bytes".utf8))
            let assets: [CKAsset]? = got["assets"]
            let contents = try assets?.map { try Data(contentsOf: #require($0.fileURL)) }
            #expect(contents == [Data("1".utf8), Data("2".utf8)])
            _ = try await writing.zone.modify(saving: [], deleting: [id("values")])
        }
    }

    private static func full(_ id: CKRecord.ID, _ folder: URL) throws -> CKRecord {
        let record = CKRecord(recordType: "Everything", recordID: id)
        func asset(_ text: String) throws -> CKAsset {
            let file = folder.appendingPathComponent(text)
            try Data(text.utf8).write(to: file)
            return CKAsset(fileURL: file)
        }
        record["text"] = "a text"
        record["integer"] = Int64.max
        record["double"] = 2.0
        record["data"] = Data([0, 1, 255])
        record["date"] = Date(timeIntervalSinceReferenceDate: 1234.5)
        record["reference"] = CKRecord.Reference(recordID: id, action: .none)
        record["list"] = ["x", "y"]
        record["dates"] = [Date(timeIntervalSinceReferenceDate: 1)]
        record["place"] = CLLocation(latitude: 52.5, longitude: 13.4)
        record["asset"] = try asset("bytes")
        record["assets"] = [try asset("1"), try asset("2")]
        record.encryptedValues["secret"] = "hidden"
        return record
    }

    @Test("fetches some fields without the assets of others", arguments: CloudPath.available)
    func fields(path: CloudPath) async throws {
        let (container, zone) = device(path)
        try await zone.createZone()
        let folder = try TestFolder()
        let file = folder.url.appendingPathComponent("asset")
        try Data([1, 2]).write(to: file)
        let saved = record("1", "text")
        saved.record["number"] = 7
        saved.record["asset"] = CKAsset(fileURL: file)
        _ = try await save(saved, in: zone)
        cloud.faults.add(
            .fail(.assetNotAvailable), for: .kind(.downloadAsset, device: container.device),
            occurrences: .always)
        let answers = try await zone.records([id("1"), id("2")], fields: ["number"])
        #expect(try answers[id("1")]?.get().record.allKeys() == ["number"])
        #expect(await code { _ = try answers[id("2")]?.get() } == .unknownItem)
    }

    @Test("reports changes page by page, each once", arguments: CloudPath.available)
    func changes(path: CloudPath) async throws {
        let (_, zone) = device(path)
        try await zone.createZone()
        for name in ["one", "two", "three"] { _ = try await save(record(name), in: zone) }
        let first = try await zone.changes(since: nil, limit: 2)
        #expect(first.records.count == 2 && first.moreComing && first.failures.isEmpty)
        #expect(first.records.allSatisfy { $0.changeTag != nil })
        let second = try await zone.changes(since: first.token, limit: 2)
        #expect(second.records.count == 1 && !second.moreComing)
        _ = try await zone.modify(saving: [], deleting: [id("one")])
        let third = try await zone.changes(since: second.token, limit: 2)
        #expect(third.records.isEmpty && third.deletions == [id("one")])
        let last = try await zone.changes(since: third.token, limit: 2)
        #expect(last.records.isEmpty && last.deletions.isEmpty && !last.moreComing)
        #expect(last.token == third.token)
    }

    @Test("reports zones that were changed or deleted", arguments: CloudPath.available)
    func databaseChanges(path: CloudPath) async throws {
        let (container, zone) = device(path)
        try await zone.createZone()
        let first = try await zone.databaseChanges(since: nil)
        #expect(first.changed.contains(zoneID) && first.losses.isEmpty)
        let same = try await zone.databaseChanges(since: first.token)
        #expect(same.changed.isEmpty && same.token == first.token)
        try await cloud.purgeZone("zone", in: container.context)
        #expect(try await zone.databaseChanges(since: first.token).losses == [zoneID: .purged])
        try await zone.createZone()
        let again = try await zone.databaseChanges(since: first.token)
        try await cloud.resetEncryptedData(ofZone: "zone", in: container.context)
        let losses = try await zone.databaseChanges(since: again.token).losses
        #expect(losses == [zoneID: .encryptedDataReset])
    }

    // MARK: - Conflicts

    @Test(
        "returns the server's record of a conflict, for a new save",
        arguments: CloudPath.available)
    func conflict(path: CloudPath) async throws {
        let (a, b) = (device(path), device(path, "b"))
        try await a.zone.createZone()
        _ = try await save(record("one", "by a"), in: a.zone)
        let answer = try await b.zone.modify(saving: [record("one", "by b")], deleting: [])
        #expect(Self.code(answer.saved[id("one")]) == .serverRecordChanged)
        let server = try #require(answer.serverRecords[id("one")])
        #expect(server.record["text"] == "by a" && server.changeTag != nil)
        server.record["text"] = "by both"
        _ = try await save(server, in: b.zone)
        let fetched = try await a.zone.records([id("one")])[id("one")]?.get()
        #expect(fetched?.record["text"] == "by both")
    }

    @Test(
        "lacks the server's record if the server does not send it", arguments: CloudPath.available)
    func conflictWithoutRecord(path: CloudPath) async throws {
        let (_, zone) = device(path)
        try await zone.createZone()
        _ = try await save(record("one", "first"), in: zone)
        cloud.faults.add(.omitFromConflicts([.serverRecord]), for: .kind(.modifyRecords))
        let answer = try await zone.modify(saving: [record("one", "second")], deleting: [])
        #expect(Self.code(answer.saved[id("one")]) == .serverRecordChanged)
        #expect(answer.serverRecords.isEmpty)
    }
}
