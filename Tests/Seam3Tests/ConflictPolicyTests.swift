import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Each conflict policy", .tags(.threeWayConflicts)) struct ConflictPolicyTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// Two devices with a policy, both with the clock "home", note "old", position 1.
    private func devices(_ policy: Policy) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        for device in [a, b] {
            device.store.recordConflictResolutionBlock = { server, client, _ in
                server["note"] = "\(server["note"] ?? "") and \(client["note"] ?? "")"
                return server
            }
        }
        try a.add("Clock", ["label": "home", "note": "old", "position": 1])
        try await Device.settle(a, b)
        return (a, b)
    }

    /// The note and the position after device a edited the note and device b the position.
    static let differentProperties: [(Policy, note: String, position: Int)] = [
        (.serverRecordWins, "by a", 1), (.clientRecordWins, "old", 2),
        (.mergeByProperty, "by a", 2),
    ]

    @Test("decides when both edited different properties", arguments: differentProperties)
    func bothEditedDifferentProperties(
        policy: Policy, note: String, position: Int
    ) async throws {
        let (a, b) = try await devices(policy)
        try a.change("home", ["note": "by a"])
        try b.change("home", ["position": 2])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.value("note", of: "home") == note)
        #expect(try a.value("position", of: "home") == position)
    }

    @Test("calls nothing a conflict when both made the same edit", arguments: Policy.allCases)
    func sameEdit(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        try a.change("home", ["note": "same"])
        try b.change("home", ["note": "same"])
        try await a.store.sync()
        let summary = try await b.store.sync()
        #expect(summary.conflictCount == 0)
        #expect(summary.savedRecordCount == 0)
        try expectAgreement(a, b)
    }

    @Test("agrees on a deletion that both made", arguments: Policy.allCases)
    func bothDeleted(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        try a.delete("home")
        try b.delete("home")
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.table().isEmpty)
    }

    @Test("clientTellsWhichWins gives the block all three versions with all their values")
    func blockGetsAllVersions() async throws {
        let (a, b) = try await devices(.clientTellsWhichWins)
        nonisolated(unsafe) var seen: [[String: String]] = []
        b.store.recordConflictResolutionBlock = { server, client, ancestor in
            seen.append(
                Dictionary(
                    uniqueKeysWithValues: [
                        ("server", server), ("client", client), ("ancestor", ancestor),
                    ].map { name, record in
                        let note: String? = record["note"]
                        let label: String? = record["label"]
                        return (name, "\(label ?? "-"): \(note ?? "-")")
                    }))
            return client
        }
        try a.change("home", ["note": "by a"])
        try b.change("home", ["note": "by b"])
        try await Device.settle(a, b)
        #expect(
            seen == [["server": "home: by a", "client": "home: by b", "ancestor": "home: old"]])
        #expect(try a.value("note", of: "home") == "by b")
        try expectAgreement(a, b)
    }

    @Test(
        "An edit that was taken back before it was sent does not count, not even against a deletion",
        .tags(.lastIntentCounts), arguments: Policy.allCases)
    func takenBackEdit(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        try a.add("Folder", ["name": "family"])
        try await Device.settle(a, b)
        try a.change("home", ["note": "for a moment"])
        try a.relate("home", "folder", to: "family")
        #expect(try a.store.syncStatus().pendingChangeCount == 1)
        try a.change("home", ["note": "old"])
        try a.relate("home", "folder", to: nil)
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
        try b.delete("home")
        try await a.store.sync()
        try await Device.settle(b, a)
        #expect(try a.count("Clock") == 0)
        try expectAgreement(a, b)
    }

    @Test("clientTellsWhichWins without a block lets the server win", .tags(.noCrashFromOutside))
    func missingBlock() async throws {
        let (a, b) = try await devices(.clientTellsWhichWins)
        b.store.recordConflictResolutionBlock = nil
        try a.change("home", ["note": "by a"])
        try b.change("home", ["note": "by b"])
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try device.value("note", of: "home") == "by a") }
        try expectAgreement(a, b)
    }

    @Test(
        "clientTellsWhichWins with a block that returns another record lets the server win",
        .tags(.noCrashFromOutside), arguments: ["Clock", "Other"])
    func wrongRecord(type: String) async throws {
        let (a, b) = try await devices(.clientTellsWhichWins)
        b.store.recordConflictResolutionBlock = { _, _, _ in CKRecord(recordType: type) }
        try a.change("home", ["note": "by a"])
        try b.change("home", ["note": "by b"])
        try await Device.settle(a, b)
        #expect(try b.value("note", of: "home") == "by a")
        try expectAgreement(a, b)
    }

    @Test("clientTellsWhichWins gives the block the records' assets, and takes the client's record")
    func blockWithAssets() async throws {
        let (a, b) = try await devices(.clientTellsWhichWins)
        b.store.recordConflictResolutionBlock = { server, client, ancestor in
            let theirs: CKAsset? = server["chime"]
            let mine: CKAsset? = client["chime"]
            let before: CKAsset? = ancestor["chime"]
            #expect(theirs?.fileURL.flatMap { try? Data(contentsOf: $0) } == Data([1]))
            #expect(mine?.fileURL.flatMap { try? Data(contentsOf: $0) } == Data([2]))
            #expect(before == nil)
            return client
        }
        try a.change("home", ["chime": Data([1])])
        try b.change("home", ["chime": Data([2])])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.value("chime", of: "home") == Data([2]))
    }

    @Test("keepBoth gives the new object the relationships of the old")
    func keepBothKeepsRelationships() async throws {
        let (a, b) = try await devices(.keepBoth)
        try a.add("Folder", ["name": "family"])
        try a.relate("home", "folder", to: "family")
        try await Device.settle(a, b)
        try a.change("home", ["note": "by a"])
        try b.change("home", ["note": "by b"])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        let members = try a.read { context in
            let folder = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
            return (folder.first?.value(forKey: "clocks") as? Set<NSManagedObject>)?.count
        }
        #expect(members == 2)
    }
}
