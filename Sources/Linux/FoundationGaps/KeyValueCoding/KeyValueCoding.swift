/// An object with properties that can be read by name, like every `NSObject` on Apple's systems.
///
/// Linux-only: Linux's `NSObject` has no key-value coding. Key paths in predicates, expressions and
/// sort descriptors read objects whose class conforms to this protocol.
public protocol _KeyValueCoding: AnyObject {
    /// The value of a property. The class decides what happens for an unknown key; Core Data traps
    /// with the text of Apple's `NSUnknownKeyException`.
    ///
    /// - Parameter key: The property's name, never a path.
    func _value(forKey key: String) -> Any?

    /// The object that represents this one in the comparisons of predicates. A managed object
    /// returns its object ID, so an object equals its ID.
    var _comparisonIdentity: AnyObject { get }

    /// The key for a Swift key path into this class, or nil if there is none.
    ///
    /// - Parameter keyPath: A key path whose root is this class or a superclass.
    static func _key(for keyPath: AnyKeyPath) -> String?
}

extension _KeyValueCoding {
    /// The object itself.
    public var _comparisonIdentity: AnyObject { self }

    /// No key: on Linux, Swift key paths do not contain names.
    public static func _key(for keyPath: AnyKeyPath) -> String? { nil }
}

/// Reads a property of any value by its name.
enum KeyValueCoding {
    /// The value for one key, for any kind of value.
    ///
    /// A collection returns the values of its elements, a dictionary the value of its key, and a
    /// plain Swift value its stored property of that name.
    static func value(of object: Any?, forKey key: String) -> Any? {
        guard let object else { return nil }
        if let object = object as? any _KeyValueCoding {
            return object._value(forKey: key)
        }
        guard let object = unwrapped(object) else { return nil }
        if let dictionary = object as? [String: Any] {
            return unwrapped(dictionary[key].map(dynamicValue))
        }
        if let dictionary = object as? NSDictionary { return unwrapped(dictionary[key]) }
        if let elements = elements(of: object) {
            return elements.map { value(of: unwrapped($0), forKey: key) ?? NSNull() }
        }
        if key == "self" { return object }
        if let value = FoundationValueKeys.value(of: object, forKey: key) { return value }
        return storedProperty(of: object, named: key)
    }

    private static func storedProperty(of object: Any, named key: String) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            for child in current.children where child.label == key {
                return unwrapped(child.value)
            }
            mirror = current.superclassMirror
        }
        _raise(
            "NSUnknownKeyException",
            "[<\(type(of: object))> valueForUndefinedKey:]: this class is not key value "
                + "coding-compliant for the key \(key).")
    }
}
