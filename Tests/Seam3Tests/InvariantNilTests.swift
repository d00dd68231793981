import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Invariant 7: nil is a value") struct InvariantNilTests {
    let cloud = LocalCloud.inMemory()

    /// Two devices that have one clock with a note.
    private func devices() async throws -> (Device, Device) {
        let (a, b) = (try Device("a", on: cloud), try Device("b", on: cloud))
        try a.add("Clock", ["label": "c", "note": "n"])
        try a.add("Folder", ["name": "f"])
        try a.relate("c", "folder", to: "f")
        try await Device.settle(a, b)
        return (a, b)
    }

    private func clock() async throws -> CKRecord {
        try #require(try await RawClient(cloud).records(ofType: "Clock").first)
    }

    @Test("that replaces a value on the server, and then on another device")
    func sent() async throws {
        let (a, b) = try await devices()
        try a.change("c", ["note": nil])
        try a.relate("c", "folder", to: nil)
        try await Device.settle(a, b)
        #expect(try await clock().allKeys().contains("note") == false)
        #expect(try await clock().allKeys().contains("folder") == false)
        for device in [a, b] {
            #expect(try device.hasNoValue("note", of: "c"))
            #expect(try device.hasNoValue("folder", of: "c"))
        }
    }

    @Test("that a field says by its absence from a record of the feed")
    func received() async throws {
        let (a, b) = try await devices()
        let record = try await clock()
        record["note"] = nil
        record["folder"] = nil
        try await RawClient(cloud).save(record)
        try await Device.settle(a, b)
        #expect(try a.hasNoValue("note", of: "c"))
        #expect(try a.hasNoValue("folder", of: "c"))
        try expectAgreement(a, b)
    }

    @Test("that an update of other properties does not say of those that it leaves out")
    func leftOut() async throws {
        let (a, b) = try await devices()
        try a.change("c", ["position": 1])
        try await Device.settle(a, b)
        #expect(try b.value("note", of: "c") == "n")
        #expect(try await clock().allKeys().contains("note"))
        try expectAgreement(a, b)
    }
}
