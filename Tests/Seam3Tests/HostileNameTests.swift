import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Names that SQL would trip over", .tags(.hostileNames)) struct HostileNameTests {
    let cloud = LocalCloud.inMemory()

    /// SQL keywords, names that differ only in case, and sibling entities with the same attribute
    /// name.
    private static func model() -> NSManagedObjectModel {
        let names = [
            "order", "Order", "ORDER", "id", "group", "select", "pk", "Entity", "version", "rowid",
        ]
        func attributes() -> [NSPropertyDescription] {
            names.map { NSAttributeDescription($0, .stringAttributeType) }
        }
        let transaction = NSEntityDescription("Transaction", attributes())
        let lower = NSEntityDescription("transaction", attributes())
        let first = NSEntityDescription(
            "First", [NSAttributeDescription("value", .stringAttributeType)])
        let second = NSEntityDescription(
            "Second", [NSAttributeDescription("value", .integer64AttributeType)])
        let parent = NSEntityDescription(
            "Group", [NSAttributeDescription("table", .stringAttributeType)])
        parent.subentities = [first, second]
        NSRelationshipDescription.join((transaction, "from", 1), (parent, "to", 0))
        NSRelationshipDescription.join((lower, "from", 1), (first, "where", 0))
        return NSManagedObjectModel(transaction, lower, parent, first, second)
    }

    private static func table(_ device: Device) throws -> [String] {
        try device.read { context in
            try ["Transaction", "transaction", "Group"].flatMap { name in
                try Device.all(name, in: context).map { object in
                    let values = object.entity.attributesByName.keys.sorted().map { key in
                        "\(key)=\(object.value(forKey: key) ?? "nil")"
                    }
                    let from =
                        object.entity.relationshipsByName["from"] == nil
                        ? nil : object.value(forKey: "from") as? NSManagedObject
                    return
                        "\(object.entity.name ?? "") \(values) \(from?.value(forKey: "value") ?? "-")"
                }
            }.sorted()
        }
    }

    @Test("each keep their own values, here, over a relaunch, and on another device")
    func roundTrip() async throws {
        let a = try Device("a", on: cloud, model: Self.model())
        let b = try Device("b", on: cloud, model: Self.model())
        try a.edit { context in
            let make = { NSEntityDescription.insertNewObject(forEntityName: $0, into: context) }
            for name in ["Transaction", "transaction"] {
                let object = make(name)
                for key in object.entity.attributesByName.keys {
                    object.setValue("\(name).\(key)", forKey: key)
                }
            }
            make("First").setValue("text", forKey: "value")
            make("Second").setValue(5, forKey: "value")
        }
        try a.edit { context in
            let groups = try Device.all("Group", in: context)
            let first = try #require(groups.first { $0.entity.name == "First" })
            let second = try #require(groups.first { $0.entity.name == "Second" })
            try Device.all("Transaction", in: context).first?.setValue(second, forKey: "from")
            try Device.all("transaction", in: context).first?.setValue(first, forKey: "from")
            second.setValue("t", forKey: "table")
        }
        let before = try Self.table(a)
        #expect(before.count == 4)
        #expect(before.contains { $0.hasPrefix("Transaction ") && $0.hasSuffix(" 5") })
        try await Device.settle(a, b)
        #expect(try Self.table(b) == before)
        try a.relaunch(model: Self.model())
        #expect(try Self.table(a) == before)
    }
}
