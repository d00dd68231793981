import CloudKit
import CoreData

/// The objects that a device shows or a server has, with the names that everything had in the first
/// version of its model.
///
/// Each object is identified by its attribute `key`.
struct ShownObjects: Equatable {
    /// Entity and key → property → value. What is nil or empty is absent.
    private(set) var objects: [String: [String: String]] = [:]

    /// The objects that a device shows in its context.
    init(_ device: Device) throws {
        let roots = device.container.managedObjectModel.entities
            .filter { $0.superentity == nil }.compactMap(\.name)
        try device.read { context in
            for root in roots {
                for object in try Device.all(root, in: context) {
                    objects[Self.name(of: object)] = Self.values(of: object)
                }
            }
        }
    }

    /// The objects of a server's records.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - absent: Record type → field → the value that its absence stands for.
    init(_ records: [CKRecord], absent: [String: [String: String]] = [:]) {
        var keys: [CKRecord.ID: String] = [:]
        for record in records { keys[record.recordID] = record["key"] }
        for record in records {
            var values = absent[record.recordType] ?? [:]
            for field in record.valueKeys where field != "key" {
                switch record[field] as Any? {
                case let reference as CKRecord.Reference:
                    values[field] = keys[reference.recordID] ?? "a missing record"
                case let value: values[field] = Self.text(value)
                }
            }
            objects["\(record.recordType) \(keys[record.recordID] ?? "?")"] = values
        }
    }

    /// Those objects whose key begins with a word.
    func owned(by owner: String) -> ShownObjects {
        var part = self
        part.objects = objects.filter { $0.key.contains(" \(owner)") }
        return part
    }

    /// The objects without some properties.
    func without(_ properties: Set<String>) -> ShownObjects {
        var part = self
        part.objects = objects.mapValues { $0.filter { !properties.contains($0.key) } }
        return part
    }

    /// The objects with the destinations of their ordered relationships sorted.
    var withoutOrder: ShownObjects {
        var part = self
        part.objects = objects.mapValues {
            $0.mapValues { $0.components(separatedBy: ", ").sorted().joined(separator: ", ") }
        }
        return part
    }

    /// These objects, with an owner's objects from elsewhere instead of those here.
    func with(_ others: ShownObjects, ownedBy owner: String) -> ShownObjects {
        var sum = self
        for name in owned(by: owner).objects.keys { sum.objects[name] = nil }
        sum.objects.merge(others.owned(by: owner).objects) { $1 }
        return sum
    }

    /// What is different in other objects, for the message of a failed test.
    func differences(from other: ShownObjects) -> [String] {
        Set(objects.keys).union(other.objects.keys).sorted().flatMap { name -> [String] in
            guard let values = objects[name] else { return ["\(name) is missing"] }
            guard let others = other.objects[name] else { return ["\(name) is there"] }
            return Set(values.keys).union(others.keys).sorted().compactMap { property in
                let (value, other) = (values[property] ?? "nil", others[property] ?? "nil")
                return value == other ? nil : "\(name).\(property) is \(value), not \(other)"
            }
        }
    }

    // MARK: - Values

    /// The first name of an entity.
    static func firstName(_ entity: NSEntityDescription) -> String {
        entity.renamingIdentifier ?? entity.name ?? ""
    }

    /// The first name of a property.
    static func firstName(_ property: NSPropertyDescription) -> String {
        property.renamingIdentifier ?? property.name
    }

    private static func name(of object: NSManagedObject) -> String {
        "\(firstName(object.entity)) \(key(of: object))"
    }

    static func key(of object: NSManagedObject) -> String {
        object.value(forKey: "key") as? String ?? "?"
    }

    private static func values(of object: NSManagedObject) -> [String: String] {
        var values: [String: String] = [:]
        for (name, property) in object.entity.propertiesByName where name != "key" {
            values[firstName(property)] = text(object.value(forKey: name))
        }
        return values
    }

    /// A value as text, which is the same for all numbers that are equal.
    private static func text(_ value: Any?) -> String? {
        switch value {
        case let text as String: return text
        case let date as Date: return "\((date.timeIntervalSince1970 * 1000).rounded()) ms"
        case let data as Data: return "\(data.count) bytes of \(data.first ?? 0)"
        case let number as NSNumber:
            let double = number.doubleValue
            return double == double.rounded() ? "\(number.int64Value)" : "\(double)"
        case let object as NSManagedObject: return key(of: object)
        case let set as NSOrderedSet:
            let keys = set.array.compactMap { $0 as? NSManagedObject }.map(key(of:))
            return keys.isEmpty ? nil : keys.joined(separator: ", ")
        case let set as Set<NSManagedObject>:
            let keys = set.map(key(of:)).sorted()
            return keys.isEmpty ? nil : keys.joined(separator: ", ")
        default: return nil
        }
    }
}
