import CoreData

/// The keyed archives that a transformable attribute without a transformer has.
///
/// Core Data unarchives any class there. Here the bytes may be from anybody who can write to the user's zone, so that only
/// the classes of property lists, a few like them, and the one that the model names are made.
struct KeyedArchive {
    private let classes: [AnyClass]

    private static let always: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self,
        NSNumber.self, NSDate.self, NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]

    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - entity: Its entity.
    init(of attribute: NSAttributeDescription, _ entity: NSEntityDescription) {
        let path = (entity.managedObjectClassName ?? "").split(separator: ".")
        let own = ArchiveDecoding.valueClass(
            of: attribute, in: path.count > 1 ? path.first.map(String.init) : nil)
        classes = Self.always + [own].compactMap { $0 }
    }

    /// The archive of a value; nil for a value that cannot be archived, or not be read again.
    func data(of value: Any) -> Data? {
        guard isArchivable(value) else { return nil }
        return try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    }

    /// The value in an archive; nil if the data is not an archive, or one of another class.
    func value(in data: Data) -> Any? { ArchiveDecoding.root(of: classes, in: data) }

    /// Whether a value, and everything in it if it is a collection, can be archived. An archiver
    /// terminates the process when it encounters a value that cannot.
    private func isArchivable(_ value: Any) -> Bool {
        switch value {
        case is NSDecimalNumber: return ArchiveDecoding.archivesDecimals
        case let array as [Any]: return array.allSatisfy(isArchivable)
        case let set as Set<AnyHashable>: return set.allSatisfy { isArchivable($0.base) }
        case let set as NSOrderedSet: return set.array.allSatisfy(isArchivable)
        case let dictionary as [AnyHashable: Any]:
            return dictionary.allSatisfy { isArchivable($0.key.base) && isArchivable($0.value) }
        case is String, is Date, is Data, is URL, is UUID, is NSNumber: return true
        case is Decimal: return ArchiveDecoding.archivesDecimals
        case let object as NSObject:
            return object is NSSecureCoding && classes.contains { object.isKind(of: $0) }
        default:
            return false
        }
    }
}
