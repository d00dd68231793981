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
    /// Mapping models that Xcode has compiled (`.cdm`) are read. Apple's framework recognises the
    /// models by version hashes, which are not comparable with those made on Linux; here a mapping
    /// model fits if its entities and properties are those of the two models. Where several fit,
    /// there is no saying which is meant, and none is taken.
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
        let fit = ModelSearch.mappingModels(in: bundles).compactMap(
            NSMappingModel.init(contentsOf:)
        )
        .filter { $0.fits(from: sourceModel, to: destinationModel) }
        guard fit.count == 1, let mappings = fit[0].entityMappings else { return nil }
        self.init()
        storedMappings = mappings
    }

    /// Reads a compiled mapping model (`.cdm`).
    ///
    /// - Parameter url: The file.
    /// - Returns: Nil if the file cannot be read; the reason is written to standard error.
    public convenience init?(contentsOf url: URL?) {
        guard let url else { return nil }
        do {
            let mappings = try CompiledMappingModelReader.read(from: url)
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
    /// Entities and properties are recognised by their renaming identifiers. They may be added,
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
