/// The types of other modules that a managed property may have.
///
/// A symbol's name tells the module that declares a type and whether it is a class or a structure;
/// neither is written in the sources. On Linux most of Foundation's value types are declared in
/// `FoundationEssentials`.
enum KnownTypes {
    /// The type of a name, or nil if it is none of the table.
    static func type(named name: String) -> ManagedType? { types[name] }

    /// The names of Foundation's classes and structures that can be written with the module's
    /// name before them.
    static let modules: Set = ["Swift", "Foundation", "FoundationEssentials", "CoreData"]

    private static let types: [String: ManagedType] = {
        var types: [String: ManagedType] = [
            "Int": .shorthand(.int), "UInt": .shorthand(.uint), "Bool": .shorthand(.bool),
            "Double": .shorthand(.double), "Float": .shorthand(.float),
            "Float64": .shorthand(.double), "Float32": .shorthand(.float),
            "TimeInterval": .shorthand(.double), "String": .shorthand(.string),
            "Any": .any, "AnyObject": .anyObject,
        ]
        let structures = [
            "Swift": [
                "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64",
                "AnyHashable",
            ],
            "FoundationEssentials": [
                "Calendar", "Data", "Date", "DateComponents", "DateInterval", "Decimal",
                "IndexPath", "Locale", "TimeZone", "URL", "UUID", "AttributedString",
            ],
            "Foundation": ["CharacterSet", "IndexSet", "PersonNameComponents"],
        ]
        let classes = [
            "Foundation": [
                "NSArray", "NSAttributedString", "NSCalendar", "NSData", "NSDate",
                "NSDateComponents", "NSDateInterval", "NSDecimalNumber", "NSDictionary",
                "NSIndexPath", "NSIndexSet", "NSLocale", "NSMutableArray",
                "NSMutableAttributedString", "NSMutableData", "NSMutableDictionary",
                "NSMutableOrderedSet", "NSMutableSet", "NSMutableString", "NSNumber", "NSObject",
                "NSOrderedSet", "NSSet", "NSString", "NSTimeZone", "NSURL", "NSUUID", "NSValue",
            ],
            "CoreData": ["NSManagedObject", "NSManagedObjectID"],
        ]
        for (module, names) in structures {
            for name in names { types[name] = .struct(module, name) }
        }
        for (module, names) in classes {
            for name in names { types[name] = .class(module, name) }
        }
        return types
    }()
}
