import CloudKit
import CloudKitWebServices
import CoreData
import Foundation
import LocalCloud
import Seam3
import Testing

/// `CKContainer` and `SMStore` on a cloud behind a socket.
@Suite("Containers over HTTP")
struct WebContainerTests {
    @Test(
        "A record with every type of value is saved, fetched and queried", .timeLimit(.minutes(1)))
    func records() async throws {
        let server = try await WebServer()
        let (phone, tablet) = (try await server.device(), try await server.device())
        let zone = try await phone.privateCloudDatabase.save(CKRecordZone(zoneName: "Notes"))
        #expect(zone.zoneID.ownerName == CKCurrentUserDefaultName)
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zone.zoneID))
        record["text"] = "Grüße / + = & 🙂"
        record["count"] = Int64.max
        record["rate"] = 0.1
        record["date"] = Date(timeIntervalSince1970: 1_747_999_812.347)
        record["data"] = Data([0, 255, 62, 63])
        record["texts"] = ["a", "b"]
        record.encryptedValues["secret"] = "s"
        record["link"] = CKRecord.Reference(recordID: record.recordID, action: .none)
        try await phone.privateCloudDatabase.save(record)
        let found = try await tablet.privateCloudDatabase.record(for: record.recordID)
        #expect(found["text"] == "Grüße / + = & 🙂")
        #expect(found["count"] == Int64.max)
        #expect(found["rate"] == 0.1)
        #expect(found["date"] == Date(timeIntervalSince1970: 1_747_999_812.347))
        #expect(found["data"] == Data([0, 255, 62, 63]))
        #expect(found["texts"] == ["a", "b"])
        #expect(found.encryptedValues["secret"] == "s")
        #expect((found["link"] as CKRecord.Reference?)?.recordID == record.recordID)
        #expect(found.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
        #expect(found.recordChangeTag == record.recordChangeTag)
        let query = CKQuery(
            recordType: "Note", predicate: NSPredicate(format: "count > 5 AND date < %@", Date()))
        let (matches, _) = try await tablet.privateCloudDatabase.records(
            matching: query, inZoneWith: zone.zoneID)
        #expect(matches.map(\.0) == [record.recordID])
    }

    @Test("A conflict returns the server's record, and a batch in one zone is atomic")
    func conflicts() async throws {
        let server = try await WebServer()
        let (phone, tablet) = (try await server.device(), try await server.device())
        let zoneID = try await phone.privateCloudDatabase.save(CKRecordZone(zoneName: "N")).zoneID
        let id = CKRecord.ID(recordName: "n", zoneID: zoneID)
        let record = CKRecord(recordType: "Note", recordID: id)
        try await phone.privateCloudDatabase.save(record)
        let other = try await tablet.privateCloudDatabase.record(for: id)
        other["text"] = "tablet"
        try await tablet.privateCloudDatabase.save(other)
        record["text"] = "phone"
        let error = await #expect(throws: CKError.self) {
            try await phone.privateCloudDatabase.save(record)
        }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.serverRecord?["text"] == "tablet")
        let new = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "m", zoneID: zoneID))
        let (saved, _) = try await phone.privateCloudDatabase.modifyRecords(
            saving: [record, new], deleting: [])
        let neighbor = #expect(throws: CKError.self) { try saved[new.recordID]?.get() }
        #expect(neighbor?.code == .batchRequestFailed)
    }

    @Test(
        "A batch in the default zone or the public database is saved, but never atomic")
    func defaultZone() async throws {
        let server = try await WebServer()
        let phone = try await server.device()
        for database in [phone.privateCloudDatabase, phone.publicCloudDatabase] {
            let records = ["a", "b"].map {
                CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: $0))
            }
            let (saved, _) = try await database.modifyRecords(saving: records, deleting: [])
            for record in records { _ = try saved[record.recordID]?.get() }
        }
    }

    @Test("An asset of several megabytes is transferred from file to file", .timeLimit(.minutes(1)))
    func assets() async throws {
        let server = try await WebServer()
        let (phone, tablet) = (try await server.device(), try await server.device())
        let zoneID = try await phone.privateCloudDatabase.save(CKRecordZone(zoneName: "N")).zoneID
        let bytes = Data((0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = try TemporaryFile(bytes)
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zoneID))
        record["photo"] = CKAsset(fileURL: file.url)
        try await phone.privateCloudDatabase.save(record)
        let found = try await tablet.privateCloudDatabase.record(for: record.recordID)
        let url = try #require((found["photo"] as CKAsset?)?.fileURL)
        #expect(try Data(contentsOf: url) == bytes)
        // A fetched record can be saved again with its asset.
        found["text"] = "seen"
        let (saved, _) = try await tablet.privateCloudDatabase.modifyRecords(
            saving: [found], deleting: [], savePolicy: .allKeys)
        _ = try saved[found.recordID]?.get()
    }

    @Test("More than 200 records are refused before they are sent, and the halves are saved")
    func limits() async throws {
        let server = try await WebServer()
        let phone = try await server.device()
        let records = (0..<300).map {
            CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n\($0)"))
        }
        let database = phone.privateCloudDatabase
        let error = await #expect(throws: CKError.self) {
            try await database.modifyRecords(saving: records, deleting: [])
        }
        #expect(error?.code == .limitExceeded)
        for half in [records[..<150], records[150...]] {
            let (saved, _) = try await database.modifyRecords(saving: Array(half), deleting: [])
            #expect(saved.count == 150)
        }
    }

    @Test(
        "The more specific codes of this package's server reach the client",
        arguments: [
            CKError.Code.zoneBusy, .userDeletedZone, .changeTokenExpired, .limitExceeded,
            .accountTemporarilyUnavailable, .requestRateLimited, .serviceUnavailable,
            .quotaExceeded, .serverRejectedRequest, .permissionFailure, .notAuthenticated,
        ])
    func codes(code: CKError.Code) async throws {
        let server = try await WebServer()
        let service = try await server.service()
        server.web.cloud.faults.add(
            .fail(ServerErrorCode(ckErrorCode: code.rawValue), retryAfter: 7),
            for: .kind(.listZones), occurrences: .always)
        let failure = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: privateContext)
        }
        #expect(failure?.code.ckErrorCode == code.rawValue)
        #expect(failure?.retryAfter == 7)
        #expect(failure?.uuid?.isEmpty == false)
    }

    @Test("Two stores sync through it as through any other cloud", .timeLimit(.minutes(2)))
    func stores() async throws {
        let server = try await WebServer()
        let phone = try WebStore(container: try await server.device("phone"))
        let tablet = try WebStore(container: try await server.device("tablet"))
        try phone.add("Paris")
        try phone.add("Rome")
        try await phone.store.sync()
        try await tablet.store.sync()
        #expect(try tablet.labels() == ["Paris", "Rome"])
        try tablet.add("Oslo")
        try await tablet.store.sync()
        try await phone.store.sync()
        #expect(try phone.labels() == ["Oslo", "Paris", "Rome"])
        // Another user of the same server sees nothing of it.
        let stranger = try WebStore(container: try await server.device("other", user: "bob"))
        try await stranger.store.sync()
        #expect(try stranger.labels().isEmpty)
    }

    @Test(
        "Pushes arrive through the web courier, except for the device's own changes",
        .timeLimit(.minutes(1)))
    func pushes() async throws {
        var options = WebServiceRouterOptions()
        options.pushWait = 0.2
        let server = try await WebServer(options: options)
        let phone = try await server.device("phone")
        let tablet = try await server.device("tablet")
        let (stream, continuation) = AsyncStream<String>.makeStream()
        tablet.remoteNotificationHandler = { userInfo in
            let push = CKNotification(fromRemoteNotificationDictionary: userInfo)
            continuation.yield(push?.subscriptionID ?? "none")
        }
        try await tablet.registerForRemoteNotifications()
        let zoneID = try await tablet.privateCloudDatabase.save(CKRecordZone(zoneName: "N")).zoneID
        try await tablet.privateCloudDatabase.save(
            CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "sub"))
        func save(_ name: String, _ container: CKContainer) async throws {
            try await container.privateCloudDatabase.save(
                CKRecord(
                    recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zoneID)))
        }
        try await save("own", tablet)
        try await save("other", phone)
        var pushes = stream.makeAsyncIterator()
        #expect(await pushes.next() == "sub")
        // The device's own change was first, so its push would have arrived first.
        continuation.finish()
        #expect(await pushes.next() == nil)
    }
}

