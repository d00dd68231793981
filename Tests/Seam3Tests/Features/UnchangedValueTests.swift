import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A value that nobody has changed")
struct UnchangedValueTests {
    /// An attribute and two of its values.
    struct Kind: @unchecked Sendable, CustomTestStringConvertible {
        // Unchecked because the values are immutable.

        let testDescription: String
        let model: @Sendable () -> NSManagedObjectModel
        let value: Any
        let other: Any

        static let all: [Kind] = EdgeValues.all.flatMap(kinds) + collections + [composite]

        private static func kinds(_ values: EdgeValues) -> [Kind] {
            let all = values.values + values.localValues
            return all.indices.map { index in
                Kind(
                    testDescription: "\(values.name) \(index)", model: { values.model() },
                    value: all[index], other: all[(index + 1) % all.count])
            }
        }

        /// Swift's collections in transformable attributes.
        private static let collections: [Kind] =
            EdgeValues.all.filter { $0.name == "Transformable" }.flatMap { values in
                let mixed: [(Any, Any)] = [
                    (["a", 1, ["b": [2]]] as [Any], ["a", 1, ["b": [3]]] as [Any]),
                    (["a": [1, "b"]] as [String: Any], ["a": [1, "c"]] as [String: Any]),
                    ([1, 2], [2, 1]),
                ]
                return mixed.map { value, other in
                    Kind(
                        testDescription: "\(value)", model: { values.model() }, value: value,
                        other: other)
                }
            }

        private static let composite = Kind(
            testDescription: "Composite",
            model: {
                let elements = [
                    NSAttributeDescription("label", .stringAttributeType),
                    .composite(
                        "inner", [NSAttributeDescription("number", .integer64AttributeType)]),
                ]
                return NSManagedObjectModel(
                    NSEntityDescription(
                        "Item",
                        [
                            NSAttributeDescription("index", .integer64AttributeType),
                            .composite("value", elements),
                        ]))
            },
            value: ["label": "a", "inner": ["number": 1]] as [String: Any],
            other: ["label": "a", "inner": ["number": 2]] as [String: Any])
    }

    private func item(in context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(try Device.all("Item", in: context).first)
    }

    private func isSame(_ left: Any?, _ right: Any) -> Bool {
        guard let right = right as? NSObject else { return false }
        return EdgeValues.isSame(left, right)
    }

    @Test(
        "does not count as changed by another context that has saved another attribute",
        arguments: Kind.all)
    func otherAttribute(kind: Kind) throws {
        let device = try Device(on: LocalCloud.inMemory(), model: kind.model())
        try device.add("Item", ["index": 1, "value": kind.value])
        let context = device.container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try context.performAndWait {
            let item = try item(in: context)
            #expect(isSame(item.value(forKey: "value"), kind.value))
            try device.edit { try self.item(in: $0).setValue(2, forKey: "index") }
            item.setValue(kind.other, forKey: "value")
            try context.save()
        }
        try device.read {
            let item = try item(in: $0)
            #expect(isSame(item.value(forKey: "value"), kind.other))
            #expect(item.value(forKey: "index") as? Int == 2)
        }
    }

    @Test("is no change if an equal one is set", arguments: Kind.all)
    func setAgain(kind: Kind) throws {
        let device = try Device(on: LocalCloud.inMemory(), model: kind.model())
        try device.add("Item", ["index": 1, "value": kind.value])
        try device.read {
            let item = try item(in: $0)
            item.setValue(kind.value, forKey: "value")
            #expect(!item.hasPersistentChangedValues)
            item.setValue(kind.other, forKey: "value")
            #expect(item.hasPersistentChangedValues)
        }
    }
}
