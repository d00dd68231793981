import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// The server refuses an object, and gets another one that refers to it. Then the first one is deleted.
@Suite("A reference to an object that was deleted before it was sent does not stay on the server")
struct ReferenceToUnsentObjectTests {
    typealias Kind = DanglingReferenceTests.Kind

    /// How the object is deleted.
    enum Deletion: CaseIterable {
        case context, contextThatDoesNotKnowTheReference, batch
    }

    /// What the device knows of the request with the reference when the object is deleted.
    enum Knowledge: CaseIterable {
        case answered, unanswered
        /// The app has told it to forget everything.
        case forgotten
    }

    /// Makes the server refuse the object that was made last, and lose the response to the first request that sends
    /// another one.
    private func refuseTarget(_ cloud: LocalCloud, losesResponse: Bool) {
        cloud.poisonNextRequest { names in
            if losesResponse, let first = names.min() {
                cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords, item: first))
            }
            return names.max().map { [$0] } ?? []
        }
    }

    private func delete(_ kind: Kind, _ deletion: Deletion, on device: Device) throws {
        if deletion == .batch {
            let request = NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: kind.target))
            _ = try device.edit { try $0.execute(request) }
        } else {
            try device.edit { $0.delete(try Device.object(kind.target, "target", in: $0)) }
        }
    }

    @Test("in any case", arguments: Kind.allCases, Deletion.allCases)
    func matrix(kind: Kind, deletion: Deletion) async throws {
        for knowledge in Knowledge.allCases {
            let comment: Comment = "\(knowledge)"
            let cloud = LocalCloud.inMemory()
            let device = try Device(on: cloud, model: kind.model())
            try await device.store.sync()
            try device.addAll("Clock", "clock")
            try device.addAll(kind.target, "target")
            let held = device.container.newBackgroundContext()
            held.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            if deletion == .contextThatDoesNotKnowTheReference {
                try await held.perform {
                    held.delete(try Device.object(kind.target, "target", in: held))
                }
            }
            try device.edit { context in
                try Device.object("Clock", "clock", in: context).setValue(
                    try Device.object(kind.target, "target", in: context),
                    forKey: kind.relationship)
            }
            refuseTarget(cloud, losesResponse: knowledge == .unanswered)
            await device.attemptSync()
            try #require(try await RawClient(cloud).records().count == 1, comment)
            if knowledge == .forgotten { try device.store.resetCloudFieldsInBackingStore() }
            if deletion == .contextThatDoesNotKnowTheReference {
                try await held.perform { try held.save() }
            } else {
                try delete(kind, deletion, on: device)
            }
            cloud.faults.removeAll()
            for _ in 1...2 { try await device.store.sync() }
            for record in try await RawClient(cloud).records() {
                #expect(record[kind.relationship] as CKRecord.Reference? == nil, comment)
            }
            try device.read { $0.reset() }
            #expect(try device.text("Clock", "clock", kind.relationship) == "nil", comment)
            #expect(try device.store.syncStatus().pendingChangeCount == 0, comment)
            #expect(try device.store.checkInvariants() == [], comment)
        }
    }
}
