import FoundationGaps

/// Names that a property must not have, because on Apple's systems `NSObject` or `NSManagedObject`
/// has a method without parameters of that name: reading the property's value would call the
/// method.
enum ReservedNames {
    private static let ofObjects: Set<String> = [
        "autorelease", "class", "classDescription", "classForArchiver", "classForCoder",
        "classForKeyedArchiver", "copy", "dealloc", "debugDescription", "description", "finalize",
        "hash", "init", "isProxy", "mutableCopy", "observationInfo", "release", "retain",
        "retainCount", "self", "superclass", "zone",
    ]

    private static let ofManagedObjects: Set<String> = [
        "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent",
        "didSave", "didTurnIntoFault", "entity", "faultingState", "hasChanges",
        "hasPersistentChangedValues", "isDeleted", "isFault", "isInserted", "isUpdated",
        "managedObjectContext", "objectID", "prepareForDeletion", "willSave", "willTurnIntoFault",
    ]

    /// Whether a property must not have a name.
    static func contains(_ name: String) -> Bool {
        ofObjects.contains(name) || ofManagedObjects.contains(name)
    }

    /// The reason for refusing a property with such a name.
    static func reason(_ name: String) -> String {
        "a property cannot be named '\(name)', because NSObject or NSManagedObject has a method "
            + "without parameters of that name"
    }
}
