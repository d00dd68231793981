import FoundationGaps

/// Values for the probe of a class whose model is not in use: what an accessor declares is all that is
/// known of its property.
enum KeyPathSample {
    /// A value of a type in the form in which an attribute has it; nil if there is none.
    static func value(of type: Any.Type) -> Any? {
        switch type {
        case let type as any OptionalType.Type: value(of: type.wrappedType)
        case is String.Type, is NSString.Type: "Sample"
        case is Date.Type, is NSDate.Type: Date(timeIntervalSinceReferenceDate: 1)
        case is Data.Type, is NSData.Type: Data([1])
        case is UUID.Type, is NSUUID.Type:
            UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        case is URL.Type, is NSURL.Type: URL(string: "sample:")
        case is Decimal.Type, is NSDecimalNumber.Type: NSDecimalNumber(value: 1)
        case is NSNumber.Type, is Bool.Type, is any Numeric.Type: NSNumber(value: 1)
        case is NSOrderedSet.Type: NSMutableOrderedSet()
        case is NSSet.Type, is any SetAlgebra.Type: NSMutableSet()
        case is NSArray.Type, is any RandomAccessCollection.Type: NSArray()
        case is NSDictionary.Type, is [AnyHashable: Any].Type: NSDictionary()
        case let type as any RawRepresentable.Type: rawValue(of: type)
        default: nil
        }
    }

    private static func rawValue<Value: RawRepresentable>(of type: Value.Type) -> Any? {
        value(of: Value.RawValue.self)
    }
}

/// Lets the type in an optional one be found.
private protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}

extension KeyPathSample {
    /// The class of the objects in a relationship's type; nil for other types.
    static func objectClass(of type: Any.Type) -> NSManagedObject.Type? {
        if let type = type as? any OptionalType.Type { return objectClass(of: type.wrappedType) }
        return type as? NSManagedObject.Type
    }
}
