import CloudKit
import CoreData
import LocalCloud
import Seam3
import Seam3Testing
import Testing

@Suite("A developer's mistake is answered by") struct MistakeTests {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// The error message when a store is opened.
    private func failure(
        _ model: NSManagedObjectModel = ShopModel.make(), options: [String: NSObject] = [:],
        at url: URL? = nil
    ) -> String? {
        do {
            try StoreStack(at: url ?? folder.store, model: model, options: options).close()
            return nil
        } catch {
            return error.localizedDescription
        }
    }

    // MARK: - Options

    /// An invalid value of an option.
    enum Given: Sendable {
        case number(Int)
        case text(String)
        case truth(Bool)

        var object: NSObject {
            switch self {
            case .number(let number): NSNumber(value: number)
            case .text(let text): text as NSString
            case .truth(let truth): NSNumber(value: truth)
            }
        }
    }

    private static let options: [(name: String, given: Given, reason: String)] = [
        (SMStore.SMStoreContainerOption, .number(7), "7 is neither the identifier"),
        (
            SMStore.SMStoreContainerOption, .text("org.example.Clocks"),
            "begins with “iCloud.”. Did you mean iCloud.org.example.Clocks?"
        ),
        (
            SMStore.SMStoreContainerOption, .text("icloud.org.example.Clocks"),
            "Did you mean iCloud.org.example.Clocks?"
        ),
        (
            SMStore.SMStoreSyncConflictResolutionPolicyOption, .number(99),
            "99 is not a policy. It can be clientTellsWhichWins"
        ),
        (
            SMStore.SMStoreSyncConflictResolutionPolicyOption, .text("clientWins"),
            "Did you mean clientRecordWins?"
        ),
        (SMStore.SMStoreAdoptionOption, .text("yes"), "neither true nor false"),
        (SMStore.SMStoreInMemoryOption, .text("yes"), "neither true nor false"),
        (SMStore.SMStoreAdoptionUserOption, .number(7), "7 is not the name"),
        (
            SMStore.SMStoreFileProtectionOption, .text("Complete"),
            "Did you mean NSFileProtectionComplete?"
        ),
        ("SMStoreContainer", .text("iCloud.x"), "Did you mean SMStoreContainerOption?"),
        ("smStoreContainerOption", .text("iCloud.x"), "Did you mean SMStoreContainerOption?"),
        ("SMSTOREINMEMORYOPTION", .number(1), "Did you mean SMStoreInMemoryOption?"),
        (
            SMStore.SMStoreContainerOption, .text(" iCloud.org.example.Clocks "),
            "Did you mean iCloud.org.example.Clocks?"
        ),
        (
            SMStore.SMStoreContainerOption, .text("iCloud.org.example.Clöcks"),
            "Letters from a to z, digits, hyphens and dots follow."
        ),
        (SMStore.SMStoreSyncConflictResolutionPolicyOption, .truth(true), "is not a policy"),
        (SMStore.SMStoreInMemoryOption, .number(2), "2 is neither true nor false"),
        (NSPersistentStoreTimeoutOption, .text("abc"), "abc is not a number of seconds"),
        (NSPersistentStoreTimeoutOption, .number(-1), "-1 is not a number of seconds"),
    ]

    @Test("the value of an option and what is allowed", arguments: options)
    func option(name: String, given: Given, reason: String) {
        let message = failure(options: [name: given.object]) ?? ""
        #expect(message.hasPrefix("The store option \(name) is invalid: "), "\(message)")
        #expect(message.contains(reason), "\(message)")
        #expect(!FileManager.default.fileExists(atPath: folder.store.path))
    }

    @Test("nothing if an option is not the store's")
    func foreignOption() {
        #expect(failure(options: ["MyAppOption": "x" as NSString]) == nil)
    }

    @Test("the identifier of a test's container that no real one can have")
    func localContainer() {
        let container = LocalContainer(
            identifier: "org.example.Clocks", service: LocalCloud.inMemory())
        let message = failure(options: [SMStore.SMStoreContainerOption: container]) ?? ""
        #expect(message.contains("Did you mean iCloud.org.example.Clocks?"), "\(message)")
        let right = LocalContainer(
            identifier: "iCloud.org.example.Clocks", service: LocalCloud.inMemory())
        #expect(failure(options: [SMStore.SMStoreContainerOption: right]) == nil)
    }

    // MARK: - User info

    private static func model(
        entity: [AnyHashable: Any] = [:], attribute: [AnyHashable: Any] = [:]
    ) -> NSManagedObjectModel {
        let title = NSAttributeDescription("title", .stringAttributeType)
        title.userInfo = attribute
        let note = NSEntityDescription("Note", [title])
        note.userInfo = entity
        return NSManagedObjectModel(note)
    }

