import FoundationGaps

// Linux only: Apple's initializer `init?(contentsOf:)` does not report why it failed.

extension NSManagedObjectModel {
    /// Reads a model, and throws an error that explains why it cannot be read.
    ///
    /// - Parameter url: A `.xcdatamodeld` (its current version), a `.xcdatamodel`, or a compiled
    ///   `.momd` or `.mom`.
    /// - Throws: A `ManagedObjectModelFileError` that names the file, the element and the
    ///   attribute, or Foundation's error if a file cannot be read at all.
    public convenience init(readingFrom url: URL) throws {
        let document = ModelDocument(url: url)
        let contents = try document.contents(of: document.currentVersion())
        self.init()
        adopt(contents)
    }
}
