import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// Two photos and two frames, on the server and in a file of Seam3 1, which nobody has changed. A tablet has only the
/// new version of the app.
@Suite(
    "Before the first sync of a device that adopts a file, another device",
    .tags(.existingDataIsAdopted, .fullFetchSweeps, .everyRelationshipRoundTrips))
struct AdoptedOneToOneTests {
    let cloud = LocalCloud.inMemory()
    private let model = GalleryModel.make()

    /// A phone that has adopted a file, and a tablet that has synced.
    ///
    /// - Parameter pairs: The frames of photos.
    private func devices(_ pairs: [String: String]) async throws -> (phone: Device, tablet: Device)
    {
        let client = RawClient(cloud)
        try await client.createZone()
        let entities = ["p1": "Photo", "p2": "Photo", "f1": "Frame", "f2": "Frame"]
        let numbers: [String: Int64] = ["p1": 1, "p2": 2, "f1": 1, "f2": 2]
        var saved: [String: SMCloudRecord] = [:]
        var rows = entities.mapValues { CoreDataFileWriter.Row($0, 0) }
        for (key, entity) in entities {
            saved[key] = try await client.saved(client.record(entity, named: key, ["key": key]))
            rows[key]?.key = numbers[key] ?? 0
            rows[key]?.values["key"] = .text(key)
        }
        for (photo, frame) in pairs {
            for (key, end, other) in [(photo, "frame", frame), (frame, "photo", photo)] {
                let record = try await client.record(named: key)
                record[end] = client.reference(to: other, action: .deleteSelf)
                saved[key] = try await client.saved(record)
                rows[key]?.toOnes[end] = numbers[other]
            }
        }
        let file = try AdoptedFile(model, Array(rows.values))
        for (key, record) in saved {
            let table = "Z\(entities[key]?.uppercased() ?? "")"
            try file.addRecord(record, to: table, key: numbers[key] ?? 0)
        }
        let phone = try Device(
            "phone", on: cloud, model: model, file: file.url,
            options: [SMStore.SMStoreAdoptionOption: true as NSNumber])
        let tablet = try Device("tablet", on: cloud, model: model)
        try await tablet.store.sync()
        return (phone, tablet)
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
        try tablet.edit { context in
            let photo = try Device.all("Photo", in: context)
                .first { ShownObjects.key(of: $0) == pair.photo }
            for frame in try Device.all("Frame", in: context) {
                if ShownObjects.key(of: frame) == pair.frame {
                    photo?.setValue(frame, forKey: "frame")
                } else if deletesFormer {
                    context.delete(frame)
                }
            }
        }
        try await expectSame(phone, tablet)
    }

    @Test("deletes an object", arguments: ["Photo", "Frame"], [false, true])
    func deleted(entity: String, arePaired: Bool) async throws {
        let (phone, tablet) = try await devices(arePaired ? ["p1": "f1"] : [:])
        try tablet.edit { context in
            let objects = try Device.all(entity, in: context)
            for object in objects where ShownObjects.key(of: object).hasSuffix("1") {
                context.delete(object)
            }
        }
        try await expectSame(phone, tablet)
    }
}
