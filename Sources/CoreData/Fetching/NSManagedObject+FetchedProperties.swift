import FoundationGaps

extension NSManagedObject {
    /// The value of a fetched property: what its request finds now. Nil if the key is not a
    /// fetched property.
    ///
    /// A fetch that fails has no way to say so in a value; the reason goes to standard error.
    final func fetchedPropertyValue(forKey key: String) -> [Any]? {
        guard let property = layout.propertiesByName[key] as? NSFetchedPropertyDescription else {
            return nil
        }
        guard let context, let template = property.fetchRequest else { return [] }
        let request = template.copied(as: (any NSFetchRequestResult).self)
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
        ])
        do {
            return try context.fetch(request)
        } catch {
            ModelSearch.report(error)
            return []
        }
    }
}
