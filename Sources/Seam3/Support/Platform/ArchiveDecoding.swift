import CoreData

// Linux's unarchiver ends the process for what Apple's reports as an error.

/// Decoding keyed archives that may be from anybody.
enum ArchiveDecoding {
    #if canImport(ObjectiveC)
    /// Whether decimal numbers can be archived.
    static let archivesDecimals = true

    /// The root of an archive; nil if the data is not an archive, or if a class in it is not one of these.
    static func root(of classes: [AnyClass], in data: Data) -> Any? {
        try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    }

    /// Calls a closure with a coder that reads an archive.
    ///
    /// - Throws: An error if the data is not an archive.
    static func reading<T>(_ data: Data, _ body: (NSCoder) throws -> T) throws -> T {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        return try body(unarchiver)
    }

    /// The class that the model names for the values of an attribute; nil if there is none.
    static func valueClass(of attribute: NSAttributeDescription, in module: String?) -> AnyClass? {
        guard let name = attribute.attributeValueClassName, name != "NSObject" else { return nil }
        return NSClassFromString(name) ?? module.flatMap { NSClassFromString("\($0).\(name)") }
    }
    #else
    /// Whether decimal numbers can be archived. Foundation's archiver asks for their hash, which recurses infinitely.
    static let archivesDecimals = false

    /// The root of an archive; nil if the data is not an archive, or if a class in it is not one of these.
    static func root(of classes: [AnyClass], in data: Data) -> Any? {
        _ArchiveDecoder.root(of: classes, in: data)
    }

    /// Calls a closure with a coder that reads an archive.
    ///
    /// - Throws: An error if the data is not an archive.
    static func reading<T>(_ data: Data, _ body: (NSCoder) throws -> T) throws -> T {
        try body(_ArchiveDecoder(data))
    }

    /// The class that the model names for the values of an attribute; nil if there is none.
    static func valueClass(of attribute: NSAttributeDescription, in module: String?) -> AnyClass? {
        attribute.namedClass
    }
    #endif
}

#if !canImport(ObjectiveC)
extension NSAttributeDescription {
    fileprivate var namedClass: AnyClass? { _valueClass }
}
#endif
