import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Data in a record is a field of bytes, external data is an asset, and a field cannot become the
/// other.
@Suite("A new model that allows or forbids external storage") struct ExternalStorageChangeTests {
    let cloud = LocalCloud.inMemory()

    /// Sizes of data: in the row and the record, in a file if the model allows it, and too large for
    /// a record.
    static let sizes = [3, 300_000, 1_500_000]

    private static func model(
        isExternal: Bool, field: String? = nil, isOther: Bool = false
    ) -> NSManagedObjectModel {
        let photo = NSAttributeDescription("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = isExternal
        if let field { photo.userInfo = [SMStore.SMFieldNameUserInfoKey: field] }
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType), photo])
        if isOther { item.properties.append(NSAttributeDescription("note", .stringAttributeType)) }
        return NSManagedObjectModel(item)
    }

    private func data(_ size: Int, _ first: UInt8 = 1) -> Data {
        Data([first]) + Data(repeating: 7, count: size - 1)
    }

    private func device(_ name: String, isExternal: Bool) throws -> Device {
        try Device(name, on: cloud, model: Self.model(isExternal: isExternal))
    }

    private func photo(_ device: Device) throws -> Data? {
        try device.read { context in
            try #require(try Device.all("Item", in: context).first).value(forKey: "photo") as? Data
        }
    }

    private func set(_ photo: Data, on device: Device) throws {
        try device.edit { context in
            for item in try Device.all("Item", in: context) {
                item.setValue(photo, forKey: "photo")
            }
        }
    }

    @Test(
        "is refused once records may be on the server, whether or not this device has data",
        arguments: [false, true], [false, true])
    func refused(isExternal: Bool, hasData: Bool) async throws {
        let device = try device("a", isExternal: !isExternal)
        try device.add("Item", hasData ? ["name": "item", "photo": data(3)] : ["name": "item"])
        try await device.store.sync()
        let error = #expect(throws: CocoaError.self) {
            try device.relaunch(model: Self.model(isExternal: isExternal))
        }
        #expect(error?.code == .inferredMappingModel)
        let reason = error?.userInfo["reason"] as? String ?? ""
        for word in ["Item.photo", "external storage", "photo in CloudKit", "SMFieldName"] {
            #expect(reason.contains(word), "\(reason)")
        }
        try device.open(model: Self.model(isExternal: !isExternal))
        #expect(try photo(device) == (hasData ? data(3) : nil))
        // Another change is still possible.
        try device.relaunch(model: Self.model(isExternal: !isExternal, isOther: true))
        #expect(try photo(device) == (hasData ? data(3) : nil))
    }

    @Test("is refused for a mapping model, too", arguments: [false, true])
    func refusedForMapping(isExternal: Bool) async throws {
        let device = try device("a", isExternal: !isExternal)
        try device.add("Item", ["name": "item", "photo": data(3)])
        try await device.store.sync()
        let (old, new) = (Self.model(isExternal: !isExternal), Self.model(isExternal: isExternal))
        let mappings = try NSMappingModel.inferredMappingModel(
            forSourceModel: old, destinationModel: new)
        let error = #expect(throws: CocoaError.self) {
            try device.migrate(from: old, to: new, mappings)
        }
        #expect(error?.code == .migration)
        #expect((error?.userInfo["reason"] as? String)?.contains("Item.photo") == true)
    }

    @Test(
        "with another field keeps the data and a waiting edit, which all devices get",
        arguments: [false, true], sizes)
    func otherField(isExternal: Bool, size: Int) async throws {
        let new = Self.model(isExternal: isExternal, field: "image")
        let (a, b) = (
            try device("a", isExternal: !isExternal), try device("b", isExternal: !isExternal)
        )
        try a.add("Item", ["name": "item", "photo": data(size)])
        try await Device.settle(a, b)
        try set(data(size, 2), on: a)
        for (device, first) in [(a, UInt8(2)), (b, 1)] {
            try device.relaunch(model: new)
            #expect(try photo(device) == data(size, first))
        }
        try await Device.settle(a, b)
        let fresh = try Device("fresh", on: cloud, model: new)
        try await fresh.store.sync()
        try set(data(size, 3), on: fresh)
        try await Device.settle(fresh, a, b)
        for device in [a, b, fresh] {
            #expect(try photo(device) == data(size, 3), "\(device.name)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
            #expect(try device.store.checkInvariants() == [])
        }
    }

    @Test(
        "is possible, and keeps the data, as long as nothing was sent", arguments: [false, true],
        sizes)
    func unsent(isExternal: Bool, size: Int) async throws {
        let device = try device("a", isExternal: !isExternal)
        try device.add("Item", ["name": "item", "photo": data(size)])
        try device.relaunch(model: Self.model(isExternal: isExternal))
        #expect(try photo(device) == data(size))
        #expect(try device.store.checkInvariants() == [])
        try await device.store.sync()
        let fresh = try self.device("fresh", isExternal: isExternal)
        try await fresh.store.sync()
        #expect(try photo(fresh) == data(size))
        try set(data(size, 2), on: fresh)
        try await Device.settle(fresh, device)
        #expect(try photo(device) == data(size, 2))
    }
}
