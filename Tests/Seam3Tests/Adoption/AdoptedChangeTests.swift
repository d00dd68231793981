import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// A photo in an album, both on the server as Seam3 1 wrote them, and in a file of Seam3 1.
@Suite("A change to an adopted file of Seam3 1", .tags(.existingDataIsAdopted, .lastIntentCounts))
struct AdoptedChangeTests {
    let cloud = LocalCloud.inMemory()
    var client: RawClient { RawClient(cloud) }

    static func model(_ further: NSAttributeDescription...) -> NSManagedObjectModel {
        let photo = NSEntityDescription(
            "Photo",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("note", .stringAttributeType),
                NSAttributeDescription("rating", .doubleAttributeType),
            ] + further)
        let album = NSEntityDescription(
            "Album", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((photo, "album", 1), (album, "photos", 0))
        return NSManagedObjectModel(photo, album)
    }

    private static func requiredPlace() -> NSAttributeDescription {
        let place = NSAttributeDescription("place", .stringAttributeType)
        place.isOptional = false
        place.defaultValue = "home"
        return place
    }

    /// The file, after the server has its records.
    ///
    /// - Parameters:
    ///   - unsent: The properties of the photo that Seam3 1 has changed and not sent, and their present values.
    ///   - isInAlbum: Whether the photo is still in its album in the file.
    func file(
        unsent: [String: SQLiteValue] = [:], isInAlbum: Bool = true, keepsModel: Bool = true
    ) async throws -> AdoptedFile {
        let client = client
        try await client.createZone()
        let album = try await client.saved(client.record("Album", named: "a", ["name": "album"]))
        let photo = client.record(
            "Photo", named: "p", ["name": "photo", "note": "note", "rating": 0.5])
        photo["album"] = client.reference(to: "a", action: .deleteSelf)
        let saved = try await client.saved(photo)
        var row = CoreDataFileWriter.Row(
            "Photo", 1, ["name": "photo", "note": "note", "rating": .real(0.5)])
        if isInAlbum { row.toOnes = ["album": 1] }
        row.values.merge(unsent) { $1 }
        let file = try AdoptedFile(
            Self.model(), keepsModel: keepsModel,
            [CoreDataFileWriter.Row("Album", 1, ["name": "album"]), row])
        try file.addRecord(album, to: "ZALBUM", key: 1)
        try file.addRecord(saved, to: "ZPHOTO", key: 1)
        if !unsent.isEmpty || !isInAlbum {
            try file.addUpdate(of: "p", changing: unsent.keys.sorted())
        }
        return file
    }

    /// The store that adopts a file, or has adopted it.
    func open(
        _ file: AdoptedFile, _ model: NSManagedObjectModel? = nil,
        _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) throws -> StoreStack {
        try file.open(
            model,
            [
                SMStore.SMStoreContainerOption: CloudPath.current.container(
                    on: cloud, device: "phone"),
                SMStore.SMStoreSyncConflictResolutionPolicyOption: NSNumber(
                    value: policy.rawValue),
            ])
    }

    func change(_ stack: StoreStack, _ values: [String: Any?]) throws {
        try stack.perform { context in
            let photo = try #require(try Device.all("Photo", in: context).first)
            for (name, value) in values { photo.setValue(value, forKey: name) }
            try context.save()
        }
    }

    func photoOnServer() async throws -> CKRecord { try await client.record(named: "p") }

    /// The album to which the server's photo refers, and whether the server would delete the photo with it.
    func albumOnServer() async throws -> (name: String?, cascades: Bool) {
        let reference: CKRecord.Reference? = try await photoOnServer()["album"]
        return (reference?.recordID.recordName, reference?.action == .deleteSelf)
    }

