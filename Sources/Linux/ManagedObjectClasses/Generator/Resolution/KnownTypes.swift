/// The types of other modules that a managed property may have.
///
/// A symbol's name contains the module that declares a type, and whether it is a class or a
/// structure; neither is written in the sources. On Linux most of Foundation's value types are
/// declared in `FoundationEssentials`.
enum KnownTypes {
    /// The type with a name, or nil if it is not in the table.
    static func type(named name: String) -> ManagedType? {
        switch name {
        case "Int": .shorthand(.int)
        case "UInt": .shorthand(.uint)
        case "Bool": .shorthand(.bool)
        case "Double", "Float64", "TimeInterval": .shorthand(.double)
        case "Float", "Float32": .shorthand(.float)
        case "String": .shorthand(.string)
        case "Any": .any
        case "AnyObject": .anyObject
        default:
            if let module = structures.first(where: { $1.contains(name) })?.key {
                .struct(module, name)
            } else if let module = classes.first(where: { $1.contains(name) })?.key {
                .class(module, name)
            } else {
                nil
            }
        }
    }

    /// The modules that may qualify a type's name.
    static let modules: Set = ["Swift", "Foundation", "FoundationEssentials", "CoreData"]

    private static let structures: [String: Set<String>] = [
        "Swift": [
            "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "AnyHashable",
        ],
        "FoundationEssentials": [
            "AttributedString", "Calendar", "Data", "Date", "DateComponents", "DateInterval",
            "Decimal", "IndexPath", "Locale", "TimeZone", "URL", "UUID",
        ],
        "Foundation": ["CharacterSet", "IndexSet", "PersonNameComponents"],
    ]

    private static let classes: [String: Set<String>] = [
        "Foundation": [
            "NSArray", "NSAttributedString", "NSCalendar", "NSData", "NSDate", "NSDateComponents",
            "NSDateInterval", "NSDecimalNumber", "NSDictionary", "NSIndexPath", "NSIndexSet",
            "NSLocale", "NSMutableArray", "NSMutableAttributedString", "NSMutableData",
            "NSMutableDictionary", "NSMutableOrderedSet", "NSMutableSet", "NSMutableString",
            "NSNumber", "NSObject", "NSOrderedSet", "NSSet", "NSString", "NSTimeZone", "NSURL",
            "NSUUID", "NSValue",
        ],
        "CoreData": ["NSManagedObject", "NSManagedObjectID"],
    ]
}
