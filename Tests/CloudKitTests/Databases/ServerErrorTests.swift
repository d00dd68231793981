import CloudKit
import CloudKitService
import LocalCloud
import Testing

/// Every code that the server returns on its own, each with its real cause. Faults can produce the
/// others.
@Suite("Errors of the server and their causes")
struct ServerErrorTests {
    struct Situation: Sendable, CustomTestStringConvertible {
        let code: CKError.Code
        let name: String
        var options = LocalCloudOptions()
        let cause: @Sendable (Devices) async throws -> Void

        var testDescription: String { name }
    }

    @Test("A cause has its code", arguments: situations)
    func causes(situation: Situation) async throws {
        let devices = try await Devices.withZone(options: situation.options)
        let code = await thrownCode { try await situation.cause(devices) }
        #expect(code == situation.code)
    }

    private static let situations: [Situation] = [
        Situation(code: .notAuthenticated, name: "nobody is signed in") { devices in
            try devices.cloud.signOut()
            try await devices.database.save(devices.note())
        },
        Situation(code: .notAuthenticated, name: "a public write without an account") { devices in
            try devices.cloud.signOut()
            try await devices.phone.publicCloudDatabase.save(CKRecord(recordType: "Note"))
        },
        Situation(code: .notAuthenticated, name: "the account is restricted") { devices in
            try devices.cloud.setAccountStatus(.restricted)
            try await devices.database.save(devices.note())
        },
        Situation(
            code: .accountTemporarilyUnavailable, name: "the account must be verified"
        ) { devices in
            try devices.cloud.setAccountStatus(.temporarilyUnavailable)
            _ = try await devices.database.allRecordZones()
        },
        Situation(code: .permissionFailure, name: "another's public record is changed") { devices in
            let record = CKRecord(recordType: "Note")
            try await devices.phone.publicCloudDatabase.save(record)
            try devices.cloud.signIn("other", device: devices.tablet.device)
            try await devices.tablet.publicCloudDatabase.deleteRecord(withID: record.recordID)
        },
        Situation(code: .permissionFailure, name: "a user record is created") { devices in
            try await devices.database.save(CKRecord(recordType: CKRecord.SystemType.userRecord))
        },
        Situation(code: .unknownItem, name: "a missing record is fetched") { devices in
            _ = try await devices.database.record(for: devices.id("x"))
        },
        Situation(code: .unknownItem, name: "a record deleted meanwhile is saved") { devices in
            let record = try await devices.database.save(devices.note())
            try await devices.otherDatabase.deleteRecord(withID: record.recordID)
            record["title"] = "Late"
            try await devices.database.save(record)
        },
        Situation(code: .unknownItem, name: "a type that nobody saved is queried") { devices in
            let query = CKQuery(recordType: "Nothing", predicate: NSPredicate(value: true))
            _ = try await devices.database.records(matching: query)
        },
        Situation(code: .invalidArguments, name: "a field gets another type") { devices in
            try await devices.database.save(devices.note("a", "Lunch"))
            let record = devices.note("b")
            record["title"] = 7
            try await devices.database.save(record)
        },
        Situation(code: .invalidArguments, name: "an encrypted field is queried") { devices in
            let record = devices.note()
            record.encryptedValues["secret"] = "x"
            try await devices.database.save(record)
            let query = CKQuery(
                recordType: "Note", predicate: NSPredicate(format: "secret == %@", "x"))
            _ = try await devices.database.records(matching: query)
        },
        Situation(code: .invalidArguments, name: "a predicate has an OR") { devices in
            try await devices.database.save(devices.note("a", "Lunch"))
            let predicate = NSPredicate(format: "title == 'a' OR title == 'b'")
            _ = try await devices.database.records(
                matching: CKQuery(recordType: "Note", predicate: predicate))
        },
        Situation(code: .invalidArguments, name: "a reference leads to another zone") { devices in
            let record = devices.note()
            record["other"] = CKRecord.Reference(
                recordID: CKRecord.ID(recordName: "x"), action: .none)
            try await devices.database.save(record)
        },
        Situation(
            code: .invalidArguments, name: "an encrypted field is in the public database"
        ) { devices in
            let record = CKRecord(recordType: "Note")
            record.encryptedValues["secret"] = "x"
            try await devices.phone.publicCloudDatabase.save(record)
        },
        Situation(code: .invalidArguments, name: "the default zone's changes are asked for") {
            _ = try await $0.database.recordZoneChanges(inZoneWith: .default, since: nil)
        },
        Situation(code: .serverRecordChanged, name: "another device was faster") { devices in
            let record = try await devices.database.save(devices.note("a", "Lunch"))
            let other = try await devices.otherDatabase.record(for: record.recordID)
            other["title"] = "Dinner"
            try await devices.otherDatabase.save(other)
            record["title"] = "Tea"
            try await devices.database.save(record)
        },
        Situation(code: .changeTokenExpired, name: "the zone is a new one of the name") { devices in
            let token = try await devices.database.recordZoneChanges(
                inZoneWith: devices.zoneID, since: nil
            ).changeToken
            try await devices.database.deleteRecordZone(withID: devices.zoneID)
            try await devices.database.save(CKRecordZone(zoneID: devices.zoneID))
            _ = try await devices.database.recordZoneChanges(
                inZoneWith: devices.zoneID, since: token)
        },
        Situation(code: .batchRequestFailed, name: "a neighbor in the batch fails") { devices in
            let missing = devices.note("b")
            missing.setParent(devices.id("x"))
            let results = try await devices.database.modifyRecords(
                saving: [devices.note("a"), missing], deleting: [])
            _ = try results.saveResults[devices.id("a")]?.get()
        },
        Situation(code: .badDatabase, name: "a zone is saved in the public database") { devices in
            try await devices.phone.publicCloudDatabase.save(CKRecordZone(zoneName: "Z"))
        },
        Situation(code: .badDatabase, name: "a zone is saved in the shared database") { devices in
            try await devices.phone.sharedCloudDatabase.save(CKRecordZone(zoneName: "Z"))
        },
        Situation(code: .badDatabase, name: "changes of the public database") { devices in
            _ = try await devices.phone.publicCloudDatabase.databaseChanges(since: nil)
        },
        Situation(code: .quotaExceeded, name: "the storage is full", options: .quota(100)) {
            try await $0.database.save($0.note("a", String(repeating: "x", count: 200)))
        },
        Situation(code: .zoneNotFound, name: "the zone was never saved") { devices in
            let zoneID = CKRecordZone.ID(zoneName: "Missing")
            try await devices.database.save(
                CKRecord(recordType: "Note", recordID: CKRecord.ID(zoneID: zoneID)))
        },
        Situation(code: .limitExceeded, name: "more than 400 records are fetched") { devices in
            _ = try await devices.database.records(for: (0...400).map { devices.id("\($0)") })
        },
        Situation(code: .limitExceeded, name: "a record has more than a megabyte") { devices in
            try await devices.database.save(
                devices.note("a", String(repeating: "x", count: 1_000_001)))
        },
        Situation(
            code: .limitExceeded, name: "too many records go with one", options: .fanIn(2)
        ) { devices in
            try await devices.database.save(devices.note("target"))
            for name in ["a", "b", "c"] {
                let record = devices.note(name)
                record["owner"] = CKRecord.Reference(
                    recordID: devices.id("target"), action: .deleteSelf)
                try await devices.database.save(record)
            }
        },
        Situation(code: .userDeletedZone, name: "the user removed the app's data") { devices in
            try await devices.cloud.purgeZone("Notes", in: devices.phone.requestContext())
            try await devices.database.save(devices.note())
        },
        Situation(code: .referenceViolation, name: "the parent is missing") { devices in
            let record = devices.note()
            record.setParent(devices.id("x"))
            try await devices.database.save(record)
        },
        Situation(code: .referenceViolation, name: "a parent with children is deleted") { devices in
            try await devices.database.save(devices.note("parent"))
            let child = devices.note("child")
            child.setParent(devices.id("parent"))
            try await devices.database.save(child)
            try await devices.database.deleteRecord(withID: devices.id("parent"))
        },
        Situation(code: .assetFileNotFound, name: "an asset's file is missing") { devices in
            let record = devices.note()
            record["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/nonexistent/file"))
            try await devices.database.save(record)
        },
        Situation(code: .assetNotAvailable, name: "an asset's file is a folder") { devices in
            let record = devices.note()
            record["file"] = CKAsset(fileURL: FileManager.default.temporaryDirectory)
            try await devices.database.save(record)
        },
        Situation(code: .assetFileModified, name: "a file changes during its upload") { devices in
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent(UUID().uuidString)
            try Data("short".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            devices.cloud.faults.add(
                .call(.beforeCommit) { _ in try? Data("longer than before".utf8).write(to: file) },
                for: .kind(.uploadAsset))
            let record = devices.note()
            record["file"] = CKAsset(fileURL: file)
            try await devices.database.save(record)
        },
    ]
}

extension LocalCloudOptions {
    fileprivate static func quota(_ bytes: Int64) -> Self {
        var options = Self()
        options.quota = bytes
        return options
    }

    fileprivate static func fanIn(_ count: Int) -> Self {
        var options = Self()
        options.maximumDeletingReferences = count
        return options
    }
}
