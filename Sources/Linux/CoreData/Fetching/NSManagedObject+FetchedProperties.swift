import FoundationGaps

extension NSManagedObject {
    /// The value of a fetched property: the results of its request when the value was first
    /// accessed, until the object is refreshed. Nil if the key is not a fetched property.
    ///
    /// The value cannot express that a fetch failed; the reason is written to standard error.
    final func fetchedPropertyValue(forKey key: String) -> [Any]? {
        guard let property = layout.propertiesByName[key] as? NSFetchedPropertyDescription else {
            return nil
        }
        if let known = fetchedPropertyValues?[key] { return known }
        guard let context, let template = property.fetchRequest else { return [] }
        let request = template.copied(as: (any NSFetchRequestResult).self)
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
        ])
        do {
            let found = try context.fetch(request)
            fetchedPropertyValues = (fetchedPropertyValues ?? [:]).merging([key: found]) { $1 }
            return found
        } catch {
            ModelSearch.report(error)
            return []
        }
    }
}
