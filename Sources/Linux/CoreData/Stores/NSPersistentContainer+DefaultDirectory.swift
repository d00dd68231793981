import FoundationGaps

// Apple's class has both a method and a property of the name `defaultDirectoryURL`, which no Swift
// class can declare. A property that comes from a protocol can stand beside the method.

/// What has a default directory for stores; a Linux-only declaration.
public protocol _StoreDirectory {
    /// The directory.
    static func _storeDirectory() -> URL
}

extension _StoreDirectory {
    /// The directory of stores that name no other; what the method of this name returns.
    public static var defaultDirectoryURL: URL { _storeDirectory() }
}

extension NSPersistentContainer: _StoreDirectory {
    /// What the method `defaultDirectoryURL()` returns.
    public static func _storeDirectory() -> URL {
        let method: () -> URL = Self.defaultDirectoryURL
        return method()
    }
}
