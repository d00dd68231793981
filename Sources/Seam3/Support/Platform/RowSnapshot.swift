import CoreData

// CoreData on Linux has these itself. There, a node takes values in the order in which objects
// store them, and without wrapping numbers in objects. Here it takes a dictionary.

#if canImport(ObjectiveC)
/// The value of an attribute.
enum AttributeValue {
    /// nil.
    case none
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case float(Float)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    /// A value of any other type, in Core Data's form.
    case other(Any)

    /// Wraps a value of any type.
    init(keeping value: Any) {
        self = .other(value)
    }

    /// The value in Core Data's form.
    var object: Any? {
        switch self {
        case .none: return nil
        case .boolean(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .double(let value): return NSNumber(value: value)
        case .float(let value): return NSNumber(value: value)
        case .string(let value): return value
        case .date(let value): return value
        case .data(let value): return value
        case .uuid(let value): return value
        case .url(let value): return value
        case .other(let value): return value
        }
    }
}

/// The values of a row.
struct RowSnapshot {
    private(set) var values: [String: Any] = [:]

    /// Creates the values of an object, which are all nil.
    init(for entity: NSEntityDescription) {
        values.reserveCapacity(entity.propertiesByName.count)
    }

    /// The key of an attribute or a relationship: its name.
    static func place(of property: String, in entity: NSEntityDescription) -> String? {
        entity.propertiesByName[property]?.name
    }

    /// Sets the attribute with a key.
    mutating func set(_ value: AttributeValue, at place: String) {
        values[place] = value.object
    }

    /// Sets many attributes, each at its place.
    mutating func setAttributes(_ body: (inout RowSnapshot) throws -> Void) rethrows {
        try body(&self)
    }

    /// The attribute at a place, to be set.
    subscript(place: String) -> AttributeValue {
        get { values[place].map(AttributeValue.init(keeping:)) ?? .none }
        set { set(newValue, at: place) }
    }

    /// Sets the to-one relationship with a key; nil for no destination.
    mutating func setDestination(_ objectID: NSManagedObjectID?, at place: String) {
        values[place] = objectID ?? NSNull()
    }
}

extension NSIncrementalStoreNode {
    /// Creates a row.
    convenience init(objectID: NSManagedObjectID, values: RowSnapshot, version: UInt64) {
        self.init(objectID: objectID, withValues: values.values, version: version)
    }
}

extension NSManagedObject {
    /// The value of the attribute with a key, as returned by `primitiveValue(forKey:)`.
    func attributeValue(at place: String) -> AttributeValue {
        primitiveValue(forKey: place).map(AttributeValue.init(keeping:)) ?? .none
    }

    /// The ID of the destination of the to-one relationship with a key.
    func destinationID(at place: String) -> NSManagedObjectID? {
        objectIDs(forRelationshipNamed: place).first
    }
}

/// Identifies a property in a node and in an object.
typealias PropertyPlace = String
#else
/// Identifies a property in a node and in an object.
typealias PropertyPlace = Int
#endif
