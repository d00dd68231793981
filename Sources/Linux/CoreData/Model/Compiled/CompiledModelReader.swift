import FoundationGaps

/// Reads a compiled model (`.mom`), which is a keyed archive.
struct CompiledModelReader {
    private var contents = ModelContents()
    /// Entities by the index of their archived object.
    private var entities: [Int: NSEntityDescription] = [:]
    private let url: URL

    /// Reads a file's data.
    ///
    /// - Throws: A `ManagedObjectModelFileError` that names the file and the object at fault.
    static func read(_ data: Data, at url: URL) throws -> ModelContents {
        let archive: KeyedArchive
        do {
            archive = try KeyedArchive(data)
        } catch {
            throw ManagedObjectModelFileError(
                url: url, line: nil, element: nil, attribute: nil,
                reason: "it is not a compiled model: \(error)")
        }
        guard let model = archive.object(), model.className == "NSManagedObjectModel" else {
            throw ManagedObjectModelFileError(
                url: url, line: nil, element: "root", attribute: nil,
                reason: "the archived object is not a model")
        }
        var reader = CompiledModelReader(url: url)
        try reader.readModel(model)
        if archive.isExhausted {
            throw reader.failure("it contains its parts too often", of: model)
        }
        if let problem = reader.contents.entities.problem {
            throw reader.failure(problem, of: model)
        }
        return reader.contents
    }

    private init(url: URL) {
        self.url = url
    }

    private mutating func readModel(_ model: ArchivedObject) throws {
        let identifiers = Set(model.hashableValues("NSVersionIdentifiers"))
        contents.versionIdentifiers = identifiers.subtracting([""])
        let archived = model.entries("NSEntities").map(\.object).sorted {
            ($0.string("NSEntityName") ?? "") < ($1.string("NSEntityName") ?? "")
        }
        for object in archived {
            let entity = NSEntityDescription()
            entity.name = try required("NSEntityName", of: object)
            entities[object.index] = entity
            contents.entities.append(entity)
        }
        let parents = archived.compactMap { object in
            object.object("NSSuperentity").map { (object.index, $0.index) }
        }
        guard InheritanceLines.tooLong(Dictionary(parents) { $1 }) == nil else {
            throw failure("an entity inherits from itself, or has too many ancestors", of: model)
        }
        for object in archived { try readInheritance(object) }
        for object in parentsFirst(archived) { try readEntity(object) }
        for object in archived { try linkRelationships(object) }
        for object in archived { try readIndexes(object) }
        for (name, object) in model.entries("NSFetchRequestTemplates") {
            contents.templates.append((name, try template(object)))
        }
        for (name, members) in model.entries("NSConfigurations") {
            let indexes = members.configurationMembers.map(\.index)
            contents.configurations.append((name, indexes.compactMap { entities[$0] }))
        }
    }

    private func template(
        _ object: ArchivedObject
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        let archived = ArchivedFetchRequest(object)
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = archived.entityIndex.flatMap { entities[$0] }
        do {
            try archived.read(into: request)
        } catch {
            throw failure("a fetch request cannot be read: \(error)", of: object)
        }
        return request
    }

    // MARK: - Entities

    private func readInheritance(_ object: ArchivedObject) throws {
        guard let parentObject = object.object("NSSuperentity") else { return }
        guard let entity = entities[object.index], let parent = entities[parentObject.index],
            !parent.isKindOf(entity: entity)
        else {
            throw failure("the parent entity is missing or inherits from it", of: object)
        }
        parent.subentities.append(entity)
    }

    private func parentsFirst(_ objects: [ArchivedObject]) -> [ArchivedObject] {
        func depth(_ object: ArchivedObject) -> Int {
            var depth = 0
            var parent = entities[object.index]?.superentity
            while let current = parent {
                depth += 1
                parent = current.superentity
            }
            return depth
        }
        return objects.map { (object: $0, depth: depth($0)) }
            .sorted { $0.depth < $1.depth }
            .map(\.object)
    }

