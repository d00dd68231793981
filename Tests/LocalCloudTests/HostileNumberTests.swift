import CloudKitService
import Foundation
import SeamSQLite
import Testing

@testable import LocalCloud

@Suite("A number of a cloud's file ends nothing") struct HostileCloudNumberTests {
    static let columns = [
        "cloud_database.sequence", "cloud_database.token_epoch", "cloud_database.bytes",
        "zone.sequence", "zone.token_epoch", "zone.tombstone_horizon", "record.sequence",
        "record.bytes", "record.created_at", "record.modified_at",
    ]

    @Test("that it counts or adds to", arguments: columns)
    func column(path: String) async throws {
        let names = path.split(separator: ".").map(String.init)
        for number in [Int64.min, -1, .max] {
            let directory = try TemporaryDirectory()
            do {
                let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
                try await test.modify(create("r", ["f": .string("x")]))
            }
            let file = directory.url.appendingPathComponent(
                "iCloud.test/development/Container.sqlite")
            try SQLiteConnection(path: file.path).execute(
                "UPDATE OR IGNORE \(names[0]) SET \(names[1]) = ?", [.integer(number)])
            var options = LocalCloudOptions()
            options.quota = 1_000
            let test = TestCloud(
                reopening: LocalCloud(directory: directory.url, options: options))
            // Whatever fails is an error.
            _ = try? await test.modify([create("s", ["f": .string("y")])])
            let request = LookUpRecordsRequest(zoneID: test.zone, records: [.init("r")])
            _ = try? await test.cloud.lookUpRecords(request, in: test.a)
            let deletion = ModifyZonesRequest(operations: [ZoneOperation(.delete, test.zone)])
            _ = try? await test.cloud.modifyZones(deletion, in: test.a)
        }
    }
}
