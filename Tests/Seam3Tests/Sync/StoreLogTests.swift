import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

/// The stores' log messages, tested in separate processes because all stores share the log.
@Suite("The log of the stores") struct StoreLogTests {
    private final class Collector: SMLogDelegate, @unchecked Sendable {
        // Unchecked because the lock guards all state.

        private let lock = NSLock()
        private var collected: [(category: SMLogCategory, text: String)] = []

        var messages: [(category: SMLogCategory, text: String)] { lock.withLock { collected } }

        func log(_ message: @autoclosure () -> String, type: SMLogType) {
            log(message(), type: type, category: .store)
        }

        func log(
            _ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory
        ) {
            let text = message()
            lock.withLock { collected.append((category, text)) }
        }
    }

    @Test("reports a conflict policy for an unknown entity, with the nearest name")
    func policyOfUnknownEntity() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            let device = try Device(on: LocalCloud.inMemory())
            device.store.setSyncConflictResolutionPolicy(.keepBoth, forEntityNamed: "Clocks")
            let told = collector.messages.filter { $0.text.contains("no entity Clocks") }
            #expect(told.count == 1)
            #expect(told.first?.text.contains("Did you mean Clock?") == true)
        }
    }

    @Test("warns of fields that have the names of CKRecord's properties, unless they are renamed")
    func ambiguousFields() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            let attributes = ["parent", "share", "title"].map {
                NSAttributeDescription($0, .stringAttributeType)
            }
            attributes[1].userInfo = [SMStore.SMFieldNameUserInfoKey: "entry_share"]
            let model = NSManagedObjectModel(NSEntityDescription("Entry", attributes))
            _ = try Device(on: LocalCloud.inMemory(), model: model)
            let warnings = collector.messages.filter { $0.text.contains("SMFieldName") }
            try #require(warnings.count == 1)
            try #require(warnings.first?.category == .store)
            try #require(warnings.first?.text.hasPrefix("Entry.parent: ") == true)
        }
    }

    @Test("warns of required properties that objects which arrive do not have")
    func requiredLocalProperties() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            let attributes = ["count", "hint", "note", "title"].map {
                NSAttributeDescription($0, .stringAttributeType)
            }
            for attribute in attributes.dropFirst() {
                attribute.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
            }
            for attribute in attributes where attribute.name != "note" {
                attribute.isOptional = false
            }
            attributes[1].defaultValue = "none"
            let entry = NSEntityDescription("Entry", attributes)
            let place = NSEntityDescription("Place")
            place.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
            NSRelationshipDescription.join((entry, "owner", 1), (place, "entries", 0))
            entry.relationshipsByName["owner"]?.isOptional = false
            _ = try Device(on: LocalCloud.inMemory(), model: NSManagedObjectModel(entry, place))
            let warnings = collector.messages.filter { $0.text.contains("cannot be saved") }
            try #require(
                warnings.map { $0.text.prefix { $0 != ":" } } == ["Entry.owner", "Entry.title"])
            try #require(warnings.allSatisfy { $0.category == .store })
        }
    }

    /// A note with settings where they have no effect, and with settings where they do.
    private static func settingsModel() -> NSManagedObjectModel {
        func attribute(_ name: String, _ userInfo: [AnyHashable: Any]) -> NSAttributeDescription {
            let attribute = NSAttributeDescription(name, .stringAttributeType)
            attribute.userInfo = userInfo
            return attribute
        }
        let draft = attribute(
            "draft",
            [SMStore.SMFieldNameUserInfoKey: "draft_1", SMStore.SMSyncedUserInfoKey: "YES"])
        draft.isTransient = true
        let note = NSEntityDescription(
            "Note",
            [
                attribute("title", [SMStore.SMNaturalKeyUserInfoKey: "title"]),
                attribute("kind", [SMStore.SMRecordTypeUserInfoKey: "Kind"]),
                attribute("text", [SMStore.SMFieldNameUserInfoKey: "body"]),
                attribute(
                    "place",
                    [SMStore.SMSyncedUserInfoKey: "NO", SMStore.SMFieldNameUserInfoKey: "x"]),
                draft,
            ])
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((note, "tag", 1), (tag, "notes", 0))
        note.relationshipsByName["tag"]?.userInfo = [
            SMStore.SMSyncConflictResolutionPolicyUserInfoKey: "keepBoth"
        ]
        tag.relationshipsByName["notes"]?.userInfo = [SMStore.SMFieldNameUserInfoKey: "x"]
        let mark = NSEntityDescription("Mark")
        NSRelationshipDescription.join((note, "marks", 0), (mark, "notes", 0))
        note.relationshipsByName["marks"]?.userInfo = [SMStore.SMFieldNameUserInfoKey: "x"]
        mark.relationshipsByName["notes"]?.userInfo = [SMStore.SMFieldNameUserInfoKey: "y"]
        note.userInfo = [SMStore.SMFieldNameUserInfoKey: "Remark"]
        tag.userInfo = [
            SMStore.SMSyncedUserInfoKey: "YES", SMStore.SMNaturalKeyUserInfoKey: "name",
        ]
        return NSManagedObjectModel(note, tag, mark)
    }

    @Test(
        "warns of settings in the model's user info that have no effect where they are, and of no others"
    )
    func settingsWithoutEffect() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            _ = try Device(on: LocalCloud.inMemory(), model: Self.settingsModel())
            let warnings = collector.messages.filter { $0.text.contains("no effect") }.map(\.text)
                .sorted()
            #expect(
                warnings == [
                    "Note.draft: SMFieldName has no effect, because it is transient and therefore never synced",
                    "Note.draft: SMSynced has no effect, because it is transient and therefore never synced",
                    "Note.kind: SMRecordType has no effect on an attribute; set it on an entity",
                    "Note.marks: SMFieldName has no effect, because it is many-to-many, and its pairs are named after"
                        + " Mark.notes: set it there",
                    "Note.place: SMFieldName has no effect, because it is not synced",
                    "Note.tag: SMSyncConflictResolutionPolicy has no effect on a relationship; set it on an entity",
                    "Note.title: SMNaturalKey has no effect on an attribute; set it on an entity",
                    "Note: SMFieldName has no effect on an entity; set it on an attribute or a relationship",
                    "Tag.notes: SMFieldName has no effect, because it is to-many: the field is that of its inverse",
                ])
            #expect(
                collector.messages.filter { $0.text.contains("no effect") }.allSatisfy {
                    $0.category == .store
                })
        }
    }

    @Test("warns once of a conflict block that no policy calls, and not of one that a policy calls")
    func blockWithoutPolicy() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            func warnings() -> [(category: SMLogCategory, text: String)] {
                collector.messages.filter { $0.text.contains("never called") }
            }
            let device = try Device(on: LocalCloud.inMemory())
            try await device.store.sync()
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
            try await device.store.sync()
            try await device.store.sync()
            #expect(warnings().map(\.category) == [.conflicts])
            #expect(warnings().first?.text.contains("serverRecordWins") == true)
            let other = try Device(on: LocalCloud.inMemory())
            other.store.recordConflictResolutionBlock = { server, _, _ in server }
            other.store.setSyncConflictResolutionPolicy(
                .mergeByPropertyClientTells, forEntityNamed: "Clock")
            try await other.store.sync()
            #expect(warnings().count == 1)
        }
    }

    @Test("warns once of a policy that calls a conflict block which is not set")
    func policyWithoutBlock() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            func warnings() -> [(category: SMLogCategory, text: String)] {
                collector.messages.filter { $0.text.contains("Block is not set") }
            }
            let device = try Device(on: LocalCloud.inMemory())
            try await device.store.sync()
            #expect(warnings().isEmpty)
            device.store.setSyncConflictResolutionPolicy(
                .mergeByPropertyClientTells, forEntityNamed: "Clock")
            try await device.store.sync()
            try await device.store.sync()
            #expect(warnings().map(\.category) == [.conflicts])
            #expect(warnings().first?.text.contains("policy mergeByPropertyClientTells") == true)
        }
    }

    @Test("does not say that no entity calls the block if each entity's policy hides the store's")
    func blockHiddenByEntities() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            let device = try Device(on: LocalCloud.inMemory(), policy: .clientTellsWhichWins)
            for entity in ["Clock", "Zone", "Folder"] {
                device.store.setSyncConflictResolutionPolicy(
                    .keepBoth, forEntityNamed: entity)
            }
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
            try await device.store.sync()
            let told = collector.messages.map(\.text).filter { $0.contains("never called") }
            try #require(told.count == 1)
            #expect(told[0].contains("but each synced entity has a policy of its own"))
        }
    }

    @Test("reports a model without entities for a new file")
    func emptyModel() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            _ = try Device(on: LocalCloud.inMemory(), model: NSManagedObjectModel())
            let told = collector.messages.filter { $0.text.hasPrefix("The model has no entities.") }
            #expect(told.map(\.category) == [.store])
        }
    }

    @Test("reports what a migration removes, how much of it there was, and what may be meant")
    func removals() async {
        await #expect(processExitsWith: .success) {
            func text(_ name: String) -> NSAttributeDescription {
                NSAttributeDescription(name, .stringAttributeType)
            }
            let collector = Collector()
            let device = try Device(
                on: LocalCloud.inMemory(),
                model: NSManagedObjectModel(
                    NSEntityDescription("Note", [text("title"), text("note")]),
                    NSEntityDescription("Tag", [text("name")]),
                    NSEntityDescription("Mark", [text("color")])))
            try device.add("Note", ["title": "sent", "note": "first"])
            try device.add("Note", ["title": "sent, too"])
            try await device.store.sync()
            try device.add("Tag", ["name": "unsent"])
            try device.edit { context in
                for note in try Device.all("Note", in: context) {
                    note.setValue("unsent", forKey: "note")
                }
            }
            SMStore.logger = collector
            try device.relaunch(
                model: NSManagedObjectModel(
                    NSEntityDescription("Note", [text("title"), text("remark")]),
                    NSEntityDescription("Label", [text("name")])))
            let told = collector.messages.filter { $0.text.contains("migration") }
            #expect(told.allSatisfy { $0.category == .store })
            #expect(
                told.map(\.text).sorted() == [
                    "3 changes that had not been sent were removed by the migration, too",
                    "A migration removes Note.note with 2 values. If remark is the same property under a new name,"
                        + " give it the former name as renaming identifier",
                    "A migration removes the entity Mark with 0 objects",
                    "A migration removes the entity Tag with 1 objects. If Label is the same entity under a new name,"
                        + " give it the former name as renaming identifier",
                ])
        }
    }

    @Test(
        "warns of a natural key that an encrypted attribute is part of, and of keys without effect on an entity"
    )
    func keysOfEntities() async {
        await #expect(processExitsWith: .success) {
            let collector = Collector()
            SMStore.logger = collector
            let secret = NSAttributeDescription("secret", .stringAttributeType)
            secret.allowsCloudEncryption = true
            let person = NSEntityDescription("Person", [secret])
            person.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "secret"]
            let local = NSEntityDescription(
                "Local", [NSAttributeDescription("name", .stringAttributeType)])
            local.userInfo = [
                SMStore.SMSyncedUserInfoKey: "NO",
                SMStore.SMSyncConflictResolutionPolicyUserInfoKey: "keepBoth",
            ]
            let base = NSEntityDescription("Base")
            base.isAbstract = true
            base.userInfo = [SMStore.SMRecordTypeUserInfoKey: "Other"]
            _ = try Device(
                on: LocalCloud.inMemory(), model: NSManagedObjectModel(person, local, base))
            let texts = collector.messages.map(\.text)
            for beginning in [
                "Person.secret: it is encrypted, but the record's name is derived from it",
                "Local: SMSyncConflictResolutionPolicy has no effect, because it is not synced",
                "Base: SMRecordType has no effect, because it is abstract",
            ] {
                #expect(texts.filter { $0.hasPrefix(beginning) }.count == 1, "\(beginning)")
            }
        }
    }

    /// Syncs two devices with conflicts and with errors that contain a value, and returns the log.
    private static func messages() async throws -> [(category: SMLogCategory, text: String)] {
        let collector = Collector()
        SMStore.logger = collector
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, policy: .clientTellsWhichWins)
        let b = try Device("b", on: cloud, policy: .clientTellsWhichWins)
        b.store.recordConflictResolutionBlock = { _, client, _ in client }
        try a.add("Clock", ["label": "home", "note": "a secret"])
        try await Device.settle(a, b)
        try a.change("home", ["note": "secret of a"])
        try b.change("home", ["note": "secret of b"])
        try await Device.settle(a, b)
        // Without a block, a conflict is reported as an error.
        a.store.recordConflictResolutionBlock = nil
        try a.change("home", ["note": "new secret of a"])
        try b.change("home", ["note": "new secret of b"])
        try await b.store.sync()
        try await a.store.sync()
        let name = try await RawClient(cloud).records().map(\.recordID.recordName)
        for code in [ServerErrorCode.badRequest, .quotaExceeded, .networkFailure] {
            try a.change("home", ["note": "secret \(code)"])
            cloud.faults.add(
                .failItems(Set(name), code, reason: "the value 'a secret' is refused"),
                for: .kind(.modifyRecords))
            _ = try? await a.store.sync()
        }
        try cloud.signOut()
        _ = try? await a.store.sync()
        return collector.messages
    }

    @Test("contains no value of the user's, whatever happens, and its messages have categories")
    func noValues() async {
        await #expect(processExitsWith: .success) {
            let messages = try await Self.messages()
            #expect(messages.filter { $0.text.contains("secret") }.map(\.text) == [])
            #expect(
                Set(messages.map(\.category)).isSuperset(of: [.sync, .conflicts, .account]))
        }
    }

    @Test("contains what the server quotes if that was requested")
    func values() async {
        await #expect(processExitsWith: .success) {
            SMStore.logsValues = true
            let messages = try await Self.messages()
            #expect(messages.contains { $0.text.contains("secret") })
        }
    }
}
