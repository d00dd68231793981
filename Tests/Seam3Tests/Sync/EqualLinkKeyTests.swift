import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// The pairs of an ordered many-to-many relationship are records of their own, whose keys are equal or missing.
@Suite("A pair whose order key changes because another pair was put beside it")
struct EqualLinkKeyTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    let cloud = LocalCloud.inMemory()

    /// Where the pairs come from.
    enum Origin: CaseIterable, Sendable {
        case appendedOnTwoDevices, equalKeys, withoutKeys
    }

    /// Two devices with an article and its readers in the same order.
    private func devices(
        _ origin: Origin, _ policy: Policy
    ) async throws -> (a: Device, b: Device, readers: [String]) {
        let a = try Device("a", on: cloud, policy: policy, model: LibraryModel.make())
        let b = try Device("b", on: cloud, policy: policy, model: LibraryModel.make())
        if origin == .appendedOnTwoDevices {
            try a.addAll("Article", "article")
            try a.addAll("Reader", "r0", "r1", "r2", "new")
            try await Device.settle(a, b)
            try Self.append("r0", on: a)
            try Self.append("r1", on: b)
        } else {
            try await a.store.sync()
            let client = RawClient(cloud)
            try await client.save(client.record("Article", named: "article", ["name": "article"]))
            for name in ["r0", "r1", "r2", "new"] {
                try await client.save(client.record("Reader", named: name, ["name": name]))
            }
            for name in ["r0", "r1", "r2"] {
                let link = client.record("SM_Link_Article_readers", named: "link \(name)")
                link["source"] = client.reference(to: "article")
                link["target"] = client.reference(to: name)
                if origin == .equalKeys {
                    link["sourceOrder"] = "V"
                    link["targetOrder"] = "V"
                }
                try await client.save(link)
            }
        }
        try await Device.settle(a, b)
        let readers = try Self.readers(on: a)
        try #require(readers.count >= 2)
        try #require(try Self.readers(on: b) == readers)
        for device in [a, b] {
            device.store.recordConflictResolutionBlock = { server, _, _ in
                Issue.record("The app is asked about a key.")
                return server
            }
        }
        return (a, b, readers)
    }

    private static func append(_ reader: String, on device: Device) throws {
        try device.edit { context in
            try Device.object("Article", "article", in: context)
                .mutableOrderedSetValue(forKey: "readers")
                .add(try Device.object("Reader", reader, in: context))
        }
    }

    private static func readers(on device: Device) throws -> [String] {
        try device.read { context in context.refreshAllObjects() }
        return try device.members("Article", "article", "readers")
    }

    private func expect(_ readers: [String], on devices: Device...) async throws {
        let fresh = try Device("fresh", on: cloud, model: LibraryModel.make())
        try await fresh.store.sync()
        for device in devices + [fresh] {
            #expect(try Self.readers(on: device) == readers, "\(device.name)")
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
        let links = try await RawClient(cloud).records(ofType: "SM_Link_Article_readers")
        #expect(links.count == readers.count)
    }

    @Test(
        "does not come back if another device has removed it", arguments: Origin.allCases,
        Policy.allCases)
    func removal(origin: Origin, policy: Policy) async throws {
        let (a, b, readers) = try await devices(origin, policy)
        try Self.append("new", on: a)
        try b.setMembers("Article", "article", "readers", Array(readers.dropFirst()))
        try await Device.settle(a, b)
        try await expect(Array(readers.dropFirst()) + ["new"], on: a, b)
    }

    @Test(
        "does not come back if another device has removed it before", arguments: Origin.allCases,
        Policy.allCases)
    func removalFirst(origin: Origin, policy: Policy) async throws {
        let (a, b, readers) = try await devices(origin, policy)
        try Self.append("new", on: a)
        try b.setMembers("Article", "article", "readers", Array(readers.dropFirst()))
        try await Device.settle(b, a)
        try await expect(Array(readers.dropFirst()) + ["new"], on: a, b)
    }

    @Test(
        "does not bring back an end that another device has deleted", arguments: Origin.allCases,
        Policy.allCases)
    func deletedEnd(origin: Origin, policy: Policy) async throws {
        let (a, b, readers) = try await devices(origin, policy)
        try Self.append("new", on: a)
        try b.edit { $0.delete(try Device.object("Reader", readers[0], in: $0)) }
        try await Device.settle(a, b)
        try await expect(Array(readers.dropFirst()) + ["new"], on: a, b)
        for device in [a, b] { #expect(try device.count("Reader") == 3) }
    }

    @Test(
        "takes no edit of its end from another device", arguments: Origin.allCases,
        Policy.allCases)
    func editedEnd(origin: Origin, policy: Policy) async throws {
        let (a, b, readers) = try await devices(origin, policy)
        try Self.append("new", on: a)
        try b.edit {
            try Device.object("Reader", readers[0], in: $0).setValue("edited", forKey: "name")
        }
        try await Device.settle(a, b)
        try await expect(["edited"] + readers.dropFirst() + ["new"], on: a, b)
    }
}
