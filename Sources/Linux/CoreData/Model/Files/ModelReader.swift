import FoundationGaps

/// Reads the `contents` of a `.xcdatamodel`, as written by Xcode.
///
/// Unknown elements and attributes are skipped, so that files of a newer Xcode can be read. Known
/// ones must be well-formed and refer to things that exist.
struct ModelReader {
    private(set) var contents = ModelContents()
    private var entitiesByName: [String: NSEntityDescription] = [:]
    private var compositesByName: [String: ModelElement] = [:]

    /// Reads a file's data.
    ///
    /// - Throws: A `ManagedObjectModelFileError` that names the file, the element and the attribute.
    static func read(_ data: Data, at url: URL) throws -> ModelContents {
        let root: XMLNode
        do throws(XMLSyntaxError) {
            root = try XMLReader.root(of: Array(data))
        } catch {
            throw ManagedObjectModelFileError(
                url: url, line: error.line, element: nil, attribute: nil, reason: error.reason)
        }
        let model = ModelElement(root: root, file: url)
        guard root.name == "model" else {
            throw model.failure("the root element is not 'model'")
        }
        var reader = ModelReader()
        try reader.readModel(model)
        if let problem = reader.contents.entities.problem { throw model.failure(problem) }
        return reader.contents
    }

    private mutating func readModel(_ model: ModelElement) throws {
        if let identifier = model.text("userDefinedModelVersionIdentifier"), !identifier.isEmpty {
            contents.versionIdentifiers = [identifier]
        }
        var names = Set<String>()
        for composite in model.children("composite") {
            compositesByName[try composite.newName(&names, of: "composites")] = composite
        }
        let elements = model.children("entity")
        // References may point anywhere, so each pass reads what the next one refers to.
        for element in elements { try readEntity(element) }
        let parents = elements.compactMap { element in
            element.text("name").flatMap { name in element.text("parentEntity").map { (name, $0) } }
        }
        if let name = InheritanceLines.tooLong(Dictionary(parents) { $1 }) {
            let element = elements.first { $0.text("name") == name } ?? model
            throw element.failure(
                "the entity inherits from itself, or has too many ancestors",
                attribute: "parentEntity")
        }
        for element in elements { try readInheritance(element) }
        for element in elements { try readProperties(element) }
        for element in elements { try linkRelationships(element) }
        for element in elements { try readConstraintsAndIndexes(element) }
        try readConfigurations(model)
        try readTemplates(model)
    }

    // MARK: - Entities

    private mutating func readEntity(_ element: ModelElement) throws {
        let name = try element.required("name")
        let entity = NSEntityDescription()
        entity.name = name
        if let className = element.text("representedClassName"), !className.isEmpty {
            entity.managedObjectClassName =
                className.hasPrefix(".") ? Self.qualified(String(className.dropFirst())) : className
        }
        entity.isAbstract = try element.flag("isAbstract")
        entity.versionHashModifier = element.text("versionHashModifier")
        entity.renamingIdentifier = element.text("elementID")
        entity.userInfo = try element.userInfo()
        if let expression = try element.expression("coreSpotlightDisplayNameExpression") {
            entity.coreSpotlightDisplayNameExpression = expression
        }
        guard entitiesByName.updateValue(entity, forKey: name) == nil else {
            throw element.failure("there are two entities of this name", attribute: "name")
        }
        contents.entities.append(entity)
    }

    /// A class's name with its module, for a name with a leading dot, which stands for the module that is
    /// being compiled; the name alone if the process has no such class.
    private static func qualified(_ className: String) -> String {
        LoadedModules.shared.subclass(named: className, of: NSManagedObject.self)
            .map { NSStringFromClass($0) } ?? className
    }

    private func readInheritance(_ element: ModelElement) throws {
        guard let parentName = element.text("parentEntity"), !parentName.isEmpty else { return }
        let entity = try entity(element, named: "name")
        let parent = try self.entity(element, named: "parentEntity")
        guard !parent.isKindOf(entity: entity) else {
            throw element.failure("the entity inherits from itself", attribute: "parentEntity")
        }
        parent.subentities.append(entity)
    }

    private func readProperties(_ element: ModelElement) throws {
        let entity = try entity(element, named: "name")
        var properties: [NSPropertyDescription] = []
        properties += try element.children("attribute").map {
            try $0.attributeDescription(composites: compositesByName)
        }
        properties += try element.children("relationship").map { try relationship($0) }
        properties += try element.children("fetchedProperty").map {
            try $0.fetchedProperty { entitiesByName[$0] != nil }
        }
        var names = Set<String>()
        for child in ["attribute", "relationship", "fetchedProperty"].flatMap(element.children) {
            let name = try child.newName(&names, of: "properties")
            if ReservedNames.contains(name) {
                throw child.failure(ReservedNames.reason(name), attribute: "name")
            }
        }
        entity.properties = properties
    }

    // MARK: - Relationships

