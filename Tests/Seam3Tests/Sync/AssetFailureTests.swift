import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Assets that fail") struct AssetFailureTests {
    let cloud = LocalCloud.inMemory()

    private func device(_ name: String) throws -> Device {
        try Device(name, on: cloud, model: PhotoModel.make())
    }

    private func names(on device: Device) throws -> Set<String> {
        try device.read { context in
            Set(
                try Device.all("Photo", in: context)
                    .compactMap { $0.value(forKey: "name") as? String })
        }
    }

    private func addPhotos(_ count: Int, size: Int = 200_000, on device: Device) throws {
        try device.edit { context in
            for index in 0..<count {
                let photo = NSEntityDescription.insertNewObject(
                    forEntityName: "Photo", into: context)
                photo.setValue("photo \(index)", forKey: "name")
                photo.setValue(PhotoModel.data(UInt8(index % 200), size), forKey: "data")
            }
        }
    }

    /// A permanent problem with one asset.
    static let codes: [ServerErrorCode] = [
        .assetNotAvailable, .assetFileNotFound, .internalError, .serverRejectedRequest,
        .badRequest, .networkFailure, .accessDenied, .notFound,
    ]

    @Test("One that can never be fetched delays nothing else on either device", arguments: codes)
    func alwaysFails(code: ServerErrorCode) async throws {
        let a = try device("a")
        let b = try device("b")
        try await b.store.sync()
        try addPhotos(1, on: a)
        for name in ["1", "2", "3"] { try a.add("Photo", ["name": name]) }
        try await a.store.sync()
        try b.add("Photo", ["name": "own"])
        cloud.faults.add(
            .fail(code), for: .kind(.downloadAsset, device: b.cloudContainer.device),
            occurrences: .always)
        for _ in 1...2 { await b.attemptSync() }
        #expect(try names(on: b) == ["1", "2", "3", "own"])
        #expect(try b.store.syncStatus().pendingChangeCount == 0)
        #expect(try await RawClientNames(cloud).names() == ["photo 0", "1", "2", "3", "own"])
        cloud.faults.removeAll()
        for _ in 1...2 { await b.attemptSync() }
        #expect(try names(on: b) == ["photo 0", "1", "2", "3", "own"])
        #expect(try b.externalFileSizes() == [200_000])
    }

    @Test("One that fails once costs one more download", arguments: codes)
    func failsOnce(code: ServerErrorCode) async throws {
        let a = try device("a")
        let b = try device("b")
        try await b.store.sync()
        try addPhotos(60, size: 140_000, on: a)
        try await a.store.sync()
        let log = RequestLog(.downloadAsset, of: b, on: cloud)
        cloud.faults.add(
            .fail(code), for: .kind(.downloadAsset, device: b.cloudContainer.device),
            occurrences: .nth(30))
        for _ in 1...3 { await b.attemptSync() }
        #expect(try b.count("Photo") == 60)
        #expect(log.count <= 65, "\(log.count) downloads")
    }

    @Test("Several that break off one after another arrive in the end", arguments: [2, 7])
    func breaksOff(every count: Int) async throws {
        let a = try device("a")
        let b = try device("b")
        try await b.store.sync()
        try addPhotos(20, size: 140_000, on: a)
        try await a.store.sync()
        let log = RequestLog(.downloadAsset, of: b, on: cloud)
        // The connection repeatedly fails after a few assets.
        for number in 1...40 {
            cloud.faults.add(
                .fail(.networkFailure), for: .kind(.downloadAsset, device: b.cloudContainer.device),
                occurrences: .nth(number * count))
        }
        for _ in 1...20 { await b.attemptSync() }
        #expect(try b.count("Photo") == 20)
        #expect(log.count <= 60, "\(log.count) downloads")
    }

    @Test(
        "A request fetches no more of them than a connection can carry", arguments: [false, true])
    func requestSize(isUpdate: Bool) async throws {
        let a = try device("a")
        if isUpdate { try addPhotos(24, size: 10, on: a) }
        try await a.store.sync()
        let log = RequestLog(.modifyRecords, of: a, on: cloud)
        if isUpdate {
            try a.edit { context in
                for photo in try Device.all("Photo", in: context) {
                    photo.setValue(PhotoModel.data(9, 1_000_000), forKey: "data")
                }
            }
        } else {
            try addPhotos(24, size: 1_000_000, on: a)
        }
        try await a.store.sync()
        #expect(log.requests.map(\.items.count).reduce(0, +) == 24)
        let most = log.requests.map(\.items.count).max() ?? 0
        #expect(most <= 10, "\(most) MB in one request")
    }

    @Test("A record that cannot be fetched is not deleted along with one that it refers to")
    func cascade() async throws {
        let device = try Device("device", on: cloud)
        try await device.store.sync()
        let client = RawClient(cloud)
        for folder in ["kept", "unrelated"] {
            try await client.save(client.record("Folder", named: folder, ["name": folder]))
        }
        try await device.store.sync()
        let folder = try TestFolder()
        let file = folder.url.appendingPathComponent("chime")
        try Data(repeating: 1, count: 200_000).write(to: file)
        let clock = client.record("Clock", named: "clock", ["label": "home"])
        clock["chime"] = CKAsset(fileURL: file)
        clock["folder"] = client.reference(to: "kept", action: .deleteSelf)
        try await client.save(clock)
        try device.edit { context in
            for folder in ["kept", "unrelated"] {
                context.delete(try Device.object("Folder", folder, in: context))
            }
        }
        cloud.faults.add(
            .fail(.assetNotAvailable),
            for: .kind(.downloadAsset, device: device.cloudContainer.device),
            occurrences: .always)
        for _ in 1...2 { await device.attemptSync() }
        #expect(
            try await client.records().map(\.recordID.recordName).sorted() == ["clock", "kept"])
        #expect(try device.store.syncStatus().pendingChangeCount == 1)

        cloud.faults.removeAll()
        for _ in 1...2 { await device.attemptSync() }
        #expect(try await client.records().map(\.recordID.recordName) == ["clock"])
        #expect(try device.read { try Device.clock("home", in: $0).value(forKey: "folder") } == nil)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    /// The names of the photos on the server.
    private struct RawClientNames {
        let client: RawClient

        init(_ cloud: LocalCloud) { client = RawClient(cloud) }

        func names() async throws -> Set<String> {
            Set(
                try await client.records().compactMap { record in
                    let name: String? = record["name"]
                    return name
                })
        }
    }

    @Test(
        "One that fails once takes no edit from an object whose save was not answered",
        arguments: SMSyncConflictResolutionPolicy.allCases, [false, true])
    func editAfterLostAnswer(policy: SMSyncConflictResolutionPolicy, isNew: Bool) async throws {
        let device = try Device("device", on: cloud, policy: policy)
        device.store.recordConflictResolutionBlock = { server, _, _ in server }
        if isNew {
            try device.add("Clock", ["label": "home", "note": "sent", "chime": Data([1])])
        } else {
            try device.add("Clock", ["label": "home", "note": "old", "chime": Data([1])])
            try await device.store.sync()
            try device.change("home", ["note": "sent"])
        }
        try await device.syncLosingAnswer(on: cloud)
        try device.change("home", ["note": "edited"])
        cloud.faults.add(.fail(.serverResponseLost), for: .kind(.downloadAsset))
        for _ in 1...2 { await device.attemptSync() }
        #expect(try device.value("note", of: "home") == "edited")
        let records = try await RawClient(cloud).records(ofType: "Clock")
        #expect(records.map { $0["note"] as String? } == ["edited"])
    }
}
