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
    /// Xcode's mapping models cannot be read on Linux, so there is none.
    ///
    /// - Returns: Always nil.
    public init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        return nil
    }

    /// Reads a compiled mapping model.
    ///
    /// Xcode's mapping models cannot be read on Linux.
    ///
    /// - Returns: Always nil.
    public init?(contentsOf url: URL?) {
        return nil
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
