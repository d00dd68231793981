import FoundationGaps

extension NSManagedObjectModel {
    /// The model's fetch requests by name.
    public final var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>]
    {
        templates
    }

    /// The fetch request with a name in the model.
    public final func fetchRequestTemplate(
        forName name: String
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]
    }

    /// A copy of a fetch request template with values for its variables.
    ///
    /// - Parameters:
    ///   - name: The request's name.
    ///   - variables: The values by the variables' names, without the dollar sign.
    /// - Returns: The copy, or nil if there is no such request.
    public final func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        let copy = templates[name]?.copied(as: (any NSFetchRequestResult).self)
        copy?.predicate = copy?.predicate?.withSubstitutionVariables(variables)
        return copy
    }

    /// Adds a fetch request to the model, or removes one.
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: The request, whose predicate may have variables; nil removes the
    ///     one there is.
    ///   - name: The request's name.
    public final func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        requireEditable()
        templates[name] = fetchRequestTemplate
    }

    /// Copies the templates of another model, for the entities of this one.
    final func copyTemplates(of model: NSManagedObjectModel) {
        let byName = entitiesByName
        for (name, template) in model.templates {
            let copy = template.copied(as: (any NSFetchRequestResult).self)
            copy.entity = template.entityName.flatMap { byName[$0] }
            templates[name] = copy
        }
    }
}
