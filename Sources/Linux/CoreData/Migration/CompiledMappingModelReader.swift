import FoundationGaps

/// Reads a compiled mapping model (`.cdm`), which is a keyed archive.
struct CompiledMappingModelReader {
    private let url: URL

    /// The mappings of the entities in a file.
    ///
    /// - Throws: A `ManagedObjectModelFileError` that names the file and the object at fault.
    static func read(from url: URL) throws -> [NSEntityMapping] {
        let reader = CompiledMappingModelReader(url: url)
        let archive: KeyedArchive
        do {
            archive = try KeyedArchive(Data(contentsOf: url))
        } catch {
            throw reader.failure("it is not a compiled mapping model: \(error)", at: nil)
        }
        guard let model = archive.object(), model.className == "NSMappingModel" else {
            throw reader.failure("the archived object is not a mapping model", at: "root")
        }
        let mappings = try model.objects("NSEntityMappings").map(reader.entityMapping)
        if archive.isExhausted {
            throw reader.failure("it contains its parts too often", at: "root")
        }
        return mappings
    }

    private func entityMapping(_ object: ArchivedObject) throws -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = object.string("NSMappingName")
        let number = object.integer("NSMappingType") ?? 0
        guard let type = UInt(exactly: number).flatMap(NSEntityMappingType.init) else {
            throw failure("\(number) is not a type of mapping", at: mapping.name)
        }
        mapping.mappingType = type
        mapping.sourceEntityName = object.string("NSSourceEntityName")
        mapping.sourceEntityVersionHash = object.value("NSSourceEntityVersionHash") as? Data
        mapping.destinationEntityName = object.string("NSDestinationEntityName")
        mapping.destinationEntityVersionHash =
            object.value("NSDestinationEntityVersionHash") as? Data
        mapping.sourceExpression = try expression("NSSourceExpression", of: object)
        mapping.userInfo = object.dictionary("NSUserInfo")
        mapping.entityMigrationPolicyClassName = object.string("NSEntityMigrationPolicyClassName")
        mapping.attributeMappings = try object.objects("NSAttributeMappings").map(propertyMapping)
        mapping.relationshipMappings = try object.objects("NSRelationshipMappings")
            .map(propertyMapping)
        return mapping
    }

    private func propertyMapping(_ object: ArchivedObject) throws -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = object.string("NSDestinationPropertyName")
        mapping.valueExpression = try expression("NSValueExpression", of: object)
        mapping.userInfo = object.dictionary("NSUserInfo")
        return mapping
    }

    private func expression(_ key: String, of object: ArchivedObject) throws -> NSExpression? {
        do {
            return try object.object(key).map(ArchivedPredicate.expression)
        } catch {
            throw failure(
                "the expression under \(key) cannot be read: \(error)",
                at: object.string("NSMappingName") ?? object.string("NSDestinationPropertyName"))
        }
    }

    private func failure(_ reason: String, at element: String?) -> ManagedObjectModelFileError {
        ManagedObjectModelFileError(
            url: url, line: nil, element: element, attribute: nil, reason: reason)
    }
}
