/// What a model file says, before it becomes part of a model.
struct ModelContents {
    var entities: [NSEntityDescription] = []
    var configurations: [(name: String, entities: [NSEntityDescription])] = []
    var templates: [(name: String, request: NSFetchRequest<any NSFetchRequestResult>)] = []
    var versionIdentifiers: Set<AnyHashable> = []
}

extension NSManagedObjectModel {
    /// Takes over everything that a file says.
    final func adopt(_ contents: ModelContents) {
        entities = contents.entities
        for configuration in contents.configurations {
            setEntities(configuration.entities, forConfigurationName: configuration.name)
        }
        for template in contents.templates {
            setFetchRequestTemplate(template.request, forName: template.name)
        }
        versionIdentifiers = contents.versionIdentifiers
    }
}
