import FoundationGaps

/// The mappings between the entities of two models, for migrating a store.
open class NSMappingModel: NSObject {
    private var storedMappings: [NSEntityMapping] = []

    /// Creates a mapping model without mappings, to be filled in code.
    public override init() {
        super.init()
    }

    /// Finds the mapping model between two models in bundles.
    ///
    /// On Linux, where nothing compiles mapping models, those in the format that Xcode edits
    /// (`.xcmappingmodel`) are read as well as compiled ones (`.cdm`).
    ///
    /// A mapping model fits if the entities that it maps have the same version hashes as when it
    /// was saved; Xcode stores a copy of both models in it. A compiled mapping model has Apple's
    /// hashes, which are not comparable with those computed on Linux, and one that was written by
    /// hand may have none: such a mapping model fits if its entities and properties are those of
    /// the two models. If several fit, it is ambiguous which one is meant, and none is used.
    ///
    /// - Parameters:
    ///   - bundles: The bundles to search; nil for the main bundle and every `.resources` folder
    ///     beside the executable.
    ///   - sourceModel: The model of the store to migrate.
    ///   - destinationModel: The new model of the store.
    /// - Returns: The mapping model; nil if not exactly one was found. The reason why a file could
    ///   not be read is written to standard error.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        let fit = ModelSearch.mappingModels(in: bundles).compactMap { document in
            do {
                return try document.mappings(from: sourceModel, to: destinationModel)
            } catch {
                ModelSearch.report(error)
                return nil
            }
        }
        guard fit.count == 1 else { return nil }
        self.init()
        storedMappings = fit[0]
    }

    /// Reads a mapping model.
    ///
    /// Apple's framework reads compiled mapping models only; here it may also be a source, if it
    /// contains the copies of the two models that Xcode stores in it.
    ///
    /// - Parameter url: A compiled mapping model (`.cdm`) or a `.xcmappingmodel`.
    /// - Returns: nil if the file cannot be read; the reason is written to standard error.
    public convenience init?(contentsOf url: URL?) {
        guard let url else { return nil }
        do {
            let mappings = try MappingModelDocument(url: url).mappings()
            self.init()
            storedMappings = mappings
        } catch {
            ModelSearch.report(error)
            return nil
        }
    }

    /// Infers a mapping model with a mapping for each entity, by the rules of lightweight
    /// migration.
    ///
    /// Entities and properties are matched by their renaming identifiers. They may be added,
    /// removed and renamed; attributes may become optional or required and move within their
    /// hierarchy; relationships may change between ordered and unordered and from to-one to
    /// to-many; entities may get new parents. Whether a required property has a value is only
    /// discovered by the migration.
    ///
    /// - Throws: `CocoaError.inferredMappingModel` (134190) for any other change; the user info
    ///   contains the `reason`, the `entity` and the `property`.
    public class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        let model = NSMappingModel()
        model.entityMappings = try MappingModelInference(
            from: sourceModel, to: destinationModel
        ).entityMappings()
        return model
    }

    /// The mappings of the entities, in the order in which they are carried out.
    open var entityMappings: [NSEntityMapping]! {
        get { storedMappings }
        set { storedMappings = newValue ?? [] }
    }

    /// The mappings of the entities by their names.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(storedMappings.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// Whether the other object is a mapping model with equal entity mappings in the same order.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSMappingModel)?.storedMappings == storedMappings
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int { storedMappings.hashValue }
}
