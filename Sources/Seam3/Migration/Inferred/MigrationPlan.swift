import CoreData

/// The correspondence of each entity and property between the file's model and the current one, by
/// the rules of Core Data's lightweight migration: by name, or by the renaming identifier.
struct MigrationPlan {
    /// A reason why the migration cannot be inferred.
    struct Refusal: Error {
        let reason: String
    }

    /// The place of a property's values in the old tables.
    struct OldColumn: Hashable {
        let table: String
        /// The column's name, unquoted.
        let column: String
        /// The kind of an attribute; nil for a to-one relationship.
        let kind: AttributeKind?
    }

    /// A change that is impossible for records that are on the server.
    struct RecordChange {
        /// The entity in the old model.
        let oldEntity: String
        /// The old column: if no object has ever had a value in it, the change is possible. Nil if
        /// the change is impossible for the records themselves.
        let column: OldColumn?
        /// Why the migration is refused if such records may exist.
        let reason: String
    }

    let old: ModelSnapshot
    let oldAssignedNames: AssignedNames
    /// The names for the new model: whatever existed keeps its table, column, number, record type
    /// and field if possible.
    private(set) var assignedNames = AssignedNames()
    /// The old entities that no longer exist.
    private(set) var removedEntities: [String] = []
    /// The entities that are new, or whose records may have values that the old model could not hold.
    private(set) var extendedEntities: Set<String> = []
    /// New entity → attributes and to-one relationships whose values the server lacks, because they
    /// have another field now or were not synced before.
    private(set) var propertiesToSend: [String: Set<String>] = [:]
    /// The changes that are impossible for records on the server.
    private(set) var recordChanges: [RecordChange] = []

    private let mappings: RecordMappings
    /// The new entities whose record type was specified by the old model but is not by the new one.
    private var forgottenRecordTypes: Set<String> = []
    private var oldNames: [String: String] = [:]
    /// New entity → new property → old property.
    private var oldProperties: [String: [String: String]] = [:]

    /// Compares the models.
    ///
    /// - Throws: ``Refusal``.
    init(
        from old: ModelSnapshot, assignedNames oldAssignedNames: AssignedNames,
        to schema: StoreSchema
    ) throws {
        self.old = old
        self.oldAssignedNames = oldAssignedNames
        mappings = RecordMappings(schema)
        let entities = schema.entities.map(\.description)
        oldNames =
            VersionMatches(
                of: entities.map(\.versionedName),
                with: old.entities.map { VersionedName($0.name, identifier: $0.identifier) },
                keepsNames: true
            ).oldNames
        removedEntities = old.entities.map(\.name).filter { !oldNames.values.contains($0) }
        for entity in entities { matchProperties(of: entity) }
        for entity in schema.entities { try check(entity) }
        nameEntities()
        nameTables(of: schema)
        for table in schema.tables { nameColumns(of: table, in: schema) }
    }

    // MARK: - Answers

    /// The old entity of a new one.
    func oldEntity(of name: String) -> ModelSnapshot.Entity? {
        oldNames[name].flatMap { old.entity(named: $0) }
    }

    /// The old name of a new entity's property.
    func oldName(of property: String, in entity: String) -> String? {
        oldProperties[entity]?[property]
    }

    /// The old names of the properties that a new entity still has.
    func keptProperties(of entity: String) -> [String] {
        oldProperties[entity].map { Array($0.values) } ?? []
    }

    /// The old relationship of a new entity's relationship.
    func oldRelationship(_ name: String, in entity: String) -> ModelSnapshot.Relationship? {
        oldName(of: name, in: entity).flatMap { oldEntity(of: entity)?.relationship(named: $0) }
    }

    /// The place of the values of an attribute or a to-one relationship in the old tables.
    ///
    /// - Parameters:
    ///   - property: The property's name in the new model.
    ///   - entity: The new entity, which need not declare it.
    ///   - suffix: "_order" for the order key of a to-one relationship.
    func oldColumn(
        of property: String, in entity: String, suffix: String = ""
    ) -> OldColumn? {
        guard let oldEntity = oldEntity(of: entity), let oldName = oldName(of: property, in: entity)
        else { return nil }
        let kind = oldEntity.attribute(named: oldName)?.kind
        if kind == nil, oldEntity.relationship(named: oldName)?.isToMany != false { return nil }
        return column(of: oldName + suffix, oldName, in: oldEntity, kind: kind)
    }

    /// The old tables' column for a property of an old entity.
    func column(
        of name: String, _ property: String, in oldEntity: ModelSnapshot.Entity,
        kind: AttributeKind? = nil
    ) -> OldColumn? {
        guard let owner = oldEntity.owners[property],
            let table = oldAssignedNames.tables[oldEntity.root],
            let column = oldAssignedNames.columns[oldEntity.root]?["\(owner).\(name)"]
        else { return nil }
        return OldColumn(table: table, column: column, kind: kind)
    }

    // MARK: - Matching