    private func readEntity(_ object: ArchivedObject) throws {
        guard let entity = entities[object.index] else { return }
        entity.managedObjectClassName = object.string("NSClassNameForEntity")
        entity.isAbstract = object.boolean("NSIsAbstract")
        entity.versionHashModifier = object.string("NSVersionHashModifier")
        entity.renamingIdentifier = object.string("NSRenamingIdentifier")
        entity.userInfo = object.dictionary("NSUserInfo")
        // A model that was created in code lists inherited properties again.
        let inherited = Set(entity.superentity?.propertiesByName.keys.map(\.self) ?? [])
        entity.properties = try object.entries("NSProperties")
            .filter { !inherited.contains($0.key) }
            .sorted { $0.key < $1.key }
            .compactMap { try property($0.object) }
        entity.uniquenessConstraints = object.objects("NSUniqueTuples").map(\.elementStrings)
        entity.compoundIndexes = object.objects("NSCompoundIndexes").map(\.elementStrings)
    }

    // MARK: - Properties

    /// A property, or nil for the proxies of inherited ones.
    private func property(_ object: ArchivedObject) throws -> NSPropertyDescription? {
        let property: NSPropertyDescription
        switch object.className {
        case "NSAttributeDescription":
            property = try readAttribute(object, into: NSAttributeDescription())
        case "NSDerivedAttributeDescription":
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpression = try expression("NSDerivationExpression", of: object)
            property = try readAttribute(object, into: derived)
        case "NSCompositeAttributeDescription":
            let composite = NSCompositeAttributeDescription()
            composite.elements = try elements(of: object)
            property = try readAttribute(object, into: composite)
        case "NSRelationshipDescription":
            property = try readRelationship(object)
        case "NSFetchedPropertyDescription":
            property = try readFetchedProperty(object)
        default:
            return nil
        }
        property.name = try required("NSPropertyName", of: object)
        property.isOptional = object.boolean("NSIsOptional")
        property.isTransient = object.boolean("NSIsTransient")
        property.isIndexed = object.boolean("NSIsIndexed")
        property.versionHashModifier = object.string("NSVersionHashModifier")
        property.renamingIdentifier = object.string("NSRenamingIdentifier")
        property.userInfo = object.dictionary("NSUserInfo")
        let rules = zip(
            try object.objects("NSValidationPredicates").map { try predicate($0, of: object) },
            object.values("NSValidationWarnings"))
        property.setValidation(rules.map(\.0), warnings: rules.map(\.1))
        return property
    }

    private func elements(of composite: ArchivedObject) throws -> [NSAttributeDescription] {
        let elements = try composite.reading {
            try composite.objects("NSElements").compactMap {
                try property($0) as? NSAttributeDescription
            }
        }
        guard let elements else { throw failure("it contains itself", of: composite) }
        return elements
    }

    private func readAttribute(
        _ object: ArchivedObject, into attribute: NSAttributeDescription
    ) throws -> NSAttributeDescription {
        let number = object.integer("NSAttributeType") ?? 0
        guard let type = UInt(exactly: number).flatMap(NSAttributeType.init) else {
            throw failure("\(number) is not a type of attribute", of: object)
        }
        attribute.attributeType = type
        if type == .transformableAttributeType {
            attribute.attributeValueClassName = object.string("NSAttributeValueClassName")
        }
        attribute.valueTransformerName = object.string("NSValueTransformerName")
        let flags = object.integer("NSFlagsKey") ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
        attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
        attribute.allowsCloudEncryption = flags & 32 != 0
        if let value = object.value("NSDefaultValue") {
            if let canonical = attribute.canonicalValue(of: value) {
                attribute.defaultValue = canonical
            } else {
                ModelFileLog.write(
                    failure(
                        "the default value is not of the attribute's type; the attribute has no"
                            + " default", of: object))
            }
        }
        return attribute
    }