    private func relationship(_ element: ModelElement) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        try element.readPropertySettings(into: relationship)
        let isToMany = try element.flag("toMany")
        relationship.minCount = try element.count("minCount") ?? 0
        relationship.maxCount = try element.count("maxCount") ?? (isToMany ? 0 : 1)
        relationship.isOrdered = try element.flag("ordered")
        relationship.destinationEntity = try entity(element, named: "destinationEntity")
        switch element.text("deletionRule") {
        case nil, "Nullify": relationship.deleteRule = .nullifyDeleteRule
        case "Cascade": relationship.deleteRule = .cascadeDeleteRule
        case "Deny": relationship.deleteRule = .denyDeleteRule
        case "No Action": relationship.deleteRule = .noActionDeleteRule
        case let text?:
            throw element.failure("'\(text)' is not a deletion rule", attribute: "deletionRule")
        }
        return relationship
    }

    private func linkRelationships(_ element: ModelElement) throws {
        let entity = try entity(element, named: "name")
        for child in element.children("relationship") {
            guard let inverse = child.text("inverseName"), !inverse.isEmpty,
                let relationship = try entity.relationshipsByName[child.required("name")]
            else { continue }
            let destination = try inverseEntity(of: relationship, child)
            guard let found = destination?.relationshipsByName[inverse] else {
                throw child.failure(
                    "'\(destination?.name ?? "")' has no relationship '\(inverse)'",
                    attribute: "inverseName")
            }
            guard found.destinationEntity?.isRelated(to: entity) == true else {
                throw child.failure(
                    "'\(inverse)' does not lead back to '\(entity.name ?? "")'",
                    attribute: "inverseName")
            }
            relationship.inverseRelationship = found
        }
    }

    /// The entity with the inverse: the destination or, if entities inherit, a relative of it.
    private func inverseEntity(
        of relationship: NSRelationshipDescription, _ element: ModelElement
    ) throws -> NSEntityDescription? {
        guard let destination = relationship.destinationEntity,
            element.text("inverseEntity") != nil
        else { return relationship.destinationEntity }
        let entity = try entity(element, named: "inverseEntity")
        guard entity.isRelated(to: destination) else {
            throw element.failure(
                "the relationship leads to '\(destination.name ?? "")'",
                attribute: "inverseEntity")
        }
        return entity
    }

    // MARK: - Constraints, indexes and configurations

    private func readConstraintsAndIndexes(_ element: ModelElement) throws {
        let entity = try entity(element, named: "name")
        entity.uniquenessConstraints = try element.children("uniquenessConstraints")
            .flatMap { $0.children("uniquenessConstraint") }
            .map { constraint in
                try constraint.children("constraint").map {
                    try property($0, named: "value", of: entity).name
                }
            }
        entity.compoundIndexes = element.children("compoundIndexes")
            .flatMap { $0.children("compoundIndex") }
            .map { index in index.children("index").compactMap { $0.text("value") } }
        var names = Set<String>()
        entity.indexes = try element.children("fetchIndex").map {
            try index($0, named: $0.newName(&names, of: "indexes"), of: entity)
        }
        entity.addIndexesOfOldModels()
    }

    private func index(
        _ element: ModelElement, named name: String, of entity: NSEntityDescription
    ) throws -> NSFetchIndexDescription {
        let columns = try element.children("fetchIndexElement").map { column in
            let type: NSFetchIndexElementType
            switch column.text("type") {
            case nil, "Binary": type = .binary
            case "RTree": type = .rTree
            case let text?:
                throw column.failure("'\(text)' is not a type of index", attribute: "type")
            }
            let description = try NSFetchIndexElementDescription(
                property: indexed(column, of: entity), collationType: type)
            description.isAscending = column.text("order") != "descending"
            return description
        }
        let index = NSFetchIndexDescription(name: name, elements: columns)
        index.partialIndexPredicate = try element.predicate("partialIndexPredicate")
        return index
    }

    /// The contents of an index column: a property, or an expression with a name of its own.
    private func indexed(
        _ column: ModelElement, of entity: NSEntityDescription
    ) throws -> NSPropertyDescription {
        guard let expression = try column.expression("expression") else {
            return try property(column, named: "property", of: entity)
        }
        let description = NSExpressionDescription()
        description.name = column.text("expression") ?? ""
        description.expression = expression
        description.expressionResultType = try column.type("expressionType")
        return description
    }

    private mutating func readConfigurations(_ model: ModelElement) throws {
        var names = Set<String>()
        for element in model.children("configuration") {
            let name = try element.newName(&names, of: "configurations")
            let members = try element.children("memberEntity").map {
                try entity($0, named: "name")
            }
            contents.configurations.append((name, members))
        }
    }

    private mutating func readTemplates(_ model: ModelElement) throws {
        var names = Set<String>()
        for element in model.children("fetchRequest") {
            let name = try element.newName(&names, of: "fetch requests")
            let request = NSFetchRequest<any NSFetchRequestResult>()
            request.entity = try entity(element, named: "entity")
            try element.readFetchRequest(into: request)
            contents.templates.append((name, request))
        }
    }

    // MARK: - References

    private func entity(
        _ element: ModelElement, named attribute: String
    ) throws -> NSEntityDescription {
        let name = try element.required(attribute)
        guard let entity = entitiesByName[name] else {
            throw element.failure("there is no entity '\(name)'", attribute: attribute)
        }
        return entity
    }

    private func property(
        _ element: ModelElement, named attribute: String, of entity: NSEntityDescription
    ) throws -> NSPropertyDescription {
        let name = try element.required(attribute)
        guard let property = entity.propertiesByName[name] else {
            throw element.failure(
                "'\(entity.name ?? "")' has no property '\(name)'", attribute: attribute)
        }
        return property
    }
}

extension NSEntityDescription {
    /// Whether one of the entities is the other, or inherits from it.
    fileprivate func isRelated(to entity: NSEntityDescription) -> Bool {
        isKindOf(entity: entity) || entity.isKindOf(entity: self)
    }
}
