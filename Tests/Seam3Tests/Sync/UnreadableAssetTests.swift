import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("An asset whose file cannot be read", .tags(.oneFailureStaysAlone))
struct UnreadableAssetTests {
    let cloud = LocalCloud.inMemory()

    @Test("keeps its record from being taken over, and no other", arguments: [false, true])
    func page(isExternal: Bool) async throws {
        let model = ClockModel.make()
        model.entitiesByName["Clock"]?.attributesByName["chime"]?
            .allowsExternalBinaryDataStorage = isExternal
        // More than a record itself has room for.
        let chime = Data(count: 800_000)
        let other = try Device("other", on: cloud, model: model)
        for label in ["broken", "whole"] {
            try other.add("Clock", ["label": label, "chime": chime])
        }
        try await other.store.sync()
        let (device, container) = try Device.steered(on: cloud, model: model)
        container.page = { page in
            for record in page.records.map(\.record) where record["label"] as? String == "broken" {
                for key in record.allKeys() where record[key] is CKAsset {
                    // A folder exists, and has no bytes.
                    record[key] = CKAsset(fileURL: FileManager.default.temporaryDirectory)
                }
            }
        }
        let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(
            error?.code
                == SMStoreError.recordsNotFetched([], underlying: CKError(.internalError)).code)
        #expect(try device.read { try Device.all("Clock", in: $0).count } == 1)
        #expect(try device.value("label", of: "whole") == "whole")
        container.page = nil
        try await device.store.sync()
        #expect(try device.value("chime", of: "broken") == chime)
    }
}
