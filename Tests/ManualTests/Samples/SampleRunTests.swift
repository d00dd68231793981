import CloudKit
import CoreData
import Seam3
import Seam3Testing
import Testing

/// The suite belongs to the main actor, as most of an app does. A closure that is written here and that the engine
/// calls on a queue of its own must not be taken for one of the main actor's.
@MainActor
@Suite("The manual's samples do what the manual says")
final class SampleRunTests {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ManualTests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    @Test("A lost answer loses nothing")
    func lostAnswer() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)

        try phone.add("Kitchen")
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        await #expect(throws: CKError.self) { try await phone.store.sync() }
        #expect(try phone.store.syncStatus().pendingChangeCount == 1)

        try await phone.store.sync()
        try await tablet.store.sync()
        #expect(try tablet.labels() == ["Kitchen"])
        try cloud.checkUnused()
    }

    @Test("Default tags are added once, and a user's version of them stays")
    func defaultTags() async throws {
        func tagModel() -> NSManagedObjectModel {
            let model = clockModel(["name", "color"])
            let tag = model.entities[0]
            tag.name = "Tag"
            tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
            return model
        }
        func tags(_ device: Device) throws -> [String] {
            try device.context.performAndWait {
                device.context.refreshAllObjects()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                return try device.context.fetch(request).map { tag in
                    let color = tag.value(forKey: "color") as? String
                    return "\(tag.value(forKey: "name") ?? "") \(color ?? "-")"
                }.sorted()
            }
        }
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud, model: tagModel())
        let tablet = try Device("tablet", in: directory, on: cloud, model: tagModel())

        try addDefaultTags(to: phone.container)
        try phone.context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            for tag in try phone.context.fetch(request) {
                if tag.value(forKey: "name") as? String == "Work" {
                    phone.context.delete(tag)
                } else {
                    tag.setValue("red", forKey: "color")
                }
            }
            try phone.context.save()
        }
        try addDefaultTags(to: phone.container)
        #expect(try tags(phone) == ["Home red"])
        try await phone.store.sync()

        try addDefaultTags(to: tablet.container)
        #expect(try await tablet.store.sync().conflictCount == 0)
        #expect(try tags(tablet) == ["Home red", "Work -"])
    }

    @Test("An edit made during a save is sent by the next one")
    func editDuringSave() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)

        try phone.add("Kitchen")
        let gate = FaultGate()
        cloud.faults.add(.wait(.afterCommit, gate), for: .kind(.modifyRecords))
        async let summary = phone.store.sync()
        await gate.arrival()
        try phone.add("Office")
        gate.open()
        _ = try await summary

        try await phone.store.sync()
        try await tablet.store.sync()
        #expect(try tablet.labels() == ["Kitchen", "Office"])
    }

    @Test("A save of another device between fetch and save does no harm")
    func fasterDevice() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)

        try phone.add("Kitchen")
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                do {
                    try tablet.add("Garage")
                    try await tablet.store.sync()
                } catch {
                    Issue.record(error)
                }
            },
            for: .kind(.modifyRecords, device: "phone"))
        try await phone.store.sync()
        try await phone.store.sync()
        #expect(try phone.labels() == ["Garage", "Kitchen"])
    }

    @Test("Changes wait while the user's storage is full")
    func fullStorage() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)

        try phone.add("Kitchen")
        let full = cloud.faults.add(
            .fail(.quotaExceeded), for: .kind(.modifyRecords), occurrences: .always)
        await #expect(throws: (any Error).self) { try await phone.store.sync() }
        cloud.faults.remove(full)
        try await phone.store.sync()
        #expect(try phone.store.syncStatus().pendingChangeCount == 0)

        try cloud.checkUnused()
    }

    @Test("A harsh cloud loses nothing")
    func harsh() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)

        cloud.temper = .harsh(seed: 7)
        try phone.add("Kitchen")
        for _ in 1...20 { _ = try? await phone.store.sync() }
        cloud.temper = .kind
        try await phone.store.sync()
        try await tablet.store.sync()
        #expect(try tablet.labels() == ["Kitchen"])
    }

    @Test("A device that was offline sends its changes later")
    func offline() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)

        let offline = cloud.faults.add(
            .fail(.networkUnavailable), for: RequestPattern(device: "phone"), occurrences: .always)
        try phone.add("Kitchen")
        await #expect(throws: CKError.self) { try await phone.store.sync() }

        cloud.faults.remove(offline)
        try await phone.store.sync()
        try await tablet.store.sync()
        #expect(try tablet.labels() == ["Kitchen"])
    }

    @Test("A change that waits survives a migration")
    func migration() async throws {
        let cloud = LocalCloud.inMemory()
        let (oldModel, newModel) = (clockModel(["label"]), clockModel(["label", "note"]))
        func device(_ name: String, model: NSManagedObjectModel) throws -> Device {
            try Device(name, in: directory, on: cloud, model: model)
        }

        let old = try device("phone", model: oldModel)
        let context = old.container.newBackgroundContext()
        try await context.perform {
            let clock = NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
            clock.setValue("Kitchen", forKey: "label")
            try context.save()
        }
        try old.container.persistentStoreCoordinator.remove(old.store)

        let phone = try device("phone", model: newModel)
        try await phone.store.sync()
        let tablet = try device("tablet", model: newModel)
        try await tablet.store.sync()
        #expect(try tablet.labels() == ["Kitchen"])
    }

    @Test("A fault meets the record of one object")
    func recordOfObject() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        try phone.add("Kitchen")
        try await phone.store.sync()

        let container = phone.cloudContainer
        let zone = container.zone(CKRecordZone.ID(zoneName: "SMStoreCloudStore_CustomZone"))
        let records = try await zone.changes(since: nil, limit: 0).records.map(\.record)
        let kitchen = try #require(records.first { $0["label"] == "Kitchen" })
        cloud.faults.add(
            .failItems([kitchen.recordID.recordName], .badRequest), for: .kind(.modifyRecords))

        let context = phone.container.newBackgroundContext()
        try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            try context.fetch(request).first?.setValue("edited", forKey: "label")
            try context.save()
        }
        await #expect(throws: SMStoreError.changesNotAcknowledged(count: 1, underlying: nil)) {
            try await phone.store.sync()
        }
        try cloud.checkUnused()
    }

    @Test("Another user's data replaces the first one's, or gets it")
    func accounts() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)
        for device in [phone, tablet] {
            try device.add(device.cloudContainer.device)
            try await device.store.sync()
        }

        try cloud.signIn("other")
        await #expect(throws: SMStoreError.self) { try await phone.store.sync() }
        try await giveThemOurData(phone.store)
        try await startWithTheirData(tablet.store, tablet.context)
        #expect(try tablet.labels() == ["phone"])
    }

    @Test("The manual's handlers follow another user, and a user who removes the data")
    func handlers() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        UseSamples.decideForAccount(of: phone.store)
        UseSamples.decideForZone(of: phone.store)

        try phone.add("Kitchen")
        try await phone.store.sync()
        try cloud.signIn("other")
        try await phone.store.sync()
        #expect(try phone.labels().isEmpty)

        try phone.add("Office")
        try await phone.store.sync()
        try await cloud.purgeZone(
            "SMStoreCloudStore_CustomZone", in: phone.cloudContainer.requestContext())
        try await phone.store.sync()
        #expect(try phone.labels().isEmpty)
    }

    @Test("A sync can be followed to its end")
    func events() async throws {
        let phone = try Device("phone", in: directory, on: .inMemory())
        let events = phone.store.events
        try await phone.store.sync()
        for await event in events where event.kind == .sync && event.endDate != nil {
            #expect(event.succeeded)
            break
        }
    }

    @Test("Errors that the user should see have their own text")
    func explanations() {
        #expect(explain(SMStoreError.accountChanged).contains("Another user"))
        #expect(explain(CKError(.quotaExceeded)).contains("full"))
    }

    @Test("A store can be examined, and a URL without an old file can be adopted")
    func examination() throws {
        let device = try Device("phone", in: directory, on: .inMemory())
        try examine(device.store)
        try adoptOldFile(
            at: directory.appendingPathComponent("none.sqlite"), model: model)
    }

    @Test("The block that joins notes joins them on both devices")
    func conflictBlock() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)
        try phone.add("Kitchen")
        try await phone.store.sync()
        try await tablet.store.sync()

        UseSamples.joinNotes(in: tablet.store)
        try phone.note("from the phone")
        try tablet.note("from the tablet")
        try await phone.store.sync()
        try await tablet.store.sync()
        try await phone.store.sync()

        for device in [phone, tablet] {
            #expect(try device.notes() == ["from the phone\nfrom the tablet"])
        }
    }

    @Test("The status of a store with nothing to send can be printed")
    func status() throws {
        let device = try Device("phone", in: directory, on: .inMemory())
        try UseSamples.follow(device.store)
    }
}

extension Device {
    /// Writes a note on every clock.
    fileprivate func note(_ text: String) throws {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            for clock in try context.fetch(request) { clock.setValue(text, forKey: "note") }
            try context.save()
        }
    }

    /// The notes of all clocks in the store.
    fileprivate func notes() throws -> [String] {
        try context.performAndWait {
            context.refreshAllObjects()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            return try context.fetch(request).compactMap { $0.value(forKey: "note") as? String }
        }
    }
}

@Suite("The manual's samples in a suite of the main actor")
@MainActor
final class MainActorSampleRunTests {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ManualTests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    @Test("A push brings the other device's clock")
    func push() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)
        let (container, store) = (tablet.cloudContainer, tablet.store)

        try await store.sync()
        let (pushes, arrived) = AsyncStream<FetchResult>.makeStream()
        container.remoteNotificationHandler = { userInfo in
            store.handlePush(userInfo: userInfo) { arrived.yield($0) }
        }
        try await container.registerForRemoteNotifications()

        try phone.add("Kitchen")
        try await phone.store.sync()
        for await result in pushes {
            #expect(result == .newData)
            break
        }
        #expect(try tablet.labels() == ["Kitchen"])
    }
}
