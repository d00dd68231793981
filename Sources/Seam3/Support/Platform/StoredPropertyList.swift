import CoreData

/// The property lists of files that may be from anybody.
enum StoredPropertyList {
    /// Reads a list.
    ///
    /// - Throws: An error if the data is not a property list.
    static func read(_ data: Data) throws -> Any {
        #if canImport(ObjectiveC)
        return try PropertyListSerialization.propertyList(from: data, format: nil)
        #else
        return try PropertyListSerialization.bounded(data)
        #endif
    }
}

#if !canImport(ObjectiveC)
extension PropertyListSerialization {
    fileprivate static func bounded(_ data: Data) throws -> Any {
        try _boundedPropertyList(from: data)
    }
}
#endif
