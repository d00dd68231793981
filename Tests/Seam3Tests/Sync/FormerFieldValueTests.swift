import CoreData
import LocalCloud
import Seam3
import Testing

/// Every kind of property that may have had another field in a former model.
@Suite("The values of a former field", .allMigrationKinds)
struct FormerFieldValueTests {
    let cloud = LocalCloud.inMemory()

    /// Two devices with an object, of which only one has the new model.
    private func devices(
        _ former: NSManagedObjectModel, _ present: NSManagedObjectModel,
        adding add: (Device) throws -> Void
    ) async throws -> (updated: Device, former: Device) {
        let devices = (
            updated: try Device("updated", on: cloud, model: former),
            former: try Device("former", on: cloud, model: former)
        )
        try add(devices.updated)
        try await Device.settle(devices.updated, devices.former)
        try devices.updated.relaunch(model: present)
        try await Device.settle(devices.updated, devices.former)
        return devices
    }

    private func set(_ value: Any?, _ key: String = "value", on device: Device) throws {
        try device.edit { context in
            for item in try Device.all("Item", in: context) { item.setValue(value, forKey: key) }
        }
    }

    private func value(_ device: Device, _ key: String = "value") throws -> Any? {
        try device.read { try Device.all("Item", in: $0).first?.value(forKey: key) }
    }

    private func model(_ values: EdgeValues, field: String? = nil) -> NSManagedObjectModel {
        let model = values.model()
        let attribute = model.entitiesByName["Item"]?.attributesByName["value"]
        if let field { attribute?.userInfo = [SMStore.SMFieldNameUserInfoKey: field] }
        return model
    }

    @Test("are followed, whatever their type", arguments: EdgeValues.all)
    func edit(values: EdgeValues) async throws {
        let (first, last) = try (
            #require(values.values.first), #require(values.values.last)
        )
        let (updated, former) = try await devices(model(values), model(values, field: "other")) {
            try $0.add("Item", ["value": first])
        }
        #expect(EdgeValues.isSame(try value(updated), first))
        for edit in [last, nil, first] {
            try set(edit, on: former)
            try await Device.settle(former, updated)
            let found = try value(updated)
            #expect(edit.map { EdgeValues.isSame(found, $0) } ?? (found == nil))
            #expect(try updated.store.syncStatus().pendingChangeCount == 0)
            #expect(try updated.store.checkInvariants() == [])
        }
    }

    @Test(
        "say nothing of a new object that was tried with them, and sent with the new ones only",
        arguments: EdgeValues.all, [false, true])
    func insertion(values: EdgeValues, isEditedSince: Bool) async throws {
        let (first, last) = try (
            #require(values.values.first), #require(values.values.last)
        )
        let present = model(values, field: "other")
        let device = try Device("device", on: cloud, model: model(values))
        try await device.store.sync()
        try device.add("Item", ["value": first])
        await device.syncSendingNothing(on: cloud)
        try device.relaunch(model: present)
        try await device.syncLosingAnswer(on: cloud, model: present)
        if isEditedSince { try set(last, on: device) }
        try await device.store.sync()
        let expected = isEditedSince ? last : first
        #expect(EdgeValues.isSame(try value(device), expected))
        let other = try Device("other", on: cloud, model: present)
        try await other.store.sync()
        #expect(EdgeValues.isSame(try value(other), expected))
    }

    @Test(
        "do not come back from a device that gets the model later if they were removed",
        arguments: EdgeValues.all)
    func removal(values: EdgeValues) async throws {
        for first in values.values {
            let present = model(values, field: "other")
            let (updated, former) = try await devices(model(values), present) {
                try $0.add("Item", ["value": first])
            }
            try set(nil, on: updated)
            try await updated.store.sync()
            try former.relaunch(model: present)
            try await Device.settle(former, updated)
            for device in [updated, former] {
                #expect(try value(device) == nil)
                #expect(try device.store.syncStatus().pendingChangeCount == 0)
            }
        }
    }

    @Test("are no edits as long as nobody changes them", arguments: EdgeValues.all)
    func noEdit(values: EdgeValues) async throws {
        let (first, last) = try (
            #require(values.values.first), #require(values.values.last)
        )
        let (updated, former) = try await devices(model(values), model(values, field: "other")) {
            try $0.add("Item", ["value": first])
        }
        try set(last, on: updated)
        try await Device.settle(updated, former)
        try set(7, "index", on: former)
        try await Device.settle(former, updated)
        #expect(EdgeValues.isSame(try value(updated), last))
        #expect(try value(updated, "index") as? Int == 7)
    }

