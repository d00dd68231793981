import FoundationGaps

/// From URIs back to object IDs.
extension NSPersistentStoreCoordinator {
    /// The ID for a URI; nil if its store was not added, its entity is not in the model, or the ID
    /// was temporary.
    ///
    /// As on Apple's systems, a number that the ID was created with is returned as a String, and
    /// nothing in it is decoded.
    public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            components.scheme == "x-coredata", let host = components.host
        else { return nil }
        let path = components.percentEncodedPath.split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        guard path.count == 2, path[1].first == "p",
            let name = path[0].removingPercentEncoding, let entity = entity(named: name)
        else { return nil }
        let store = persistentStores.first {
            $0.reference.identifier.caseInsensitiveCompare(host) == .orderedSame
        }
        return store?.makeObjectID(
            for: entity, referenceObject: String(path[1].dropFirst()))
    }

    /// The ID for the string of a URI.
    public func managedObjectID(for string: String) -> NSManagedObjectID? {
        URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
    }
}