    /// An attribute can only correspond to an attribute, and a relationship to a relationship.
    private mutating func matchProperties(of entity: NSEntityDescription) {
        let name = entity.name ?? ""
        guard let oldEntity = oldEntity(of: name) else { return }
        func matches(
            _ new: [NSPropertyDescription], _ old: [VersionedName]
        ) -> [String: String] {
            VersionMatches(of: new.filter { !$0.isTransient }.map(\.versionedName), with: old)
                .oldNames
        }
        oldProperties[name] = matches(
            Array(entity.relationshipsByName.values),
            oldEntity.relationships.map {
                VersionedName($0.name, identifier: oldEntity.identifiers[$0.name])
            })
        let attributes = entity.attributesByName
        for (new, oldName) in matches(Array(attributes.values), oldEntity.attributeNames) {
            guard let attribute = attributes[new] else { continue }
            let paths = AttributeElement.oldNames(
                of: attribute, formerly: oldName, oldEntity.elements(at:))
            oldProperties[name]?.merge(paths) { $1 }
        }
    }

    private mutating func check(_ entity: EntitySchema) throws {
        guard let oldEntity = oldEntity(of: entity.name) else {
            extendedEntities.insert(entity.name)
            return
        }
        noteRecordType(of: entity, oldEntity)
        for attribute in entity.attributes {
            guard let oldName = oldName(of: attribute.name, in: entity.name) else {
                extendedEntities.insert(entity.name)
                noteTakenField(of: attribute.name, attribute.root, entity, oldEntity)
                continue
            }
            try check(attribute, of: entity, oldName, in: oldEntity)
        }
        for relationship in entity.toOnes.map(\.relationship) + entity.toManys.map(\.relationship) {
            let path = "\(entity.name).\(relationship.name)"
            guard let oldName = oldName(of: relationship.name, in: entity.name) else {
                if Self.mayBeOnServer(relationship) { extendedEntities.insert(entity.name) }
                noteTakenField(of: relationship.name, relationship, entity, oldEntity)
                continue
            }
            guard let oldRelationship = oldEntity.relationship(named: oldName) else { continue }
            try check(relationship, oldRelationship, path: path)
            noteField(of: relationship.name, entity, oldName, in: oldEntity)
            recordChanges += settingChanges(of: relationship, oldRelationship, entity, oldEntity)
            if isSynced(relationship.name, in: entity),
                mayBeUnread(relationship, oldRelationship, of: entity.name)
            {
                extendedEntities.insert(entity.name)
            }
        }
    }

    private mutating func check(
        _ column: AttributeColumn, of entity: EntitySchema, _ oldName: String,
        in oldEntity: ModelSnapshot.Entity
    ) throws {
        let path = "\(entity.name).\(column.name)"
        guard let oldAttribute = oldEntity.attribute(named: oldName) else { return }
        guard
            let conversion = oldAttribute.kind.flatMap({
                AttributeConversion(from: $0, to: column.kind)
            })
        else {
            let old = oldAttribute.kind.map { "\($0)" } ?? "unknown"
            throw Refusal(
                reason:
                    "the type of \(path) has changed from \(old) to \(column.kind), to which its"
                    + " values cannot be converted; add an attribute with another name, or give"
                    + " a mapping model")
        }
        noteField(of: column.name, entity, oldName, in: oldEntity)
        guard oldEntity.syncedProperties.contains(oldName), isSynced(column.name, in: entity),
            newField(of: column.name, entity, oldName, in: oldEntity) == nil,
            let oldField = oldEntity.field(of: oldName)
        else { return }
        if Self.mayBeUnread(column, oldAttribute) { extendedEntities.insert(entity.name) }
        let advice =
            ", and its field \(oldField) in CloudKit, where records may have it, cannot change:"
            + " give it another field with the user info key \(UserInfoKey.fieldName)"
        if !conversion.keepsField {
            noteFieldChange(
                "the type of \(path) has changed" + advice, of: oldName, in: oldEntity)
        }
        recordChanges += Self.settingChanges(of: column, oldAttribute).map {
            RecordChange(
                oldEntity: oldEntity.name, column: nil, reason: "\(path) \($0)" + advice)
        }
    }

    /// A field that records have cannot change its type. It can if no record has had a value in it.
    private mutating func noteFieldChange(
        _ reason: String, of oldName: String, in oldEntity: ModelSnapshot.Entity
    ) {
        recordChanges.append(
            RecordChange(
                oldEntity: oldEntity.name, column: column(of: oldName, oldName, in: oldEntity),
                reason: reason))
    }

    /// A new property may use the field of an old one of another kind. A to-many relationship has
    /// no field.
    private mutating func noteTakenField(
        of name: String, _ property: NSPropertyDescription, _ entity: EntitySchema,
        _ oldEntity: ModelSnapshot.Entity
    ) {
        let isToMany = (property as? NSRelationshipDescription)?.isToMany == true
        guard !isToMany, isSynced(name, in: entity) else { return }
        let field = property.pinnedField ?? name
        let isAttribute = property is NSAttributeDescription
        for oldName in oldEntity.syncedProperties.sorted()
        where oldEntity.fields[oldName] == field
            && (oldEntity.attribute(named: oldName) != nil) != isAttribute
        {
            noteFieldChange(
                "\(entity.name).\(name) was \(isAttribute ? "a relationship" : "an attribute") and"
                    + " is \(isAttribute ? "an attribute" : "a relationship"), and the field \(field)"
                    + " in CloudKit, where records may have it, cannot change: give it another field"
                    + " with the user info key \(UserInfoKey.fieldName)",
                of: oldName, in: oldEntity)
        }
    }

