import CoreData

/// Archives of objects of any class, as Core Data writes them for transformable attributes without
/// a transformer.
enum KeyedArchive {
    /// The archive of a value; nil for a value that cannot be archived.
    static func data(of value: Any) -> Data? {
        guard isArchivable(value) else { return nil }
        return try? NSKeyedArchiver.archivedData(
            withRootObject: value, requiringSecureCoding: false)
    }

    /// The value in an archive; nil if the data is not an archive, or if its class is unknown.
    static func value(in data: Data) -> Any? {
        guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }

    /// Whether a value, and everything in it if it is a collection, can be archived. An archiver
    /// terminates the process when it encounters a value that cannot.
    private static func isArchivable(_ value: Any) -> Bool {
        switch value {
        case let array as [Any]: return array.allSatisfy(isArchivable)
        case let set as Set<AnyHashable>: return set.allSatisfy { isArchivable($0.base) }
        case let dictionary as [AnyHashable: Any]:
            return dictionary.allSatisfy { isArchivable($0.key.base) && isArchivable($0.value) }
        case is NSCoding, is String, is Date, is Data, is URL, is UUID, is Decimal, is NSNumber:
            return true
        default:
            return false
        }
    }
}
