import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Core Data stores a value that a mapping model copies anew, and equal values may have several stored forms.
@Suite("A value that a mapping model only copies") struct MappedFormTests {
    let cloud = LocalCloud.inMemory()

    private static func model(isNew: Bool, isExternal: Bool = false) -> NSManagedObjectModel {
        let words = NSAttributeDescription("words", .transformableAttributeType)
        words.valueTransformerName = "NSSecureUnarchiveFromData"
        words.allowsExternalBinaryDataStorage = isExternal
        let attributes = [
            words, NSAttributeDescription("link", .URIAttributeType),
            NSAttributeDescription("name", .stringAttributeType),
        ]
        let note = isNew ? [NSAttributeDescription("note", .stringAttributeType)] : []
        return NSManagedObjectModel(NSEntityDescription("Item", attributes + note))
    }

    /// Values whose archives have no fixed order.
    private func words(_ number: Int, count: Int) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "\(number)") })
    }

    private func migrate(_ device: Device, isExternal: Bool = false) throws {
        try MigrationKind.$current.withValue(.mapped) {
            try device.relaunch(model: Self.model(isNew: true, isExternal: isExternal))
        }
    }

    @Test("is not sent if its archive has another order", arguments: [(10, false), (40_000, true)])
    func archive(count: Int, isExternal: Bool) async throws {
        let device = try Device(
            "device", on: cloud, model: Self.model(isNew: false, isExternal: isExternal))
        let objects = isExternal ? 2 : 20
        for number in 0..<objects {
            try device.add("Item", ["name": "\(number)", "words": words(number, count: count)])
        }
        try await Device.settle(device)
        try migrate(device, isExternal: isExternal)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        let values = try device.values("words", of: "Item", as: [String: String].self)
        for number in 0..<objects {
            #expect(values["\(number)"] == words(number, count: count))
        }
        #expect(try device.store.checkInvariants() == [])
    }

    @Test("does not undo its object's deletion on another device")
    func deletion() async throws {
        let a = try Device("a", on: cloud, model: Self.model(isNew: false))
        let b = try Device("b", on: cloud, model: Self.model(isNew: false))
        for number in 0..<20 {
            try a.add("Item", ["name": "\(number)", "words": words(number, count: 10)])
        }
        try await Device.settle(a, b)
        try b.deleteAll("Item")
        try migrate(a)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try device.count("Item") == 0) }
    }

    @Test("is not sent if another client has written a URI differently")
    func uri() async throws {
        let device = try Device("device", on: cloud, model: Self.model(isNew: false))
        try device.add("Item", ["name": "i"])
        try await Device.settle(device)
        let record = try #require(await RawClient(cloud).records(ofType: "Item").first)
        record["link"] = "http://example.org/ü"
        try await RawClient(cloud).save(record)
        try await Device.settle(device)
        try migrate(device)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        #expect(try device.values("link", of: "Item", as: URL.self)["i"] != nil)
    }
}