    // MARK: - What else may change with the field

    /// A change of an attribute that requires another field.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let former: @Sendable (NSAttributeDescription) -> Void
        let present: @Sendable (NSAttributeDescription) -> Void
        /// What the former device writes: before and after the other one has the new model.
        let values: @Sendable () -> (NSObject, NSObject)
        /// What the other device has then.
        let expected: @Sendable () -> NSObject
    }

    private static func required(_ attribute: NSAttributeDescription) {
        attribute.isOptional = false
        attribute.defaultValue = ""
    }

    static let changes = [
        Change(
            testDescription: "an integer that becomes a string",
            former: { $0.attributeType = .integer64AttributeType },
            present: { $0.attributeType = .stringAttributeType },
            values: { (5 as NSNumber, 7 as NSNumber) }, expected: { "7" as NSString }),
        Change(
            testDescription: "a string that becomes a decimal",
            former: { $0.attributeType = .stringAttributeType },
            present: { $0.attributeType = .decimalAttributeType },
            values: { ("1.5" as NSString, "2.5" as NSString) },
            expected: { NSDecimalNumber(string: "2.5") }),
        Change(
            testDescription: "a string that is encrypted from then on",
            former: { _ in }, present: { $0.allowsCloudEncryption = true },
            values: { ("old" as NSString, "new" as NSString) }, expected: { "new" as NSString }),
        Change(
            testDescription: "a string that was encrypted until then",
            former: { $0.allowsCloudEncryption = true }, present: { _ in },
            values: { ("old" as NSString, "new" as NSString) }, expected: { "new" as NSString }),
        Change(
            testDescription: "an attribute with another name",
            former: { _ in },
            present: {
                $0.name = "renamed"
                $0.renamingIdentifier = "value"
            },
            values: { ("old" as NSString, "new" as NSString) }, expected: { "new" as NSString }),
        Change(
            testDescription: "a required attribute",
            former: required, present: required,
            values: { ("old" as NSString, "new" as NSString) }, expected: { "new" as NSString }),
    ]

    private func model(
        _ change: (NSAttributeDescription) -> Void, field: String? = nil
    ) -> NSManagedObjectModel {
        let attribute = NSAttributeDescription("value", .stringAttributeType)
        change(attribute)
        if let field { attribute.userInfo = [SMStore.SMFieldNameUserInfoKey: field] }
        return NSManagedObjectModel(NSEntityDescription("Item", [attribute]))
    }

    @Test("are followed if more than the field has changed", arguments: changes)
    func otherType(change: Change) async throws {
        let (before, after) = change.values()
        let present = model(change.present, field: "other")
        let name = try #require(present.entitiesByName["Item"]?.attributesByName.keys.first)
        let (updated, former) = try await devices(model(change.former), present) {
            try $0.add("Item", ["value": before])
        }
        let converted = try value(updated, name)
        try set(after, on: former)
        try await Device.settle(former, updated)
        #expect(EdgeValues.isSame(try value(updated, name), change.expected()))
        try set(before, on: former)
        try await Device.settle(former, updated)
        let back = try value(updated, name) as? NSObject
        #expect(back == converted as? NSObject)
        #expect(try updated.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("are ignored if they do not fit the attribute's new type")
    func unfit() async throws {
        let change = Self.changes[1]
        let (updated, former) = try await devices(
            model(change.former), model(change.present, field: "other")
        ) { try $0.add("Item", ["value": "1.5"]) }
        try set("text", on: former)
        try await Device.settle(former, updated)
        #expect(EdgeValues.isSame(try value(updated), NSDecimalNumber(string: "1.5")))
        #expect(try updated.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("of a composite attribute are followed together")
    func composite() async throws {
        func model(field: String? = nil) -> NSManagedObjectModel {
            let place = NSAttributeDescription.composite(
                "value",
                [
                    NSAttributeDescription("city", .stringAttributeType),
                    NSAttributeDescription("street", .stringAttributeType),
                ])
            if let field { place.userInfo = [SMStore.SMFieldNameUserInfoKey: field] }
            return NSManagedObjectModel(NSEntityDescription("Item", [place]))
        }
        let (updated, former) = try await devices(model(), model(field: "other")) {
            try $0.add("Item", ["value": ["city": "Bonn", "street": "Markt"]])
        }
        try set(["city": "Bonn", "street": "Ring"], on: former)
        try await Device.settle(former, updated)
        #expect(
            try value(updated) as? [String: String] == ["city": "Bonn", "street": "Ring"])
        try set(["city": "Köln"], on: former)
        try await Device.settle(former, updated)
        #expect(try value(updated) as? [String: String] == ["city": "Köln"])
    }

    // MARK: - Relationships

    /// Lists of items. The model has the order of the members if it is asked for.
    private func lists(isOrdered: Bool, field: String? = nil) -> NSManagedObjectModel {
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType)])
        let list = NSEntityDescription(
            "List", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((item, "list", 1), (list, "items", 0))
        list.relationshipsByName["items"]?.isOrdered = isOrdered
        if let field {
            item.relationshipsByName["list"]?.userInfo = [SMStore.SMFieldNameUserInfoKey: field]
        }
        return NSManagedObjectModel(item, list)
    }

    private func move(_ device: Device, _ names: [String], to list: String) throws {
        try device.edit { context in
            let lists = try Device.all("List", in: context)
            let target = try #require(lists.first { $0.value(forKey: "name") as? String == list })
            let items = try Device.all("Item", in: context)
            let members = names.compactMap { name in
                items.first { $0.value(forKey: "name") as? String == name }
            }
            if target.entity.relationshipsByName["items"]?.isOrdered == true {
                target.setValue(NSOrderedSet(array: members), forKey: "items")
            } else {
                target.setValue(Set(members), forKey: "items")
            }
        }
    }

    private func members(_ device: Device, of list: String) throws -> [String] {
        try device.read { context in
            let lists = try Device.all("List", in: context)
            let target = try #require(lists.first { $0.value(forKey: "name") as? String == list })
            if let items = target.value(forKey: "items") as? NSOrderedSet {
                return items.compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "name") as? String
                }
            }
            let items = target.value(forKey: "items") as? Set<NSManagedObject> ?? []
            return items.compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    @Test("of a relationship are followed, with their order", arguments: [false, true])
    func relationship(isOrdered: Bool) async throws {
        let (updated, former) = try await devices(
            lists(isOrdered: isOrdered), lists(isOrdered: isOrdered, field: "owner")
        ) { device in
            for name in ["a", "b", "c"] { try device.add("Item", ["name": name]) }
            for name in ["first", "second"] { try device.add("List", ["name": name]) }
            try move(device, ["a", "b", "c"], to: "first")
        }
        #expect(try members(updated, of: "first") == ["a", "b", "c"])
        try move(former, ["b"], to: "second")
        try await Device.settle(former, updated)
        #expect(try members(updated, of: "first") == ["a", "c"])
        #expect(try members(updated, of: "second") == ["b"])
        try move(former, isOrdered ? ["c", "a"] : ["a"], to: "first")
        try await Device.settle(former, updated)
        #expect(try members(updated, of: "first") == (isOrdered ? ["c", "a"] : ["a"]))
        let fresh = try Device(
            "fresh", on: cloud, model: lists(isOrdered: isOrdered, field: "owner"))
        try await fresh.store.sync()
        for list in ["first", "second"] {
            #expect(try members(fresh, of: list) == members(updated, of: list))
        }
        #expect(try updated.store.syncStatus().pendingChangeCount == 0)
        #expect(try updated.store.checkInvariants() == [])
    }

    @Test("of an order say nothing of another destination")
    func orderElsewhere() async throws {
        let (updated, former) = try await devices(
            lists(isOrdered: true), lists(isOrdered: true, field: "owner")
        ) { device in
            for name in ["a", "b", "c"] { try device.add("Item", ["name": name]) }
            for name in ["first", "second"] { try device.add("List", ["name": name]) }
            try move(device, ["a", "b", "c"], to: "first")
        }
        try move(updated, ["a"], to: "second")
        try await Device.settle(updated, former)
        try move(former, ["b", "c", "a"], to: "first")
        try await Device.settle(former, updated)
        #expect(try members(updated, of: "first") == ["b", "c"])
        #expect(try members(updated, of: "second") == ["a"])
        #expect(try updated.store.syncStatus().pendingChangeCount == 0)
    }
}