    @Test(
        "is possible if another object has the same record name, or CloudKit refuses the name",
        arguments: ["", "_p", "p", "é", String(repeating: "n", count: 256)])
    func recordNames(name: String) async throws {
        let file = try await file(unsent: ["name": "new"])
        try file.change(
            "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT 2, Z_ENT, 1, 'other' FROM ZPHOTO"
        )
        try file.change(
            "UPDATE ZPHOTO SET ZSM_LOCALSTORE_RECORDID = ? WHERE Z_PK = 2", [.text(name)])
        if name != "p" {
            try file.addChange(2, of: name + "x", changing: [])
        }
        let adoption = try SMStore.adoptFile(at: file.url, model: file.model)
        let photos = try #require(
            adoption?.report.first { $0.entity == "Photo" && $0.property == nil })
        #expect(photos.takenCount == 2 && photos.reasons.count == 1)
        let stack = try open(file)
        try await stack.store.sync()
        #expect(try stack.names("Photo").sorted() == ["new", "other"])
        #expect(
            try await client.records(ofType: "Photo").compactMap { $0["name"] as? String }.sorted()
                == ["new", "other"])
    }

    // MARK: - References

    enum Removal: CaseIterable { case unset, deletion, move }

    @Test(
        "takes a photo out of its album before the first sync, for the server, too",
        arguments: Removal.allCases)
    func removal(_ removal: Removal) async throws {
        let file = try await file()
        defer { withExtendedLifetime(file) {} }
        let stack = try open(file)
        try stack.perform { context in
            let photo = try #require(try Device.all("Photo", in: context).first)
            let album = try #require(try Device.all("Album", in: context).first)
            switch removal {
            case .unset: photo.setValue(nil, forKey: "album")
            case .deletion: context.delete(album)
            case .move:
                let other = NSEntityDescription.insertNewObject(
                    forEntityName: "Album", into: context)
                other.setValue("other", forKey: "name")
                photo.setValue(other, forKey: "album")
                context.delete(album)
            }
            try context.save()
        }
        try await stack.store.sync()
        let (album, cascades) = try await albumOnServer()
        #expect(album != "a" && !cascades && (album == nil) == (removal != .move))
        try await stack.store.sync()
        #expect(try stack.names("Photo") == ["photo"])
    }

    @Test(
        "takes a photo out of its album and puts it back, and the server no longer deletes it with the album"
    )
    func undone() async throws {
        let file = try await file()
        defer { withExtendedLifetime(file) {} }
        let stack = try open(file)
        try stack.perform { context in
            let photo = try #require(try Device.all("Photo", in: context).first)
            let album = photo.value(forKey: "album")
            for value in [nil, album, nil, album] {
                photo.setValue(value, forKey: "album")
                try context.save()
            }
        }
        try await stack.store.sync()
        #expect(try await albumOnServer() == ("a", false))
        #expect(try stack.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("that Seam3 1 has not sent takes a photo out of its album", arguments: [true, false])
    func unsentRemoval(changesName: Bool) async throws {
        let file = try await file(unsent: changesName ? ["name": "new"] : [:], isInAlbum: false)
        defer { withExtendedLifetime(file) {} }
        let stack = try open(file)
        try await stack.store.sync()
        #expect(try await albumOnServer() == (nil, false))
        #expect(try await photoOnServer()["name"] == (changesName ? "new" : "photo"))
    }

    // MARK: - Values

    static let policies: [SMSyncConflictResolutionPolicy] = [
        .serverRecordWins, .clientRecordWins, .keepBoth, .mergeByProperty,
        .mergeByPropertyClientWins,
    ]

    @Test("that Seam3 1 has not sent is sent, also if it removes values", arguments: policies)
    func unsent(_ policy: SMSyncConflictResolutionPolicy) async throws {
        let file = try await file(unsent: ["name": "new", "note": .null, "rating": .null])
        let stack = try open(file, nil, policy)
        try await stack.store.sync()
        let photo = try await photoOnServer()
        #expect(photo["name"] == "new")
        #expect(photo["note"] == nil && photo["rating"] == nil)
        #expect(try stack.names("Photo") == ["new"])
    }

    @Test("to nil is sent if Seam3 1 has not sent an earlier one of the same value")
    func removedAfterUnsentChange() async throws {
        let file = try await file(unsent: ["name": "new"])
        let stack = try open(file)
        try change(stack, ["name": nil])
        try await stack.store.sync()
        #expect(try await photoOnServer()["name"] == nil)
        #expect(try stack.names("Photo").isEmpty)
    }

    enum Moment: CaseIterable { case onTheWay, later, byMappingModel }

    /// Migrates an adopted file by a mapping model.
    private func map(_ file: AdoptedFile, to model: NSManagedObjectModel) throws {
        let target = file.url.deletingLastPathComponent().appendingPathComponent("New.sqlite")
        try SMMigrationManager(sourceModel: file.model, destinationModel: model).migrateStore(
            from: file.url, sourceType: SMStore.type,
            with: .inferredMappingModel(forSourceModel: file.model, destinationModel: model),
            toDestinationURL: target, destinationType: SMStore.type)
        try NSPersistentStoreCoordinator(managedObjectModel: model).replacePersistentStore(
            at: file.url, withPersistentStoreFrom: target, ofType: SMStore.type)
    }

    @Test(
        "that Seam3 1 has not sent survives a new attribute of the model", arguments: policies,
        Moment.allCases)
    func newAttribute(_ policy: SMSyncConflictResolutionPolicy, _ moment: Moment) async throws {
        let file = try await file(unsent: ["name": "new", "rating": .null])
        if moment != .onTheWay { try open(file).close() }
        let model = Self.model(
            Self.requiredPlace(), NSAttributeDescription("camera", .stringAttributeType))
        if moment == .byMappingModel { try map(file, to: model) }
        let stack = try open(file, model, policy)
        #expect(try stack.store.checkInvariants().isEmpty)
        try await stack.store.sync()
        let photo = try await photoOnServer()
        #expect(photo["name"] == "new" && photo["rating"] == nil && photo["note"] == "note")
        #expect(try stack.names("Photo") == ["new"])
        #expect(try stack.store.syncStatus().pendingChangeCount == 0)
    }

    @Test(
        "that Seam3 1 has not sent survives a new name of the attribute", arguments: [true, false])
    func renamed(keepsModel: Bool) async throws {
        let file = try await file(unsent: ["note": "new"], keepsModel: keepsModel)
        let model = Self.model()
        let note = try #require(model.entitiesByName["Photo"]?.attributesByName["note"])
        note.name = "remark"
        note.renamingIdentifier = "note"
        let stack = try open(file, model)
        try await stack.store.sync()
        #expect(try await photoOnServer()["note"] == "new")
    }

    /// Whether Seam3 1 had not sent a change, and whether the model of both devices has a new required attribute.
    static let rewritings = [(false, false), (true, false), (true, true)]

    @Test(
        "survives that another device has only rewritten the references", arguments: policies,
        rewritings)
    func rewrittenElsewhere(
        _ policy: SMSyncConflictResolutionPolicy, rewriting: (wasUnsent: Bool, isNewModel: Bool)
    ) async throws {
        let wasUnsent = rewriting.wasUnsent
        let file = try await file(unsent: wasUnsent ? ["name": "new"] : [:])
        func model() -> NSManagedObjectModel {
            guard rewriting.isNewModel else { return Self.model() }
            return Self.model(Self.requiredPlace())
        }
        let tablet = try Device("tablet", on: cloud, model: model())
        try await tablet.store.sync()
        #expect(try await albumOnServer() == ("a", false))
        let stack = try open(file, model(), policy)
        if !wasUnsent { try change(stack, ["name": "new", "album": nil]) }
        try await stack.store.sync()
        #expect(try await photoOnServer()["name"] == "new")
        #expect(try await albumOnServer() == (wasUnsent ? "a" : nil, false))
        #expect(try stack.names("Photo") == ["new"])
    }

    /// Where a photo is deleted before the first sync.
    enum Deletion: CaseIterable {
        /// By Seam3 1, which has not sent it.
        case inFile
        /// After the adoption, although Seam3 1 has not sent another change of it.
        case afterUnsentUpdate
        case afterAdoption
    }

    @Test(
        "deletes a photo whose references another device has only rewritten", arguments: policies,
        Deletion.allCases)
    func deletedAndRewritten(
        _ policy: SMSyncConflictResolutionPolicy, _ deletion: Deletion
    ) async throws {
        let file = try await file(unsent: deletion == .afterUnsentUpdate ? ["name": "new"] : [:])
        if deletion == .inFile {
            try file.change("DELETE FROM ZPHOTO")
            try file.addChange(2, of: "p", changing: [])
        }
        let stack = try open(file, nil, policy)
        try stack.perform { context in
            for photo in try Device.all("Photo", in: context) { context.delete(photo) }
            try context.save()
        }
        // The phone knows the record before the other device rewrites it.
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords), occurrences: .always)
        await #expect(throws: CKError.self) { try await stack.store.sync() }
        cloud.faults.remove(fault)
        let tablet = try Device("tablet", on: cloud, model: Self.model())
        try await tablet.store.sync()
        try await stack.store.sync()
        #expect(try stack.names("Photo").isEmpty)
        #expect(try await client.records(ofType: "Photo").isEmpty)
    }

    @Test("that Seam3 1 has not sent is in conflict with another device's edit")
    func conflict() async throws {
        let file = try await file(unsent: ["name": "new"])
        let photo = try await photoOnServer()
        photo["note"] = "other"
        try await client.save(photo)
        for (policy, name) in [
            (SMSyncConflictResolutionPolicy.serverRecordWins, "photo"), (.clientRecordWins, "new"),
        ] {
            let copy = try AdoptedFile(file.model, [])
            try FileManager.default.removeItem(at: copy.url)
            try FileManager.default.copyItem(at: file.url, to: copy.url)
            let stack = try open(copy, nil, policy)
            try await stack.store.sync()
            #expect(try stack.names("Photo") == [name])
        }
    }
}
