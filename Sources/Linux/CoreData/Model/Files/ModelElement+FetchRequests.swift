import FoundationGaps

extension ModelElement {
    /// Reads a fetch request without its entity.
    func readFetchRequest(
        into request: NSFetchRequest<any NSFetchRequestResult>
    ) throws {
        request.predicate = try predicate("predicateString")
        request.fetchLimit = try integer("fetchLimit") ?? 0
        request.fetchBatchSize = try integer("fetchBatchSize") ?? 0
        if let type = try integer("resultType") {
            guard let bits = UInt(exactly: type) else {
                throw failure("'\(type)' is not a type of results", attribute: "resultType")
            }
            request.resultType = NSFetchRequestResultType(rawValue: bits)
        }
        // Xcode's spelling of these names is inconsistent.
        request.includesSubentities = try flag("includeSubentities", default: true)
        request.includesPropertyValues = try flag("includePropertyValues", default: true)
        request.includesPendingChanges = try flag("includesPendingChanges", default: true)
        request.returnsObjectsAsFaults = try flag("returnObjectsAsFaults", default: true)
        request.returnsDistinctResults = try flag("returnDistinctResults")
    }

    /// Reads a fetched property.
    ///
    /// - Parameter entityExists: Whether the model has an entity with a name.
    func fetchedProperty(
        entityExists: (String) -> Bool
    ) throws -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        try readPropertySettings(into: property)
        property.isTransient = true
        if let element = children("fetchRequest").first {
            let name = try element.required("entity")
            guard entityExists(name) else {
                throw element.failure("there is no entity '\(name)'", attribute: "entity")
            }
            // By name, because a property that retains its own entity would form a reference cycle.
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
            try element.readFetchRequest(into: request)
            property.fetchRequest = request
        }
        return property
    }
}
