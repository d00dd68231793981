import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Versions that were sent without an answer, and cannot be fetched.
extension LostAnswerTests {
    @Test(
        "A version that has arrived is known if it is sent again, and that answer is lost, too",
        arguments: Policy.allCases, [PhotoModel.data(1), Data()])
    func sentAgain(policy: Policy, data: Data) async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device("a", on: cloud, policy: policy, model: PhotoModel.make())
        let other = try Device("b", on: cloud, policy: policy, model: PhotoModel.make())
        func set(_ data: Data?, on device: Device) throws {
            try device.edit { context in
                try Device.object("Photo", "p", in: context).setValue(data, forKey: "data")
            }
        }
        device.store.recordConflictResolutionBlock = { _, client, _ in client }
        try device.add("Photo", ["name": "p"])
        try await Device.settle(device, other)
        try set(data, on: device)
        try await device.syncLosingAnswer(on: cloud, model: PhotoModel.make())
        let fault = cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.downloadAsset, device: device.cloudContainer.device),
            occurrences: .always)
        try await device.syncLosingAnswer(on: cloud, model: PhotoModel.make())
        cloud.faults.remove(fault)
        try await other.store.sync()
        try set(nil, on: other)
        try await other.store.sync()
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try device.count("Photo") == 1)
            try device.read { context in
                let photo = try Device.object("Photo", "p", in: context)
                #expect(photo.value(forKey: "data") == nil)
            }
        }
    }
}
