import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// Photos, frames and albums, on the server and in a file of Seam3 1, which nobody has changed. A tablet has only the
/// new version of the app.
@Suite(
    "Before the first sync of a device that adopts a file, another device",
    .tags(.existingDataIsAdopted, .fullFetchSweeps, .everyRelationshipRoundTrips))
struct AdoptedOneToOneTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    let cloud = LocalCloud.inMemory()
    private let model = GalleryModel.make()
    /// The entity and the number of each object.
    private static let objects: [String: (entity: String, number: Int64)] = [
        "p1": ("Photo", 1), "p2": ("Photo", 2), "p3": ("Photo", 3), "f1": ("Frame", 1),
        "f2": ("Frame", 2), "a1": ("Album", 1), "a2": ("Album", 2),
    ]

    /// A phone that has adopted a file, and a tablet that has synced.
    ///
    /// - Parameters:
    ///   - pairs: The frames of photos.
    ///   - album: The album of the first photo.
    private func devices(
        _ pairs: [String: String], album: String? = nil, policy: Policy = .serverRecordWins
    ) async throws -> (phone: Device, tablet: Device) {
        let client = RawClient(cloud)
        try await client.createZone()
        var saved: [String: SMCloudRecord] = [:]
        var rows: [String: CoreDataFileWriter.Row] = [:]
        for (key, object) in Self.objects {
            saved[key] = try await client.saved(
                client.record(object.entity, named: key, ["key": key]))
            rows[key] = CoreDataFileWriter.Row(object.entity, object.number)
            rows[key]?.values["key"] = .text(key)
        }
        var references = pairs.flatMap { [($0, "frame", $1), ($1, "photo", $0)] }
        if let album { references.append(("p1", "album", album)) }
        for (key, end, other) in references {
            let record = try await client.record(named: key)
            record[end] = client.reference(to: other, action: .deleteSelf)
            saved[key] = try await client.saved(record)
            rows[key]?.toOnes[end] = Self.objects[other]?.number
        }
        let file = try AdoptedFile(model, Array(rows.values))
        for (key, record) in saved {
            guard let object = Self.objects[key] else { continue }
            try file.addRecord(record, to: "Z\(object.entity.uppercased())", key: object.number)
        }
        let phone = try Device(
            "phone", on: cloud, policy: policy, model: model, file: file.url,
            options: [SMStore.SMStoreAdoptionOption: true as NSNumber])
        let tablet = try Device("tablet", on: cloud, policy: policy, model: model)
        try await tablet.store.sync()
        return (phone, tablet)
    }

    /// Sets a to-one relationship.
    private func set(_ key: String, _ name: String, to other: String, on device: Device) throws {
        try device.edit { context in
            func object(_ key: String) throws -> NSManagedObject {
                let entity = try #require(Self.objects[key]).entity
                return try #require(
                    Device.all(entity, in: context).first { ShownObjects.key(of: $0) == key })
            }
            try object(key).setValue(object(other), forKey: name)
        }
    }

    /// Deletes the objects of an entity with certain keys.
    private func delete(
        _ entity: String, on device: Device, where isDeleted: (_ key: String) -> Bool
    ) throws {
        try device.edit { context in
            for object in try Device.all(entity, in: context)
            where isDeleted(ShownObjects.key(of: object)) {
                context.delete(object)
            }
        }
    }

    private func expectSame(_ phone: Device, _ tablet: Device) async throws {
        let expected = try ShownObjects(tablet)
        for device in [tablet, phone, tablet, phone] { try await device.store.sync() }
        for device in [phone, tablet] {
            let differences = try ShownObjects(device).differences(from: expected)
            #expect(differences.isEmpty, "\(device.name)")
        }
    }

    @Test(
        "puts a photo into another frame, and may delete the former one", arguments: [false, true],
        [("p1", "f2"), ("p2", "f1")])
    func moved(deletesFormer: Bool, pair: (photo: String, frame: String)) async throws {
        let (phone, tablet) = try await devices(["p1": "f1", "p2": "f2"])
        try set(pair.photo, "frame", to: pair.frame, on: tablet)
        if deletesFormer {
            try delete("Frame", on: tablet) { $0 != pair.frame }
        }
        try await expectSame(phone, tablet)
    }

    @Test(
        "puts photos into other frames, of which the phone receives one record at a time",
        arguments: Policy.allCases, [["p1": "f1", "p2": "f2"], ["p1": "f2", "p2": "f1"]])
    func movedInTurn(policy: Policy, pairs: [String: String]) async throws {
        let (phone, tablet) = try await devices(pairs, policy: policy)
        try set("p2", "frame", to: #require(pairs["p1"]), on: tablet)
        try await tablet.store.sync()
        try set("p3", "frame", to: #require(pairs["p2"]), on: tablet)
        try await tablet.store.sync()
        cloud.temper = .harsh(seed: 1, only: [.smallPages])
        cloud.temper.pageBytes = 1
        try await expectSame(phone, tablet)
    }

    @Test(
        "puts a photo into another album, and keeps it there if the phone deletes the former one",
        arguments: Policy.allCases, [false, true])
    func formerDeleted(policy: Policy, isBatch: Bool) async throws {
        let (phone, tablet) = try await devices([:], album: "a1", policy: policy)
        try set("p1", "album", to: "a2", on: tablet)
        try await tablet.store.sync()
        if isBatch {
            try phone.edit { context in
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Album")
                request.predicate = NSPredicate(format: "key == 'a1'")
                _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            }
        } else {
            try delete("Album", on: phone) { $0 == "a1" }
        }
        for device in [phone, tablet, phone, tablet] { try await device.store.sync() }
        for device in [phone, tablet] {
            let albums = try device.read { context in
                try Device.all("Photo", in: context).compactMap {
                    ($0.value(forKey: "album") as? NSManagedObject).map(ShownObjects.key(of:))
                }
            }
            #expect(albums == ["a2"], "\(device.name)")
        }
    }

    @Test("deletes an object", arguments: ["Photo", "Frame"], [false, true])
    func deleted(entity: String, arePaired: Bool) async throws {
        let (phone, tablet) = try await devices(arePaired ? ["p1": "f1"] : [:])
        try delete(entity, on: tablet) { $0.hasSuffix("1") }
        try await expectSame(phone, tablet)
    }
}