/// An app's store that uses a container.
private struct WebStore {
    let store: SMStore
    private let context: NSManagedObjectContext
    private let file: TemporaryFile

    init(container cloud: CKContainer) throws {
        file = try TemporaryFile()
        SMStore.registerStoreClass()
        let container = NSPersistentContainer(name: "Clocks", managedObjectModel: Self.model)
        let description = NSPersistentStoreDescription(url: file.url)
        description.type = SMStore.type
        description.setOption(cloud, forKey: SMStore.SMStoreContainerOption)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        store = try #require(
            container.persistentStoreCoordinator.persistentStores.first as? SMStore)
        store.syncAutomatically = false
        context = container.newBackgroundContext()
    }

    private static var model: NSManagedObjectModel {
        let label = NSAttributeDescription()
        label.name = "label"
        label.attributeType = .stringAttributeType
        label.isOptional = true
        let clock = NSEntityDescription()
        clock.name = "Clock"
        clock.properties = [label]
        let model = NSManagedObjectModel()
        model.entities = [clock]
        return model
    }

    func add(_ label: String) throws {
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                .setValue(label, forKey: "label")
            try context.save()
        }
    }

    func labels() throws -> [String] {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
            return try context.fetch(request).compactMap { $0.value(forKey: "label") as? String }
        }
    }
}