    /// Whether other devices may have sent records that affect a new relationship.
    private static func mayBeOnServer(_ relationship: NSRelationshipDescription) -> Bool {
        !relationship.isToMany || relationship.inverseRelationship?.isToMany == true
    }

    // MARK: - What is sent

    func isSynced(_ property: String, in entity: EntitySchema) -> Bool {
        mappings.mapping(of: entity)?.propertyNames.contains(property) ?? false
    }

    /// Notes a property whose values the server lacks. Other devices may have sent theirs already.
    private mutating func noteField(
        of name: String, _ entity: EntitySchema, _ oldName: String, in old: ModelSnapshot.Entity
    ) {
        guard isSynced(name, in: entity),
            !old.syncedProperties.contains(oldName)
                || newField(of: name, entity, oldName, in: old) != nil
        else { return }
        propertiesToSend[entity.name, default: []].insert(name)
        extendedEntities.insert(entity.name)
    }

    private mutating func noteRecordType(of entity: EntitySchema, _ old: ModelSnapshot.Entity) {
        guard let mapping = mappings.mapping(of: entity) else { return }
        if !old.isSynced { extendedEntities.insert(entity.name) }
        let given = old.hasGivenRecordType ? entity.name : old.recordType
        let recordType = entity.description.pinnedRecordType ?? given
        guard recordType != old.recordType, !mapping.entity.description.isAbstract else { return }
        extendedEntities.insert(entity.name)
        if recordType == entity.name { forgottenRecordTypes.insert(entity.name) }
        recordChanges.append(
            RecordChange(
                oldEntity: old.name, column: nil,
                reason: "the record type of \(entity.name) is \(recordType) and was"
                    + " \(old.recordType), and that of records in CloudKit cannot change: keep it with"
                    + " the user info key \(UserInfoKey.recordType), or copy the objects to an entity of"
                    + " another name"))
    }

    // MARK: - Naming

    /// The type and the fields of a record can never change, so renamed entities and properties
    /// keep theirs.
    private mutating func nameEntities() {
        assignedNames.linkTables = oldAssignedNames.linkTables
        assignedNames.entityNumbers = oldAssignedNames.entityNumbers
        for name in oldNames.values { assignedNames.entityNumbers[name] = nil }
        for (name, oldName) in oldNames {
            assignedNames.entityNumbers[name] = oldAssignedNames.entityNumbers[oldName]
            guard let oldEntity = old.entity(named: oldName) else { continue }
            if oldEntity.recordType != name, !forgottenRecordTypes.contains(name) {
                assignedNames.recordTypes[name] = oldEntity.recordType
            }
        }
    }

    private mutating func nameTables(of schema: StoreSchema) {
        assignedNames.retiredTables = Set(oldAssignedNames.tables.values)
        var taken: Set<String> = []
        for root in schema.tables.map(\.rootName) {
            guard let oldRoot = oldEntity(of: root)?.root, taken.insert(oldRoot).inserted else {
                continue
            }
            assignedNames.tables[root] = oldAssignedNames.tables[oldRoot]
        }
    }

    private mutating func nameColumns(of table: RootTable, in schema: StoreSchema) {
        let root = table.rootName
        let oldRoot = oldEntity(of: root)?.root
        let tableName = assignedNames.tables[root]
        if tableName != nil, let oldRoot {
            assignedNames.retiredColumns[root] = Set(
                (oldAssignedNames.columns[oldRoot] ?? [:]).values)
        }
        var sources: [String: Set<OldColumn>] = [:]
        var converted: Set<String> = []
        for entity in schema.entities where entity.rootName == root {
            for (key, column, conversion) in columns(of: entity) {
                sources[key, default: []].insert(column)
                if conversion?.keepsColumn == false { converted.insert(key) }
            }
            nameFields(of: entity)
        }
        var claimed: Set<String> = []
        for (key, columns) in sources.sorted(by: { $0.key < $1.key }) {
            guard columns.count == 1, let column = columns.first, column.table == tableName,
                !converted.contains(key), claimed.insert(column.column).inserted
            else { continue }
            assignedNames.columns[root, default: [:]][key] = column.column
        }
    }

    private mutating func nameFields(of entity: EntitySchema) {
        guard let oldEntity = oldEntity(of: entity.name) else { return }
        for (property, oldName) in oldProperties[entity.name] ?? [:] {
            assignedNames.fields.merge(
                pinnedFields(of: property, entity, oldName, in: oldEntity)
            ) { $1 }
            let moved = newField(of: property, entity, oldName, in: oldEntity)
            let key = entity.description.qualifiedName(of: property)
            let former = formerFields(of: property, entity, oldName, in: oldEntity, moved)
            if !former.isEmpty { assignedNames.formerFields[key] = former }
        }
    }
}
