import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("After resetCloudFieldsInBackingStore(),") struct ForgottenServerTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    let cloud = LocalCloud.inMemory()

    /// Two devices that have a clock, which the server has, too.
    private func devices(
        _ policy: Policy, note: String? = nil, timeZone: String? = nil
    ) async throws -> (device: Device, other: Device) {
        let device = try Device("a", on: cloud, policy: policy)
        let other = try Device("b", on: cloud, policy: policy)
        var values = ["label": "one"]
        values["note"] = note
        try device.add("Clock", values)
        if let timeZone {
            try device.add("Zone", ["name": timeZone])
            try device.relate("one", "timeZone", to: timeZone)
        }
        try await Device.settle(device, other)
        return (device, other)
    }

    /// Two devices with a tag, which has a natural key.
    private func tagDevices(
        _ policy: Policy = .serverRecordWins
    ) async throws -> (device: Device, other: Device) {
        let device = try Device("a", on: cloud, policy: policy, model: TagModel.make())
        let other = try Device("b", on: cloud, policy: policy, model: TagModel.make())
        try device.add("Tag", ["name": "work"])
        try await Device.settle(device, other)
        return (device, other)
    }

    /// What each device sets in the same object before one of them forgets the server.
    struct Case {
        let policy: Policy
        var own: String?
        var others: String?
        let result: String
    }

    static let cases = [Policy.mergeByProperty, .mergeByPropertyClientWins].flatMap { policy in
        [
            Case(policy: policy, own: "own", result: "own"),
            Case(policy: policy, others: "other", result: "other"),
            Case(
                policy: policy, own: "own", others: "other",
                result: policy == .mergeByProperty ? "other" : "own"),
        ]
    }

    @Test(
        "a value that one device has set beats one that the other has left alone", arguments: cases)
    func unset(row: Case) async throws {
        let (device, other) = try await devices(row.policy)
        if let note = row.others { try other.change("one", ["note": note]) }
        try await other.store.sync()
        if let note = row.own { try device.change("one", ["note": note]) }
        try device.store.resetCloudFieldsInBackingStore()
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try device.value("note", of: "one") == row.result) }
    }

    @Test("a value that another device has set is kept if this one has edited another property")
    func otherProperty() async throws {
        let (device, other) = try await devices(.mergeByPropertyClientWins)
        try other.change("one", ["note": "other"])
        try await other.store.sync()
        try device.change("one", ["label": "two"])
        try device.store.resetCloudFieldsInBackingStore()
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try device.value("note", of: "two") == "other") }
    }

    /// When and how a device edits an object whose server it forgets.
    enum Edit: CaseIterable {
        case saveBefore, saveAfter, batchUpdateBefore, batchUpdateAfter

        var isBefore: Bool { self == .saveBefore || self == .batchUpdateBefore }
        var isBatchUpdate: Bool { self == .batchUpdateBefore || self == .batchUpdateAfter }
    }

    /// Edits under both policies, to another value or to nil.
    static let edits = Edit.allCases.flatMap { edit in
        [Policy.mergeByProperty, .mergeByPropertyClientWins].flatMap { policy in
            [(edit, policy, "new"), (edit, policy, nil as String?)]
        }
    }

    @Test("an edit of a value that nobody else has changed stands", arguments: edits)
    func edit(edit: Edit, policy: Policy, note: String?) async throws {
        let (device, other) = try await devices(policy, note: "old")
        if !edit.isBefore { try device.store.resetCloudFieldsInBackingStore() }
        try device.edit { context in
            guard edit.isBatchUpdate else {
                return try Device.clock("one", in: context).setValue(note, forKey: "note")
            }
            let request = NSBatchUpdateRequest(entityName: "Clock")
            request.propertiesToUpdate = ["note": note ?? NSNull()]
            _ = try context.execute(request)
        }
        if edit.isBefore { try device.store.resetCloudFieldsInBackingStore() }
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try device.value("note", of: "one") == note) }
    }

    @Test("a deletion of an object that was edited before stands")
    func deletion() async throws {
        let (device, other) = try await devices(.mergeByProperty, note: "old")
        try device.store.resetCloudFieldsInBackingStore()
        try device.change("one", ["note": "new"])
        try device.delete("one")
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try device.count("Clock") == 0) }
    }

    /// Whether a deletion is made before the device forgets the server, or after.
    enum Deletion: CaseIterable { case unsent, later }

    @Test(
        "an object that another device has edited survives a deletion, unless the policy lets that win",
        arguments: Policy.allCases, Deletion.allCases)
    func deletionMeetsEdit(policy: Policy, deletion: Deletion) async throws {
        let (device, other) = try await devices(policy, note: "old")
        try other.change("one", ["note": "new"])
        try await other.store.sync()
        if deletion == .later { try device.store.resetCloudFieldsInBackingStore() }
        try device.delete("one")
        if deletion == .unsent { try device.store.resetCloudFieldsInBackingStore() }
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try device.count("Clock") == (policy == .clientRecordWins ? 0 : 1))
        }
    }

    @Test(
        "an object that another device has made again survives the deletion of the former one",
        arguments: [nil, "red"])
    func madeAgain(color: String?) async throws {
        let (device, other) = try await tagDevices()
        try device.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
        try await device.syncLosingAnswer(on: cloud, model: TagModel.make())
        try device.store.resetCloudFieldsInBackingStore()
        try await other.store.sync()
        #expect(try other.count("Tag") == 0)
        try other.edit { context in
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue("work", forKey: "name")
            tag.setValue(color, forKey: "color")
        }
        try await other.store.sync()
        try await Device.settle(device, other)
        for device in [device, other] { #expect(try device.count("Tag") == 1) }
    }

    @Test(
        "an object that another device has made again survives a deletion that followed an edit without an answer",
        arguments: Policy.allCases, [false, true])
    func madeAgainAfterEdit(policy: Policy, isForgotten: Bool) async throws {
        let (device, other) = try await tagDevices(policy)
        try device.edit { context in
            try Device.object("Tag", "work", in: context).setValue("red", forKey: "color")
        }
        try await device.syncLosingAnswer(on: cloud, model: TagModel.make())
        try device.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
        try await other.store.sync()
        try other.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
        try other.add("Tag", ["name": "work"])
        try await other.store.sync()
        if isForgotten { try device.store.resetCloudFieldsInBackingStore() }
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try device.count("Tag") == (policy == .clientRecordWins ? 0 : 1))
        }
    }

    @Test(
        "a reference to an object that is deleted then is removed on the server, too",
        arguments: [Policy.mergeByProperty, .mergeByPropertyClientWins], [false, true])
    func deletedDestination(policy: Policy, isBatch: Bool) async throws {
        let (device, other) = try await devices(policy, timeZone: "Europe")
        try device.store.resetCloudFieldsInBackingStore()
        try device.edit { context in
            if isBatch {
                let zones = NSFetchRequest<any NSFetchRequestResult>(entityName: "Zone")
                _ = try context.execute(NSBatchDeleteRequest(fetchRequest: zones))
            } else {
                for zone in try Device.all("Zone", in: context) { context.delete(zone) }
            }
        }
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords), occurrences: .always)
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        cloud.faults.remove(fault)
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] {
            #expect(try device.count("Zone") == 0)
            #expect(try device.store.checkInvariants() == [])
        }
        let clock = try #require(try await RawClient(cloud).records().first)
        #expect(clock["timeZone"] == nil)
    }

    @Test(
        "an edit stands that is sent in vain before its object's record can be fetched",
        arguments: Policy.allCases, [false, true])
    func unfetchedRecord(policy: Policy, isResetFirst: Bool) async throws {
        let device = try Device("a", on: cloud, policy: policy, model: PhotoModel.make())
        let other = try Device("b", on: cloud, policy: policy, model: PhotoModel.make())
        device.store.recordConflictResolutionBlock = { _, client, _ in client }
        try device.edit { context in
            let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
            photo.setValue("old", forKey: "name")
            photo.setValue(PhotoModel.data(1, 200_000), forKey: "data")
        }
        try await Device.settle(device, other)
        if isResetFirst { try device.store.resetCloudFieldsInBackingStore() }
        try device.edit { context in
            for photo in try Device.all("Photo", in: context) {
                photo.setValue("new", forKey: "name")
            }
        }
        if !isResetFirst { try device.store.resetCloudFieldsInBackingStore() }
        for kind in [RequestKind.downloadAsset, .modifyRecords] {
            cloud.faults.add(.fail(.networkFailure), for: .kind(kind), occurrences: .always)
        }
        #expect(await device.attemptSync() != nil)
        cloud.faults.removeAll()
        try await Device.settle(device, other)
        for device in [device, other] {
            let names = try device.values("name", of: "Photo", as: String.self).values
            #expect(names.contains("new"))
            if policy != .keepBoth { #expect(names.count == 1) }
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "a value that was sent without an answer is not another device's",
        arguments: Policy.allCases,
        ["old", "new"])
    func sentWithoutAnswer(policy: Policy, note: String) async throws {
        let (device, other) = try await devices(policy, note: "old")
        try device.change("one", ["note": "sent"])
        try await device.syncLosingAnswer(on: cloud)
        try device.change("one", ["note": note])
        try device.store.resetCloudFieldsInBackingStore()
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try device.count("Clock") == 1)
            #expect(try device.value("note", of: "one") == note)
        }
    }

    /// The values of a note before and after an edit that is sent in vain.
    static let notesInVain: [(old: String?, new: String?)] = [
        ("old", nil), (nil, "new"), ("old", "new"),
    ]

    @Test(
        "a deletion stands though the edit before it was sent in vain",
        arguments: Policy.allCases, notesInVain)
    func deletionAfterEditInVain(policy: Policy, note: (old: String?, new: String?)) async throws {
        let (device, other) = try await devices(policy, note: note.old)
        try device.change("one", ["note": note.new])
        await device.syncSendingNothing(on: cloud)
        try device.store.resetCloudFieldsInBackingStore()
        try device.delete("one")
        try await Device.settle(device, other)
        for device in [device, other] { #expect(try device.count("Clock") == 0) }
    }
}
