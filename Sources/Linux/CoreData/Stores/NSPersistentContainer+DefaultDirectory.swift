import FoundationGaps

// Apple's class has both a method and a property named `defaultDirectoryURL`, which a Swift class
// cannot declare. A property from a protocol can coexist with the method.

/// A type with a default directory for stores; a Linux-only declaration.
public protocol _StoreDirectory {
    /// The directory.
    static func _storeDirectory() -> URL
}

extension _StoreDirectory {
    /// The directory of stores without a directory of their own; the same as the method of this
    /// name returns.
    public static var defaultDirectoryURL: URL { _storeDirectory() }
}

extension NSPersistentContainer: _StoreDirectory {
    /// The result of the method `defaultDirectoryURL()`.
    public static func _storeDirectory() -> URL {
        let method: () -> URL = Self.defaultDirectoryURL
        return method()
    }
}
