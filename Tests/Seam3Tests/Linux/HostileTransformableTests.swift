import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import SeamSQLite
import Testing

@testable import Seam3

/// Whoever can write to the user's zone can put any bytes into the field of a transformable attribute.
@Suite("A transformable value from the server", .tags(.oneFailureStaysAlone))
struct HostileTransformableTests {
    static let values: [ArchiveValue] = [
        .labeled("a", "NSArray", ["NS.objects": .references([.label("a")])]),
        .object("NSIndexSet", [:]), .array([.object("NSIndexSet", [:])]),
        .object("NSDictionary", ["NS.keys": .references(["a"])]),
        .object(
            NSStringFromClass(GridPoint.self),
            ["x": .object("NSSet", ["NS.objects": "none"]), "y": "text"]),
        .object("CKServerChangeToken", ["ChangeTokenData": .object("NSSet", [:])]),
    ]
    static let transformers: [NSValueTransformerName?] = [
        nil, .secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
        GridPointTransformer.name,
    ]

    let cloud = LocalCloud.inMemory()

    @Test("does not end the devices that read it", arguments: transformers)
    func hostile(transformer: NSValueTransformerName?) async throws {
        let model = EdgeValues(
            name: "", type: .transformableAttributeType, transformer: transformer, values: [])
        let device = try Device(on: cloud, model: model.model())
        try device.add("Item", ["index": -1])
        try await device.store.sync()
        let client = RawClient(cloud)
        for (index, value) in Self.values.enumerated() {
            try await client.save(
                client.record(
                    "Item", named: "item-\(index)",
                    ["index": index, "value": KeyedArchiveWriter.archive(value)]))
        }
        try await device.store.sync()
        try device.read { context in
            let items = try Device.all("Item", in: context)
            #expect(items.count == Self.values.count + 1)
            for item in items { _ = item.value(forKey: "value") }
        }
        try device.edit { context in
            for item in try Device.all("Item", in: context) { item.setValue(7, forKey: "index") }
        }
        try await device.store.sync()
    }

    @Test("has only classes of property lists, unless the model names another") func others() throws
    {
        let named = EdgeValues(name: "", type: .transformableAttributeType, values: []).model()
        let plain = EdgeValues(name: "", type: .transformableAttributeType, values: []).model()
        plain.entitiesByName["Item"]?.attributesByName["value"]?.attributeValueClassName = nil
        for (model, accepts) in [(named, true), (plain, false)] {
            let device = try Device(on: cloud, model: model)
            try device.add("Item", ["value": NSArray(array: ["a", NSURL(fileURLWithPath: "/b")])])
            for value in [GridPoint(1, 2), NSArray(array: [GridPoint(1, 2)])] {
                let result = Result { try device.add("Item", ["value": value]) }
                #expect(((try? result.get()) != nil) == accepts)
            }
        }
    }

    @Test("System fields and change tokens that are damaged in any way are an error or a value")
    func tokens() {
        let fields: [ArchiveValue] = [
            .object("NSArray", ["NS.objects": .references([])]), .object("NSIndexSet", [:]), 7,
            "text", .labeled("a", "NSArray", ["NS.objects": .references([.label("a")])]),
        ]
        for field in fields {
            let archive = KeyedArchiveWriter.archive(
                .object(
                    "CKServerChangeToken", ["ChangeTokenData": field, "RecordType": field]))
            _ = try? ChangeTokenArchive.token(archive)
            for key in ["RecordType", "RecordID", "RecordName", "SMChangeTag", "Fields", "ETag"] {
                let top = KeyedArchiveWriter.archive(field, forKey: key)
                #expect(throws: (any Error).self) { try SystemFields.record(from: top) }
            }
        }
    }
}
