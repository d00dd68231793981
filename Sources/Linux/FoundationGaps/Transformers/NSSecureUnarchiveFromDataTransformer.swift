/// Converts data to the object that was archived in it with secure coding, and back.
///
/// Core Data applies it, and its subclasses, in reverse: the attribute's value is the transformed
/// one. A subclass specifies its classes in ``allowedTopLevelClasses``.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that an archive's root may have; by default the property list classes and
    /// `NSURL`, `NSUUID`, `NSNull`.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self, NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    open override class func transformedValueClass() -> AnyClass { NSObject.self }

    open override class func allowsReverseTransformation() -> Bool { true }

    /// The object in an archive; nil if the value is not an archive, or if its class is not
    /// allowed.
    open override func transformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { _ArchiveDecoder.root(of: Self.allowedTopLevelClasses, in: $0) }
    }

    /// The archive of an object; nil for nil, and for an object whose class is not allowed.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value = unwrapped(value) else { return nil }
        let isAllowed = Archivable.consists(value) { object in
            object is NSSecureCoding
                && Self.allowedTopLevelClasses.contains { object.isKind(of: $0) }
        }
        guard isAllowed else { return nil }
        return try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    }
}

/// Foundation's `NSKeyedUnarchiveFromData`: archives of any class.
final class KeyedUnarchiveFromDataTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { _ArchiveDecoder.root(of: nil, in: $0) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value = unwrapped(value), Archivable.consists(value, of: { $0 is NSCoding })
        else { return nil }
        return try? NSKeyedArchiver.archivedData(
            withRootObject: value, requiringSecureCoding: false)
    }
}