    @Test("the property and its user info")
    func userInfo() {
        let maybe = failure(Self.model(attribute: [SMStore.SMSyncedUserInfoKey: "maybe"])) ?? ""
        #expect(maybe.contains("Note.title: SMSynced is maybe, and can be YES or NO"), "\(maybe)")
        let misspelled = failure(Self.model(attribute: ["SMSync": "NO"])) ?? ""
        #expect(misspelled.contains("Note.title: the user info contains SMSync"), "\(misspelled)")
        #expect(misspelled.contains("Did you mean SMSynced?"), "\(misspelled)")
        for key in ["smsynced", "SMSYNCED", "smSynced"] {
            let otherCase = failure(Self.model(attribute: [key: "NO"])) ?? ""
            #expect(otherCase.contains("Note.title: the user info contains \(key)"), "\(otherCase)")
            #expect(otherCase.contains("Did you mean SMSynced?"), "\(otherCase)")
        }
    }

    @Test("the entity and its user info")
    func entityUserInfo() {
        let key = failure(Self.model(entity: [SMStore.SMNaturalKeyUserInfoKey: "titel"])) ?? ""
        #expect(
            key.contains(
                "Note: SMNaturalKey names “titel”, which is not an attribute. Did you mean title?"),
            "\(key)")
        let policyKey = SMStore.SMSyncConflictResolutionPolicyUserInfoKey
        let policy = failure(Self.model(entity: [policyKey: "keepboth"])) ?? ""
        #expect(policy.contains("Note: keepboth is not a conflict policy."), "\(policy)")
        #expect(policy.contains("Did you mean keepBoth?"), "\(policy)")
    }

    @Test("nothing if the user info has keys of the app, and values set in code")
    func foreignUserInfo() {
        #expect(
            failure(Self.model(entity: ["SMColorOfTheRow": "red"], attribute: ["x": "y"])) == nil)
        let off = Self.model(attribute: [SMStore.SMSyncedUserInfoKey: false])
        #expect(failure(off, at: folder.url.appendingPathComponent("other")) == nil)
    }

    // MARK: - Models

    @Test("that a model without entities cannot open a file, which keeps its objects")
    func emptyModel() throws {
        let stack = try StoreStack(at: folder.store, model: Self.model())
        try stack.perform { context in
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                .setValue("kept", forKey: "title")
            try context.save()
        }
        try stack.close()
        let before = try Data(contentsOf: folder.store)
        for migrates in [true, false] {
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: NSManagedObjectModel())
            let error = #expect(throws: CocoaError.self) {
                try coordinator.addPersistentStore(
                    ofType: SMStore.type, configurationName: nil, at: folder.store,
                    options: [
                        NSMigratePersistentStoresAutomaticallyOption: migrates,
                        NSInferMappingModelAutomaticallyOption: migrates,
                    ])
            }
            #expect(error?.code == .persistentStoreIncompatibleVersionHash)
            let message = error?.localizedDescription ?? ""
            #expect(message.hasPrefix("The model has no entities."), "\(message)")
            #expect(message.contains("another bundle"), "\(message)")
        }
        #expect(try Data(contentsOf: folder.store) == before)
        let again = try StoreStack(at: folder.store, model: Self.model())
        let titles = try again.perform { context in
            try Device.all("Note", in: context).map { $0.value(forKey: "title") as? String }
        }
        #expect(titles == ["kept"])
    }

    @Test("nothing if a new file has a model without entities")
    func emptyModelOfNewFile() {
        #expect(failure(NSManagedObjectModel()) == nil)
    }

    @Test("the entity if an object of an abstract one is saved")
    func abstractEntity() throws {
        let title = NSAttributeDescription("title", .stringAttributeType)
        let item = NSEntityDescription("Item", [title])
        item.isAbstract = true
        let book = NSEntityDescription("Book")
        item.subentities = [book]
        let stack = try StoreStack(
            at: folder.store, model: NSManagedObjectModel(item, book))
        let message = try stack.perform { context in
            _ = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            let wrong = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectValidation)
            context.delete(wrong)
            try context.save()
            return error?.localizedDescription ?? ""
        }
        #expect(message.hasPrefix("The entity Item is abstract"), "\(message)")
        #expect(message.contains("subentities"), "\(message)")
    }

    @Test("the entity and the attributes of a natural key that another object has")
    func sameNaturalKey() throws {
        let model = Self.model(entity: [SMStore.SMNaturalKeyUserInfoKey: "title"])
        let stack = try StoreStack(at: folder.store, model: model)
        let message = try stack.perform { context in
            for _ in 1...2 {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                    .setValue("same", forKey: "title")
            }
            let error = #expect(throws: CocoaError.self) { try context.save() }
            return error?.localizedDescription ?? ""
        }
        #if os(Linux)
        #expect(message.contains("Objects of Note have the same title."), "\(message)")
        #endif
    }

    @Test("the entities whose version in the file differs, and the option")
    func changedModel() throws {
        #expect(failure(Self.model()) == nil)
        let changed = Self.model()
        changed.entitiesByName["Note"]?.properties += [
            NSAttributeDescription("text", .stringAttributeType)
        ]
        changed.entities += [
            NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        ]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: changed)
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: nil, at: folder.store)
        }
        let message = error?.localizedDescription ?? ""
        #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        #expect(message.contains("Entities changed: Note; new: Tag."), "\(message)")
        #expect(message.contains(NSMigratePersistentStoresAutomaticallyOption), "\(message)")
    }

    @Test("the property and both types if its values cannot be converted")
    func unconvertible() {
        #expect(failure(Self.model()) == nil)
        let changed = NSManagedObjectModel(
            NSEntityDescription("Note", [NSAttributeDescription("title", .dateAttributeType)]))
        let message = failure(changed) ?? ""
        #expect(message.contains("Note.title has changed from string to date"), "\(message)")
        #expect(message.contains("add an attribute with another name"), "\(message)")
        #expect(message.contains("mapping model"), "\(message)")
    }

    // MARK: - Files

    @Test("the folder that prevents the file from being created")
    func fileForFolder() throws {
        let file = folder.url.appendingPathComponent("file")
        try Data().write(to: file)
        let message = failure(at: file.appendingPathComponent("Store.sqlite")) ?? ""
        #expect(message.contains(file.path), "\(message)")
    }

    @Test("the folder if it is not writable")
    func readOnlyFolder() async {
        // In a separate process, because nothing is read-only for a superuser.
        await #expect(processExitsWith: .success) {
            let tests = try MistakeTests()
            let path = tests.folder.url.path
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
            if geteuid() == 0 { try #require(setuid(65534) == 0) }
            let message = tests.failure() ?? ""
            #expect(message.contains("The folder \(path) is not writable."), "\(message)")
            // Restored, so that the folder can be removed.
            withExtendedLifetime(tests) {}
        }
    }

    @Test("the missing folder if a store is opened read-only")
    func missingFolder() {
        let url = folder.url.appendingPathComponent("none/Store.sqlite")
        let options = [NSReadOnlyPersistentStoreOption: true as NSNumber]
        let message = failure(options: options, at: url) ?? ""
        #expect(
            message.contains("The folder \(folder.url.path)/none does not exist."), "\(message)")
    }

    @Test("that the URL is that of a folder")
    func folderForFile() throws {
        let url = folder.url.appendingPathComponent("Folder.sqlite")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let message = failure(at: url) ?? ""
        #expect(message.contains(url.path) && message.contains("It is a folder."), "\(message)")
    }

    @Test("that a read-only store of another model is not migrated, with the option")
    func readOnlyFileOfAnotherModel() throws {
        #expect(failure(Self.model()) == nil)
        let changed = Self.model()
        changed.entitiesByName["Note"]?.properties += [
            NSAttributeDescription("text", .stringAttributeType)
        ]
        let message =
            failure(changed, options: [NSReadOnlyPersistentStoreOption: true as NSNumber]) ?? ""
        #expect(message.contains("The store is read-only"), "\(message)")
        #expect(message.contains("NSReadOnlyPersistentStoreOption"), "\(message)")
        #expect(!message.contains(NSMigratePersistentStoresAutomaticallyOption), "\(message)")
    }

    // MARK: - Use

    @Test("that the store is not open")
    func closedStore() async throws {
        let stack = try StoreStack(at: folder.store, model: ShopModel.make())
        let store = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first as? SMStore)
        try stack.close()
        let error = await #expect(throws: SMStoreError.self) { try await store.sync() }
        #expect(
            error?.localizedDescription == "The store is not open. Add it to a coordinator first.")
    }

    @Test("that a read-only store does not sync, and keeps no new objects")
    func readOnlyStore() async throws {
        try StoreStack(at: folder.store, model: ShopModel.make()).close()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShopModel.make())
        let store = try #require(
            coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: nil, at: folder.store,
                options: [NSReadOnlyPersistentStoreOption: true]) as? SMStore)
        let sync = await #expect(throws: SMStoreError.self) { try await store.sync() }
        #expect(
            sync?.localizedDescription
                == "SMStore cannot execute a sync, because the store is read-only.")
        for reset in [store.resetBackingStore, store.resetCloudFieldsInBackingStore] {
            let error = #expect(throws: SMStoreError.self) { try reset() }
            #expect(error == .invalidRequest(""))
            let message = error?.localizedDescription ?? ""
            #expect(message.contains("InBackingStore()") || message.contains("resetBackingStore()"))
            #expect(message.hasSuffix("because the store is read-only."), "\(message)")
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let save = #expect(throws: CocoaError.self) {
            try context.performAndWait {
                let entity = try #require(coordinator.managedObjectModel.entities.first)
                _ = NSManagedObject(entity: entity, insertInto: context)
                try context.save()
            }
        }
        #expect(save?.code == .persistentStoreOperation)
        let message = save?.localizedDescription ?? ""
        #expect(message.hasPrefix("No store that can be written keeps objects"), "\(message)")
    }

    @Test("that a store is read-only, also if its coordinator is gone")
    func readOnlyStoreWithoutCoordinator() async throws {
        try StoreStack(at: folder.store, model: ShopModel.make()).close()
        func open() throws -> SMStore {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShopModel.make())
            try coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: nil, at: folder.store,
                options: [NSReadOnlyPersistentStoreOption: true])
            return try SMStore.store(in: coordinator)
        }
        let store = try open()
        let sync = await #expect(throws: SMStoreError.self) { try await store.sync() }
        #expect(sync?.description.contains("read-only") == true, "\(sync?.description ?? "")")
    }

    @Test("that the store is not open, if it was never added to a coordinator")
    func storeBeforeLoading() async throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShopModel.make())
        let store = SMStore(
            persistentStoreCoordinator: coordinator, configurationName: nil, at: folder.store)
        let sync = await #expect(throws: SMStoreError.self) { try await store.sync() }
        let status = #expect(throws: SMStoreError.self) { try store.syncStatus() }
        let statistics = #expect(throws: SMStoreError.self) { try store.statistics() }
        let check = #expect(throws: SMStoreError.self) { try store.checkInvariants() }
        let reset = #expect(throws: SMStoreError.self) { try store.resetBackingStore() }
        for error in [sync, status, statistics, check, reset] {
            let message = error?.localizedDescription ?? ""
            #expect(message.hasPrefix("The store is not open."), "\(message)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.store.path))
    }

    @Test("the type and the function that registers the store class")
    func unregisteredType() {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShopModel.make())
        let error = #expect(throws: (any Error).self) {
            try coordinator.addPersistentStore(
                ofType: "Seam3.SMStoer", configurationName: nil, at: folder.store)
        }
        #if os(Linux)
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("Seam3.SMStoer"), "\(message)")
        #expect(message.contains("SMStore.registerStoreClass()"), "\(message)")
        #expect(message.contains("SMStore.type"), "\(message)")
        #else
        #expect(error != nil)
        #endif
    }

    #if os(Linux)
    @Test("the entity, the property and the object of a required value that is missing")
    func requiredValue() throws {
        let title = NSAttributeDescription("title", .stringAttributeType)
        title.isOptional = false
        let stack = try StoreStack(
            at: folder.store, model: NSManagedObjectModel(NSEntityDescription("Note", [title])))
        let (message, object) = try stack.perform { context in
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            return (error?.localizedDescription ?? "", note.objectID.uriRepresentation())
        }
        #expect(message.contains("Note.title is a required value."), "\(message)")
        #expect(message.contains(object.absoluteString), "\(message)")
    }
    #endif

    @Test("the property and the size of a record that is too large")
    func largeRecord() async throws {
        let device = try Device(on: LocalCloud.inMemory())
        try device.add(
            "Clock", ["label": "a", "note": String(repeating: "x", count: 1_200_000)])
        let message = await device.attemptSync()?.localizedDescription ?? ""
        #expect(message.contains("One change has not been acknowledged"), "\(message)")
        #expect(
            message.contains("The record of Clock is larger than the 1000000 bytes"), "\(message)")
        #expect(message.contains("Clock.note alone has 1200000."), "\(message)")
    }

    @Test("what is supported if a request is of another kind")
    func unknownRequest() throws {
        final class OddRequest: NSPersistentStoreRequest {}
        let stack = try StoreStack(at: folder.store, model: ShopModel.make())
        let store = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first as? SMStore)
        let error = #expect(throws: CocoaError.self) {
            _ = try store.execute(OddRequest(), with: stack.context)
        }
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("batch and history requests"), "\(message)")
        #expect(message.contains("OddRequest"), "\(message)")
    }

    @Test("the option that a history request needs")
    func missingHistory() throws {
        let stack = try StoreStack(at: folder.store, model: ShopModel.make())
        let error = try stack.perform { context in
            #expect(throws: CocoaError.self) {
                _ = try context.execute(
                    NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
            }
        }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("NSPersistentHistoryTrackingKey"), "\(message)")
    }

    // MARK: - Messages

    private static let failure = CKError(.zoneBusy)

    /// Every error, with the names that its message has to contain.
    static let errors: [(error: SMStoreError, names: [String])] = [
        (.invalidRequest("a count of rooms"), ["a count of rooms"]),
        (.backingStoreCreationFailed(path: "/x", underlying: failure), ["/x"]),
        (.backingStoreResetFailed(underlying: failure), [": zoneBusy."]),
        (.unknownFile(path: "/x", reason: "it is empty"), ["/x", "it is empty"]),
        (.unsupportedModel(["Note.title: it is odd", "Tag: it is old"]), ["Note.title", "Tag"]),
        (
            .unacceptableValue(entity: "Note", property: "title", value: "Date"),
            ["Note.title", "Date"]
        ),
        (.valueNotSynced(entity: "Note", property: "weight"), ["Note.weight"]),
        (.missingRelatedObject(entity: "Note", property: "tag"), ["Note.tag"]),
        (.conflictResolutionBlock("there is none"), ["there is none"]),
        (.changesNotAcknowledged(count: 1, underlying: nil), ["One change"]),
        (.changesNotAcknowledged(count: 2, underlying: failure), ["2 changes", ": zoneBusy."]),
        (.accountUnavailable("nobody is signed in"), ["nobody is signed in"]),
        (.accountChanged, []),
        (.zoneMissing("Notes"), ["Notes"]),
        (.recordsVanished(count: 3), ["3"]),
        (.recordsNotFetched(["a", "b"], underlying: failure), ["a, b", ": zoneBusy."]),
        (.syncingElsewhere, []),
        (.refusedByServer("the name is taken"), ["the name is taken"]),
        (
            .recordTooLarge(entity: "Note", property: "text", byteCount: 2, limit: 1),
            ["Note.text", "2", "1"]
        ),
        (.invalidOption(name: "SMStoreX", reason: "there is no such option."), ["SMStoreX"]),
        (.unreadObjectDeleted(entity: "Note"), ["Note"]),
        (.storeNotOpen, []),
        (.noStore("the container has not loaded a store"), ["has not loaded a store"]),
        (.syncInHandler, []),
        (.containerChanged(previous: "iCloud.a", current: "iCloud.b"), ["iCloud.a", "iCloud.b"]),
        (.copyOfSyncedStore, ["migratePersistentStore"]),
    ]

    @Test("a sentence with the names, and an error with a code and its cause", arguments: errors)
    func message(error: SMStoreError, names: [String]) {
        let bridged = error as NSError
        let text = bridged.localizedDescription
        #expect(text.first?.isUppercase == true || text.first?.isNumber == true, "\(text)")
        #expect(text.hasSuffix("."), "\(text)")
        #expect(!text.hasSuffix(".."), "\(text)")
        for name in names { #expect(text.contains(name), "\(text)") }
        #expect(bridged.domain == SMStore.SMStoreErrorDomain)
        #expect(bridged.code == error.code)
        #expect(bridged.userInfo[SMStoreErrorDescription] as? String == text)
        let underlying = bridged.userInfo[NSUnderlyingErrorKey] as? CKError
        switch error {
        case .backingStoreCreationFailed, .backingStoreResetFailed, .recordsNotFetched,
            .changesNotAcknowledged(count: _, underlying: .some):
            #expect(underlying?.code == .zoneBusy)
        default: #expect(underlying == nil)
        }
    }

    @Test("an error that equals those of its case, and no other")
    func equality() {
        for (error, _) in Self.errors {
            #expect(
                Self.errors.filter { $0.error == error }.allSatisfy { $0.error.code == error.code })
            #expect(error == error)
        }
        #expect(SMStoreError.zoneMissing("a") == .zoneMissing("b"))
        #expect(SMStoreError.accountChanged != .storeNotOpen)
    }

    @Test("an error whose code no other error has")
    func codes() {
        // One of the errors is in the table twice.
        #expect(Set(Self.errors.map(\.error.code)).count == Self.errors.count - 1)
    }
}