    private func readRelationship(_ object: ArchivedObject) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.minCount = object.integer("NSMinCount") ?? 0
        relationship.maxCount = max(0, object.integer("NSMaxCount") ?? 0)
        relationship.isOrdered = object.boolean("NSIsOrdered")
        let rule = object.integer("NSDeleteRule") ?? 0
        guard let deleteRule = UInt(exactly: rule).flatMap(NSDeleteRule.init) else {
            throw failure("\(rule) is not a deletion rule", of: object)
        }
        relationship.deleteRule = deleteRule
        relationship.destinationEntity = try entity("NSDestinationEntity", of: object)
        return relationship
    }

    private func readFetchedProperty(
        _ object: ArchivedObject
    ) throws -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        guard let archived = object.object("NSFetchRequest") else { return property }
        let template = try template(archived)
        // By name, because a property that retains its own entity would form a reference cycle.
        guard let name = template.entityName else { return property }
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
        request.predicate = template.predicate
        request.sortDescriptors = template.sortDescriptors
        request.fetchLimit = template.fetchLimit
        property.fetchRequest = request
        return property
    }

    private func linkRelationships(_ object: ArchivedObject) throws {
        guard let entity = entities[object.index] else { return }
        for (name, archived) in object.entries("NSProperties")
        where archived.className == "NSRelationshipDescription" {
            guard let relationship = entity.relationshipsByName[name],
                let inverse = archived.string("_NSInverseRelationshipName"), !inverse.isEmpty
            else { continue }
            guard let found = relationship.destinationEntity?.relationshipsByName[inverse] else {
                throw failure("the inverse relationship '\(inverse)' is missing", of: archived)
            }
            relationship.inverseRelationship = found
        }
    }

    private func readIndexes(_ object: ArchivedObject) throws {
        guard let entity = entities[object.index] else { return }
        let properties = entity.propertiesByName
        entity.indexes = try object.objects("NSFetchIndexDescriptions").map { index in
            let elements = try index.objects("NSIndexElements").compactMap { element in
                try indexed(element, among: properties).map { property in
                    let description = NSFetchIndexElementDescription(
                        property: property,
                        collationType: element.integer("NSFetchIndexElementType") == 1
                            ? .rTree : .binary)
                    description.isAscending = element.boolean("NSAscending")
                    return description
                }
            }
            let description = try NSFetchIndexDescription(
                name: required("NSIndexName", of: index), elements: elements)
            description.partialIndexPredicate = try index.object("NSPartialIndexPredicate").map {
                try predicate($0, of: index)
            }
            return description
        }
        entity.addIndexesOfOldModels()
    }

    /// The contents of an index column: a property of the entity by its name, or an expression.
    private func indexed(
        _ element: ArchivedObject, among properties: [String: NSPropertyDescription]
    ) throws -> NSPropertyDescription? {
        guard let archived = element.object("NSIndexedProperty"),
            archived.className == "NSExpressionDescription"
        else {
            return element.string("NSPropertyName").flatMap { properties[$0] }
        }
        let description = NSExpressionDescription()
        description.name = archived.string("NSPropertyName") ?? ""
        description.expression = try expression("NSExpression", of: archived)
        description.expressionResultType =
            UInt(exactly: archived.integer("NSExpressionType") ?? 0).flatMap(NSAttributeType.init)
            ?? .undefinedAttributeType
        return description
    }

    // MARK: - References and failures

    private func entity(_ key: String, of object: ArchivedObject) throws -> NSEntityDescription {
        guard let entity = object.object(key).flatMap({ entities[$0.index] }) else {
            throw failure("the entity under \(key) is missing", of: object)
        }
        return entity
    }

    private func predicate(
        _ archived: ArchivedObject, of object: ArchivedObject
    ) throws -> NSPredicate {
        do {
            return try ArchivedPredicate.predicate(archived)
        } catch {
            throw failure("a predicate cannot be read: \(error)", of: object)
        }
    }

    private func expression(
        _ key: String, of object: ArchivedObject
    ) throws -> NSExpression? {
        do {
            return try object.object(key).map(ArchivedPredicate.expression)
        } catch {
            throw failure("the expression under \(key) cannot be read: \(error)", of: object)
        }
    }

    private func required(_ key: String, of object: ArchivedObject) throws -> String {
        guard let text = object.string(key), !text.isEmpty else {
            throw failure("there is no \(key)", of: object)
        }
        return text
    }

    private func failure(
        _ reason: String, of object: ArchivedObject
    ) -> ManagedObjectModelFileError {
        let name = object.string("NSPropertyName") ?? object.string("NSEntityName")
        return ManagedObjectModelFileError(
            url: url, line: nil,
            element: [object.className, name].compactMap(\.self).joined(separator: " "),
            attribute: nil, reason: reason)
    }
}
