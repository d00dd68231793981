/// The contents of a model file, before they become part of a model.
struct ModelContents {
    var entities: [NSEntityDescription] = []
    var configurations: [(name: String, entities: [NSEntityDescription])] = []
    var templates: [(name: String, request: NSFetchRequest<any NSFetchRequestResult>)] = []
    var versionIdentifiers: Set<AnyHashable> = []
}

extension NSManagedObjectModel {
    /// Takes over the contents of a file.
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
