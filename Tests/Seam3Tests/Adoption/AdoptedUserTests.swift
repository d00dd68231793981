import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// A file of Seam3 1 with a record of Ada's that is on the server, and a note that was never sent.
@Suite("The user of an adopted file", .tags(.usersStayApart)) struct AdoptedUserTests {
    let cloud = LocalCloud.inMemory()

    func model() -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription("Note", [NSAttributeDescription("name", .stringAttributeType)]))
    }

    /// The file, and the user whose record it has.
    func file() async throws -> (AdoptedFile, user: String) {
        // The zone with the record exists.
        let device = try Device("first", on: cloud, model: model())
        try await device.store.sync()
        let client = RawClient(cloud)
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "known", zoneID: client.zoneID))
        record["name"] = "known"
        let known = try await client.saved(record)
        let file = try AdoptedFile(
            model(),
            [
                CoreDataFileWriter.Row("Note", 1, ["name": "known"]),
                CoreDataFileWriter.Row("Note", 2, ["name": "unsent"]),
            ])
        try file.addRecord(known, to: "ZNOTE", key: 1)
        return (file, try await device.cloudContainer.userRecordID().recordName)
    }

    /// The store at a URL, which adopts the file there.
    func open(_ url: URL, user: String? = nil) throws -> StoreStack {
        var options: [String: NSObject] = [
            SMStore.SMStoreContainerOption: CloudPath.current.container(on: cloud),
            SMStore.SMStoreAdoptionOption: true as NSNumber,
        ]
        if let user { options[SMStore.SMStoreAdoptionUserOption] = user as NSString }
        return try StoreStack(at: url, model: model(), options: options)
    }

    /// Syncs; nil if it succeeds.
    func syncFailure(_ stack: StoreStack) async -> SMStoreError? {
        do {
            try await stack.store.sync()
            return nil
        } catch {
            return error as? SMStoreError
        }
    }

    /// The names of the signed-in user's notes; none for a user without a zone.
    func notesOnServer() async throws -> [String] {
        do {
            return try await RawClient(cloud).records(ofType: "Note")
                .compactMap { $0["name"] as? String }.sorted()
        } catch let error as CKError where error.code == .zoneNotFound {
            return []
        }
    }

    @Test("is known if the server has a record of the file; what waits is sent")
    func same() async throws {
        let (file, user) = try await file()
        for known in [nil, user] {
            let copy = try AdoptedFile(model(), [])
            try FileManager.default.removeItem(at: copy.url)
            try FileManager.default.copyItem(at: file.url, to: copy.url)
            let stack = try open(copy.url, user: known)
            try await stack.store.sync()
            #expect(try await notesOnServer().contains("unsent"))
        }
    }

    @Test("has to be given if the server has none of its records, and nothing is sent before")
    func other() async throws {
        let (file, _) = try await file()
        let stack = try open(file.url)
        try cloud.signIn("second")
        for isComplete in [false, true] {
            let error = await #expect(throws: SMStoreError.self) {
                try await stack.store.sync(complete: isComplete)
            }
            #expect(error?.code == 12)
        }
        #expect(try stack.store.syncStatus().pendingChangeCount > 0)
        #expect(try await !RawClient(cloud).zoneExists())
        // The user who owns the records comes back.
        try cloud.signIn("default")
        try await stack.store.sync()
        #expect(try await notesOnServer() == ["known", "unsent"])
    }

    @Test("that the app has given is the only one to whom the file is sent")
    func told() async throws {
        let (file, user) = try await file()
        let stack = try open(file.url, user: user)
        try cloud.signIn("second")
        let error = await #expect(throws: SMStoreError.self) { try await stack.store.sync() }
        #expect(error?.code == 11)
        try cloud.signIn("default")
        try await stack.store.sync()
        #expect(try await notesOnServer() == ["known", "unsent"])
    }

    @Test("is the one who is signed in, if the app has the data sent anyway")
    func upload() async throws {
        let (file, _) = try await file()
        let stack = try open(file.url)
        try cloud.signIn("second")
        stack.store.zoneLossHandler = { _ in .upload }
        try await stack.store.sync()
        #expect(try await notesOnServer() == ["known", "unsent"])
        #expect(try stack.store.syncStatus().pendingChangeCount == 0)
    }
}
