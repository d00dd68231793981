/// Checks whether values can be archived. Linux's Foundation terminates the process when it
/// encounters one that cannot.
enum Archivable {
    /// Whether a value, and everything in it if it is a collection, meets a condition.
    ///
    /// - Parameter condition: Called for objects, including those that represent Swift values.
    static func consists(_ value: Any, of condition: (NSObject) -> Bool) -> Bool {
        guard let object = object(value), condition(object) else { return false }
        switch object {
        case let array as NSArray: return array.allSatisfy { consists($0, of: condition) }
        case let set as NSSet: return set.allObjects.allSatisfy { consists($0, of: condition) }
        case let set as NSOrderedSet: return set.array.allSatisfy { consists($0, of: condition) }
        case let dictionary as NSDictionary:
            return dictionary.allSatisfy {
                consists($0.key, of: condition) && consists($0.value, of: condition)
            }
        default: return true
        }
    }

    /// The object that represents a value.
    private static func object(_ value: Any) -> NSObject? {
        switch value {
        case let object as NSObject: object
        case let text as String: text._bridgeToObjectiveC()
        case let date as Date: date._bridgeToObjectiveC()
        case let data as Data: data._bridgeToObjectiveC()
        case let url as URL: url._bridgeToObjectiveC()
        case let uuid as UUID: uuid._bridgeToObjectiveC()
        case let number as Decimal: NSDecimalNumber(decimal: number)
        case let number as NSNumber: number
        case let array as [Any]: NSArray(array: array)
        case let set as Set<AnyHashable>: NSSet(set: set)
        case let dictionary as [AnyHashable: Any]: NSDictionary(dictionary: dictionary)
        default: nil
        }
    }
}

/// The classes in a keyed archive, read without creating objects.
struct ArchiveContents {
    private let objects: [Any]
    private let root: Int

    /// Reads an archive; nil if the data is not an archive.
    init?(_ data: Data) {
        guard
            let archive = try? PropertyListSerialization.propertyList(from: data, format: nil)
                as? [String: Any],
            let objects = archive["$objects"] as? [Any],
            let top = archive["$top"] as? [String: Any],
            let root = top[NSKeyedArchiveRootObjectKey].flatMap(Self.index)
        else { return nil }
        self.objects = objects
        self.root = root
    }

    /// Whether the archive's root has one of the classes, and so have its elements if it is a
    /// collection.
    ///
    /// The contents of other objects are checked when they are decoded.
    func consists(of classes: [AnyClass]) -> Bool {
        var visited = Set<Int>()
        return consists(of: Set(classes.map { NSStringFromClass($0) }), at: root, &visited)
    }

    private static let collections: Set<String> = [
        "NSArray", "NSSet", "NSOrderedSet", "NSDictionary",
    ]

    private func consists(of names: Set<String>, at index: Int, _ visited: inout Set<Int>) -> Bool {
        guard objects.indices.contains(index) else { return false }
        guard visited.insert(index).inserted else { return true }
        guard let object = objects[index] as? [String: Any] else {
            return !names.isDisjoint(with: Self.names(ofPlain: objects[index]))
        }
        guard let number = object["$class"].flatMap(Self.index), objects.indices.contains(number),
            let description = objects[number] as? [String: Any],
            let own = description["$classes"] as? [String], !names.isDisjoint(with: own)
        else { return false }
        guard !Self.collections.isDisjoint(with: own) else { return true }
        let members = ["NS.keys", "NS.objects"].flatMap { object[$0] as? [Any] ?? [] }
        return members.allSatisfy { member in
            guard let index = Self.index(member) else { return false }
            return consists(of: names, at: index, &visited)
        }
    }

    /// The classes of a value that the archive contains directly.
    private static func names(ofPlain value: Any) -> Set<String> {
        switch value {
        case let text as String: text == "$null" ? ["NSNull"] : ["NSString"]
        case is Data: ["NSData"]
        case is Date: ["NSDate"]
        default: ["NSNumber"]
        }
    }

    /// The index in a reference of an archive; the type of references is private to Foundation.
    private static func index(_ reference: Any) -> Int? {
        switch Mirror(reflecting: reference).descendant("value") {
        case let value as UInt32: Int(value)
        case let value as any BinaryInteger: Int(exactly: Int64(value))
        default: nil
        }
    }
}
