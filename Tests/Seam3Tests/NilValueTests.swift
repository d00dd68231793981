import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Nil is a value", .tags(.nilIsAValue)) struct NilValueTests {
    let cloud = LocalCloud.inMemory()

    /// Two devices that both have a clock with a note, a position, a folder and a zone.
    private func devices() async throws -> (Device, Device) {
        let (a, b) = (try Device("a", on: cloud), try Device("b", on: cloud))
        try a.add("Clock", ["label": "c", "note": "n", "position": 1])
        try a.add("Folder", ["name": "f"])
        try a.add("Zone", ["name": "z"])
        try a.relate("c", "folder", to: "f")
        try a.relate("c", "timeZone", to: "z")
        try await Device.settle(a, b)
        return (a, b)
    }

    private func clock() async throws -> CKRecord {
        try #require(try await RawClient(cloud).records(ofType: "Clock").first)
    }

    @Test(
        "that replaces a value on the server, and then on another device",
        arguments: [["note"], ["position"], ["timeZone"], ["folder"], ["note", "folder"]])
    func sent(keys: [String]) async throws {
        let (a, b) = try await devices()
        try a.change("c", Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) }))
        try await Device.settle(a, b)
        for key in keys {
            #expect(try await clock().allKeys().contains(key) == false)
            for device in [a, b] { #expect(try device.hasNoValue(key, of: "c")) }
        }
        try expectAgreement(a, b)
    }

    @Test("that a field expresses by its absence from a record of the feed")
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

    @Test("that an update of other properties does not imply for those it omits")
    func leftOut() async throws {
        let (a, b) = try await devices()
        try a.change("c", ["position": 2])
        try await Device.settle(a, b)
        #expect(try b.value("note", of: "c") == "n")
        #expect(try await clock().allKeys().contains("note"))
        try expectAgreement(a, b)
    }
}
