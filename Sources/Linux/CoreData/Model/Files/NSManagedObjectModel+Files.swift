import FoundationGaps

extension NSManagedObjectModel {
    /// Reads a model.
    ///
    /// Apple's framework reads compiled models only; here it may be a source model as well, because
    /// nothing compiles models on Linux. The reason for a failure is written to standard error;
    /// `init(readingFrom:)` throws it.
    ///
    /// - Parameter url: A `.xcdatamodeld` (its current version), a `.xcdatamodel`, or a compiled
    ///   `.momd` or `.mom`.
    public convenience init?(contentsOf url: URL) {
        do {
            try self.init(readingFrom: url)
        } catch {
            ModelSearch.report(error)
            return nil
        }
    }

    /// Merges the models in bundles.
    ///
    /// - Parameter bundles: The bundles to search; nil for the main bundle and every `.resources`
    ///   folder beside the executable, because packages on Linux have a resource bundle per target.
    /// - Returns: The merged model; without entities if there was none. Nil if one of them could
    ///   not be read; the reason is written to standard error.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        var models: [NSManagedObjectModel] = []
        for url in ModelSearch.urls(in: bundles) {
            guard let model = NSManagedObjectModel(contentsOf: url) else { return nil }
            models.append(model)
        }
        return NSManagedObjectModel(byMerging: models)
    }

    /// Merges the versions of the models in bundles that a store was written with.
    ///
    /// - Parameters:
    ///   - bundles: The bundles to search, as for `mergedModel(from:)`.
    ///   - metadata: The store's metadata, with the version hashes of its entities.
    /// - Returns: The merged model, or nil if not all versions were found.
    public class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        let versions = ModelSearch.urls(in: bundles).flatMap { url -> [NSManagedObjectModel] in
            do {
                return try ModelDocument(url: url).allVersions()
            } catch {
                ModelSearch.report(error)
                return []
            }
        }
        return NSManagedObjectModel(byMerging: versions, forStoreMetadata: metadata)
    }
}

extension ModelDocument {
    /// A model for each version.
    func allVersions() throws -> [NSManagedObjectModel] {
        try versions().map { version in
            let model = NSManagedObjectModel()
            try model.adopt(contents(of: version))
            return model
        }
    }
}
