import CoreData
import CoreDataFiles
import Seam3
import SeamSQLite
import SeededRandom
import Testing

/// `SEAM3_COMPOSITE_SEED=<seed>` repeats a failed schedule, and `SEAM3_COMPOSITE_SEED=100-399` runs many.
@Suite(
    "An adopted file with attributes, composite ones and elements whose names are much alike",
    .tags(.existingDataIsAdopted, .nothingLeftOutSilently))
struct AdoptedCompositeScheduleTests {
    private static let seeds = ScheduleSeeds.first(40, orThoseIn: "SEAM3_COMPOSITE_SEED")
    private static let names = ["a", "b", "ab", "a_", "ba", "a1", "b1"]

    @Test("has each value where it was, or nowhere and in the report", arguments: seeds)
    func values(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let model = Self.model(&random)
        let column = ElementColumn.allCases.randomElement(using: &random) ?? .path
        let rows = Self.rows(of: model, &random)
        let file = try AdoptedFile(model, rows, elementName: column.name)
        let adoption = try #require(try SMStore.adoptFile(at: file.url, model: model))
        let stack = try StoreStack(at: file.url, model: model)
        let shown = try stack.perform { context in
            try Device.all("Item", in: context).reduce(into: [String: SQLiteValue]()) {
                shown, object in
                for (path, value) in Self.values(of: object) {
                    shown["\(object.value(forKey: "name") ?? "") \(path)"] = value
                }
            }
        }
        var lost = 0
        for row in rows {
            for (path, value) in row.values where path != "name" {
                let found = shown["\(row.key) \(path)"]
                if found == nil { lost += 1 }
                #expect(
                    found == nil || found == value, "seed \(seed), \(column): \(path) of \(row)")
            }
        }
        let count = rows.reduce(0) { $0 + $1.values.count - 1 }
        #expect(shown.count == count - lost, "seed \(seed), \(column)")
        let reported = adoption.leftOut.reduce(0) { $0 + $1.leftOutCount }
        #expect(reported == lost, "seed \(seed), \(column): \(adoption.leftOut)")
    }

    // MARK: - Model

    /// An entity with two kinds, each with a few attributes.
    private static func model(_ random: inout SeededGenerator) -> NSManagedObjectModel {
        let item = NSEntityDescription("Item", attributes(names, &random))
        let others = names.filter { item.propertiesByName[$0] == nil }
        item.properties.append(NSAttributeDescription("name", .stringAttributeType))
        let kinds = ["Book", "Film"].map { NSEntityDescription($0, attributes(others, &random)) }
        item.subentities = kinds
        return NSManagedObjectModel(item, kinds[0], kinds[1])
    }

    private static func attributes(
        _ names: [String], _ random: inout SeededGenerator, isNested: Bool = false
    ) -> [NSAttributeDescription] {
        names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).map { name in
            let isComposite = Int.random(in: 0..<(isNested ? 6 : 2), using: &random) == 0
            if isComposite {
                return .composite(name, attributes(Self.names, &random, isNested: true))
            }
            let isText = Bool.random(using: &random)
            return NSAttributeDescription(
                name, isText ? .stringAttributeType : .integer64AttributeType)
        }
    }

    // MARK: - Objects

    private static func rows(
        of model: NSManagedObjectModel, _ random: inout SeededGenerator
    ) -> [CoreDataFileWriter.Row] {
        (1...Int64.random(in: 1...6, using: &random)).map { key in
            let entity = ["Item", "Book", "Film"].randomElement(using: &random) ?? "Item"
            var row = CoreDataFileWriter.Row(entity, key, ["name": .text("\(key)")])
            let attributes = model.entitiesByName[entity]?.attributesByName ?? [:]
            for (name, attribute) in attributes.sorted(by: { $0.key < $1.key }) where name != "name"
            {
                fill(&row, attribute, at: name, &random)
            }
            return row
        }
    }

    /// Sets a value that nothing else has, or none.
    private static func fill(
        _ row: inout CoreDataFileWriter.Row, _ attribute: NSAttributeDescription, at path: String,
        _ random: inout SeededGenerator
    ) {
        if let elements = attribute.compositeElements {
            for element in elements { fill(&row, element, at: "\(path).\(element.name)", &random) }
        } else if Int.random(in: 0..<3, using: &random) > 0 {
            let number = Int64.random(in: 0...Int64.max, using: &random)
            row.values[path] =
                attribute.attributeType == .stringAttributeType
                ? .text("\(number)") : .integer(number)
        }
    }

    /// What an object shows, by path.
    private static func values(of object: NSManagedObject) -> [String: SQLiteValue] {
        var values: [String: SQLiteValue] = [:]
        func add(_ value: Any?, _ path: String) {
            switch value {
            case let elements as NSDictionary:
                for (name, value) in elements { add(value, "\(path).\(name)") }
            case let text as String: values[path] = .text(text)
            case let number as Int64: values[path] = .integer(number)
            default: break
            }
        }
        for name in object.entity.attributesByName.keys where name != "name" {
            add(object.value(forKey: name), name)
        }
        return values
    }
}
