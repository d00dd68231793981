import CoreData
import LocalCloud
import Seam3
import Testing

/// Changes of references that follow from the deletion of their destination are not edits.
@Suite("A reference that is cleared with its destination") struct AutomaticChangeTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// The policies under which an edit survives a deletion.
    static let surviving = Policy.allCases.filter {
        ![.serverRecordWins, .clientRecordWins].contains($0)
    }

    /// Two devices that both have the folder "1" and the clock "home".
    private func devices(
        _ policy: Policy, isInFolder: Bool, on cloud: LocalCloud? = nil
    ) async throws -> (a: Device, b: Device) {
        let cloud = cloud ?? self.cloud
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        for device in [a, b] {
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
        }
        try a.add("Folder", ["name": "1"])
        try a.add("Clock", ["label": "home", "note": "old"])
        if isInFolder { try a.relate("home", "folder", to: "1") }
        try await Device.settle(a, b)
        return (a, b)
    }

    private func deleteFolder(on device: Device) throws {
        try device.edit { $0.delete(try Device.object("Folder", "1", in: $0)) }
    }

    /// Makes a device automatically remove a reference that another one has set, without sending
    /// the change yet.
    private func takeAway(on a: Device, from b: Device) async throws {
        try deleteFolder(on: a)
        try b.relate("home", "folder", to: "1")
        try await b.store.sync()
        try await a.store.sync()
        await a.syncSendingNothing(on: cloud)
        try #require(try a.store.syncStatus().pendingChangeCount == 1)
    }

    @Test("does not contest the deletion of the object that has it", arguments: surviving)
    func deletion(policy: Policy) async throws {
        let (a, b) = try await devices(policy, isInFolder: false)
        try await takeAway(on: a, from: b)
        try b.delete("home")
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.count("Clock") == 0)
    }

    /// Expects that a sync of the first device finds no conflict, and that the clock has its new note and no
    /// folder.
    private func expectUncontestedEdit(_ a: Device, _ b: Device) async throws {
        let summary = try await a.store.sync()
        #expect(summary.conflictCount == 0)
        #expect(summary.unfetchedRecordCount == 0)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.value("note", of: "home") == "new")
        #expect(try a.hasNoValue("folder", of: "home"))
        #expect(try a.count("Clock") == 1)
    }

    @Test("does not contest another edit of the object that has it", arguments: Policy.allCases)
    func edit(policy: Policy) async throws {
        let (a, b) = try await devices(policy, isInFolder: false)
        try await takeAway(on: a, from: b)
        try b.change("home", ["note": "new"])
        try await b.store.sync()
        try await expectUncontestedEdit(a, b)
    }

    @Test(
        "does not restore an object deleted by then, also by a batch request",
        arguments: surviving, [false, true])
    func deletedBefore(policy: Policy, byBatch: Bool) async throws {
        let (a, b) = try await devices(policy, isInFolder: true)
        try deleteFolder(on: b)
        try await b.store.sync()
        if byBatch {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Clock")
            try a.edit { _ = try $0.execute(NSBatchDeleteRequest(fetchRequest: request)) }
        } else {
            try a.delete("home")
        }
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.count("Clock") == 0)
    }

    /// A cloud with small pages of changes.
    private func cloud(pageSize: Int) -> LocalCloud {
        var options = LocalCloudOptions()
        options.pageSize = pageSize
        return .inMemory(options: options)
    }

    @Test(
        "does not contest a deletion even if its destination's arrives with a later page",
        arguments: surviving, [1, 2, 3])
    func deletionInPages(policy: Policy, pageSize: Int) async throws {
        let (a, b) = try await devices(policy, isInFolder: true, on: cloud(pageSize: pageSize))
        try deleteFolder(on: b)
        try await b.store.sync()
        try a.delete("home")
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.count("Clock") == 0)
    }

    @Test(
        "does not contest an edit even if the deletion arrives with a later page",
        arguments: Policy.allCases, [1, 2, 3])
    func editInPages(policy: Policy, pageSize: Int) async throws {
        let (a, b) = try await devices(policy, isInFolder: true, on: cloud(pageSize: pageSize))
        try deleteFolder(on: b)
        try await b.store.sync()
        try a.change("home", ["note": "new"])
        try await expectUncontestedEdit(a, b)
    }

    @Test(
        "does not contest an edit even if the server tells of it only when the edit is sent",
        arguments: Policy.allCases, [1, 200])
    func editDuringPush(policy: Policy, pageSize: Int) async throws {
        let (a, b) = try await devices(policy, isInFolder: true, on: cloud(pageSize: pageSize))
        try deleteFolder(on: b)
        try a.change("home", ["note": "new"])
        a.interleaveSync(of: b)
        try await expectUncontestedEdit(a, b)
    }

    @Test(
        "does not undo an edit that the server has refused, perhaps after it had saved it",
        arguments: Policy.allCases)
    func refused(policy: Policy) async throws {
        let (a, b) = try await devices(policy, isInFolder: true)
        try a.add("Folder", ["name": "2"])
        try await Device.settle(a, b)
        try deleteFolder(on: a)
        try a.relate("home", "folder", to: "2")
        let clock = try #require(try await RawClient(cloud).records(ofType: "Clock").first)
        let name = clock.recordID.recordName
        let fault = cloud.faults.add(
            .fail(.clientError), for: .kind(.modifyRecords, item: name), occurrences: .always)
        #expect(await a.attemptSync() != nil)
        cloud.faults.remove(fault)
        try await b.store.sync()
        #expect(try b.hasNoValue("folder", of: "home"))
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        let folder: NSManagedObject? = try b.value("folder", of: "home")
        #expect(folder != nil)
    }

    @Test("is an edit if the device could not know of the deletion", arguments: surviving)
    func takenOut(policy: Policy) async throws {
        let (a, b) = try await devices(policy, isInFolder: true)
        try a.edit { context in
            context.delete(try Device.object("Folder", "1", in: context))
            context.delete(try Device.clock("home", in: context))
        }
        try b.relate("home", "folder", to: nil)
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.count("Clock") == 1)
    }
}
