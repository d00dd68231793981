import FoundationGaps

/// How a store of one model becomes a store of another.
open class NSMappingModel: NSObject {
    private var storedMappings: [NSEntityMapping] = []

    /// Creates a mapping model without mappings, to be filled in code.
    public override init() {
        super.init()
    }

    /// The mapping model between two models that is found in bundles.
    ///
    /// On Linux, where nothing compiles mapping models, those in the form that Xcode edits
    /// (`.xcmappingmodel`) are read beside compiled ones (`.cdm`).
    ///
    /// A mapping model fits if the entities that it maps have the version hashes that they had when
    /// it was saved; Xcode keeps a copy of both models in it. One that was compiled has Apple's hashes,
    /// which are not comparable with those made on Linux, and one that was written by hand may
    /// have none: such a mapping model fits if its entities and properties are those of the two
    /// models. Where several fit, there is no saying which is meant, and none is taken.
    ///
    /// - Parameters:
    ///   - bundles: Where to look; nil for the main bundle and every `.resources` folder beside the
    ///     executable.
    ///   - sourceModel: The model of the store that is to be migrated.
    ///   - destinationModel: The model that the store is to have.
    /// - Returns: The mapping model, or nil if not exactly one was found. Why a file could not
    ///   be read is written to standard error.
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
    /// Apple's framework reads compiled mapping models only; here it may be a source as well, if it
    /// has the copies of the two models that Xcode keeps in it.
    ///
    /// - Parameter url: A compiled mapping model (`.cdm`) or a `.xcmappingmodel`.
    /// - Returns: Nil if the file cannot be read; the reason is written to standard error.
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

    /// Finds out how a model became another: a mapping for each entity, by the rules of
    /// lightweight migration.
    ///
    /// Entities and properties are recognized by their renaming identifiers. They may be added,
    /// removed and renamed; attributes may become optional or required and move within their
    /// hierarchy; relationships may change between ordered and unordered and from to-one to to-many;
    /// entities may get new parents. Whether a property that is required has a value is only
    /// found out by the migration.
    ///
    /// - Throws: `CocoaError.inferredMappingModel` (134190) if a change is of another kind; the user
    ///   info has the `reason`, the `entity` and the `property`.
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
}
