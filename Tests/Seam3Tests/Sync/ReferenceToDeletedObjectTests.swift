import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Another device's version of an object comes back with all of its references, including those to
/// objects that were deleted here. Such a reference is invisible, but still part of the object.
@Suite("A reference to an object whose deletion has not been sent")
struct ReferenceToDeletedObjectTests {
    private let cloud: LocalCloud
    private let a: Device
    private let b: Device

    /// The clock "one" is back on the first device because the other one has edited it. Its zone,
    /// which was deleted with it, is not.
    init() async throws {
        cloud = LocalCloud.inMemory()
        a = try Device("a", on: cloud, policy: .keepBoth)
        b = try Device("b", on: cloud, policy: .keepBoth)
        try a.add("Zone", ["name": "Europe"])
        try a.add("Zone", ["name": "Asia"])
        try a.add("Clock", ["label": "one"])
        try a.relate("one", "timeZone", to: "Europe")
        try await Device.settle(a, b)
        try b.change("one", ["note": "by b"])
        try await b.store.sync()
        try a.edit { context in
            let clock = try Device.clock("one", in: context)
            context.delete(try #require(clock.value(forKey: "timeZone") as? NSManagedObject))
            context.delete(clock)
        }
        let device = a
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords, device: a.cloudContainer.device),
            occurrences: .always)
        await #expect(throws: CKError.self) { try await device.store.sync() }
        cloud.faults.remove(fault)
        try #require(try a.value("note", of: "one") == "by b")
        try #require(try a.hasNoValue("timeZone", of: "one"))
    }

    private func zone(of label: String, on device: Device) throws -> String? {
        try device.read { context in
            let zone = try Device.clock(label, in: context).value(forKey: "timeZone")
            return (zone as? NSManagedObject)?.value(forKey: "name") as? String
        }
    }

    @Test("is copied to the new object that keepBoth creates, and leads there once it is back")
    func keptCopy() async throws {
        try a.change("one", ["label": "kept", "position": 1])
        try b.change("one", ["position": 2])
        try await b.store.sync()
        // With this edit the other device brings the zone back.
        try b.edit { context in
            let clock = try Device.clock("one", in: context)
            let zone = try #require(clock.value(forKey: "timeZone") as? NSManagedObject)
            zone.setValue("Eurasia", forKey: "name")
        }
        try await a.store.sync()
        try await Device.settle(b, a)
        try expectAgreement(a, b)
        for device in [a, b] {
            #expect(try zone(of: "one", on: device) == "Eurasia")
            #expect(try zone(of: "kept", on: device) == "Eurasia")
        }
    }

    @Test("does not make the device's own save a conflict if its answer is lost")
    func lostAnswer() async throws {
        try a.change("one", ["position": 1])
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: a.cloudContainer.device))
        let device = a
        await #expect(throws: CKError.self) { try await device.store.sync() }
        #expect(try await a.store.sync().conflictCount == 0)
        #expect(try a.count("Clock") == 1)
        try await Device.settle(b, a)
        try expectAgreement(a, b)
    }

    @Test("is the base of a later edit of the relationship, so that nothing else contests it")
    func laterEdit() async throws {
        a.store.syncConflictResolutionPolicy = .mergeByProperty
        try a.relate("one", "timeZone", to: "Asia")
        try b.change("one", ["position": 2])
        try await Device.settle(b, a)
        try await Device.settle(b, a)
        try expectAgreement(a, b)
        #expect(try zone(of: "one", on: b) == "Asia")
        #expect(try b.value("position", of: "one") == 2)
    }
}
