import CoreData
import LocalCloud
import Seam3
import Testing

/// CloudKit may omit encrypted values from the record in a conflict error.
@Suite("A conflict whose record lacks its encrypted values")
struct EncryptedConflictTests {
    let cloud = LocalCloud.inMemory()

    private static func model() -> NSManagedObjectModel {
        let secret = NSAttributeDescription("secret", .stringAttributeType)
        secret.allowsCloudEncryption = true
        return NSManagedObjectModel(
            NSEntityDescription(
                "Note", [NSAttributeDescription("title", .stringAttributeType), secret]))
    }

    @Test(
        "loses none of them",
        arguments: [
            SMSyncConflictResolutionPolicy.serverRecordWins, .mergeByProperty,
            .mergeByPropertyClientWins,
        ])
    func values(policy: SMSyncConflictResolutionPolicy) async throws {
        let a = try Device("a", on: cloud, model: Self.model())
        let b = try Device("b", on: cloud, model: Self.model())
        for device in [a, b] { device.store.syncConflictResolutionPolicy = policy }
        try a.add("Note", ["title": "first", "secret": "old"])
        try await Device.settle(a, b)
        try a.edit { context in
            try Device.all("Note", in: context).first?.setValue("new", forKey: "secret")
        }
        try b.edit { context in
            try Device.all("Note", in: context).first?.setValue("second", forKey: "title")
        }
        b.interleaveSync(of: a)
        cloud.faults.add(
            .omitFromConflicts([.encryptedValues]),
            for: .kind(.modifyRecords, device: b.cloudContainer.device))
        try await b.store.sync()
        try await Device.settle(a, b)
        for device in [a, b] {
            let secrets = try device.read { context in
                try Device.all("Note", in: context).map { $0.value(forKey: "secret") as? String }
            }
            #expect(secrets == ["new"])
        }
    }
}
