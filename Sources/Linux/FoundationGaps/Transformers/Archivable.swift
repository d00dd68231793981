/// Checks whether values can be archived. Linux's Foundation terminates the process when it
/// encounters one that cannot.
enum Archivable {
    /// Whether a value, and everything in it if it is a collection, meets a condition.
    ///
    /// - Parameter condition: Called for objects, including those that represent Swift values.
    static func consists(_ value: Any, of condition: (NSObject) -> Bool) -> Bool {
        // Foundation's hash of a decimal number recurses infinitely, and the archiver asks for it.
        guard let object = object(value), !(object is NSDecimalNumber), condition(object) else {
            return false
        }
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
