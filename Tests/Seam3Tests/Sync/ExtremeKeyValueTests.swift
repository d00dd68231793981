import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// The extreme values of types, wherever the store computes with them.
@Suite("A value at the end of its type's range never ends the process") struct ExtremeKeyValueTests
{
    /// An attribute type that a natural key may have, with its edge values as strings that can be
    /// passed to another process.
    enum Kind: String, CaseIterable, Codable {
        case date, decimal, small, medium, large, flag, text, uuid, uri

        var type: NSAttributeType {
            switch self {
            case .date: return .dateAttributeType
            case .decimal: return .decimalAttributeType
            case .small: return .integer16AttributeType
            case .medium: return .integer32AttributeType
            case .large: return .integer64AttributeType
            case .flag: return .booleanAttributeType
            case .text: return .stringAttributeType
            case .uuid: return .UUIDAttributeType
            case .uri: return .URIAttributeType
            }
        }

        var values: [NSObject] {
            switch self {
            case .date:
                return [
                    1e300, -1e300, .greatestFiniteMagnitude, .infinity, -.infinity, .nan, 9.3e15,
                    -9.3e15, 9.3e18, 1e-300, 0.0004999, -0.0005, 64_092_211_200, -63_114_076_800,
                ].map { NSDate(timeIntervalSinceReferenceDate: $0) }
            case .decimal:
                return [
                    "1e127", "-1e127", "1e-127", "99999999999999999999999999999999999999",
                    "0.00000000000000000000000000000000000001", "-0", "1.50",
                ].map { NSDecimalNumber(string: $0) } + [NSDecimalNumber.notANumber]
            case .small: return [Int64(Int16.min), Int64(Int16.max)].map { NSNumber(value: $0) }
            case .medium: return [Int64(Int32.min), Int64(Int32.max)].map { NSNumber(value: $0) }
            case .large: return [Int64.min, Int64.max, 1 << 53].map { NSNumber(value: $0) }
            case .flag: return [NSNumber(value: true), NSNumber(value: 7)]
            case .text:
                return [
                    "", "\u{0}", "a\u{0}b", "e\u{301}", "🧨", String(repeating: "x", count: 5000),
                ]
                .map { NSString(string: $0) }
            case .uuid:
                return [NSUUID(uuidString: "00000000-0000-0000-0000-000000000000")].compactMap {
                    $0
                }
            case .uri:
                return ["a", "https://example.org/%00?q#f", "urn:x", "//", "%20"]
                    .compactMap { NSURL(string: $0) }
            }
        }
    }

    static func model(_ kind: Kind, isKey: Bool) -> NSManagedObjectModel {
        let item = NSEntityDescription(
            "Item",
            [
                NSAttributeDescription("value", kind.type),
                NSAttributeDescription("name", .stringAttributeType),
            ])
        if isKey { item.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "value"] }
        return NSManagedObjectModel(item)
    }

    @Test(
        "in a natural key, or beside one", arguments: Kind.allCases.map(\.rawValue), [true, false])
    func naturalKey(_ name: String, isKey: Bool) async {
        // In a separate process, because the defect would end it.
        await #expect(processExitsWith: .success) {
            [name = name as String, isKey = isKey as Bool] in
            let kind = try #require(Kind(rawValue: name))
            for value in kind.values {
                try await ExtremeKeyValueTests.check(value, kind, isKey: isKey)
            }
        }
    }

    /// Saves, changes and syncs objects with a value. Each step may throw.
    private static func check(_ value: NSObject, _ kind: Kind, isKey: Bool) async throws {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, model: model(kind, isKey: isKey))
        let b = try Device("b", on: cloud, model: model(kind, isKey: isKey))
        for device in [a, b] {
            try device.read { context in
                let item = NSEntityDescription.insertNewObject(
                    forEntityName: "Item", into: context)
                item.setValue(value, forKey: "value")
                do { try context.save() } catch { context.rollback() }
            }
        }
        for device in [a, b, a] { await device.attemptSync() }
        // This does not hold up other changes.
        try a.add("Item", ["name": "innocent"])
        for device in [a, b] { await device.attemptSync() }
        let names = try b.read { context in
            try Device.all("Item", in: context).compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(names == ["innocent"], "\(value)")
        if isKey, try a.count("Item") == 2, try a.store.syncStatus().pendingChangeCount == 0 {
            #expect(try b.count("Item") == 2, "one object on both devices: \(value)")
        }
        for device in [a, b] {
            try device.edit { context in
                for item in try Device.all("Item", in: context) {
                    item.setValue("x", forKey: "name")
                }
            }
            await device.attemptSync()
            try device.edit { context in
                for item in try Device.all("Item", in: context) { context.delete(item) }
            }
            await device.attemptSync()
            #expect(try device.store.checkInvariants() == [])
        }
    }

    /// Dates that a server, or another client, may write.
    static let dates: [Double] = [1e300, -1e300, 9.3e18, -9.3e18, 9.3e15, -9.3e15, 1e-300]

    @Test("in a record on the server", arguments: dates)
    func pulledDate(seconds: Double) async {
        await #expect(processExitsWith: .success) { [seconds = seconds as Double] in
            let cloud = LocalCloud.inMemory()
            let device = try Device(
                "a", on: cloud, model: ExtremeKeyValueTests.model(.date, isKey: false))
            try await device.store.sync()
            let client = RawClient(cloud)
            let record = client.record("Item", named: "item", ["name": "item"])
            record["value"] = Date(timeIntervalSinceReferenceDate: seconds)
            // A server may refuse the value.
            _ = try? await client.save(record)
            try await client.save(client.record("Item", named: "other", ["name": "other"]))
            await device.attemptSync()
            let names = try device.read { context in
                try Device.all("Item", in: context)
                    .compactMap { $0.value(forKey: "name") as? String }
            }
            #expect(names.contains("other"))
            try device.edit { context in
                for item in try Device.all("Item", in: context) {
                    item.setValue("x", forKey: "name")
                }
            }
            await device.attemptSync()
        }
    }
}
