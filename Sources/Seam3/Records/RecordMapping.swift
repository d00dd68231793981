import CloudKit
import CoreData

/// Maps the objects of an entity to records and back: the record type and the fields.
final class RecordMapping {
    /// An attribute and its field.
    struct Attribute {
        let column: AttributeColumn
        let field: String
        /// The type of the field's values.
        let kind: AttributeKind
        /// Whether the field is in the record's `encryptedValues`.
        let isEncrypted: Bool

        /// Whether the field is an asset for data of any size.
        var isAsset: Bool {
            column.isExternal
        }

        /// The part of a record that contains the field.
        func fields(of record: CKRecord) -> any CKRecordKeyValueSetting {
            if isEncrypted { return record.encryptedValues }
            return record
        }

        /// The asset that holds data too large for the record itself.
        var assetField: String { field + "_asset" }
    }

    /// A to-one relationship and its reference field.
    struct Reference {
        let column: ToOneColumn
        let field: String
        /// Whether the other end of a one-to-one relationship determines the destination.
        let isDecidedByInverse: Bool
        /// Whether it is the end of a one-to-one relationship that determines the other end.
        let decidesInverse: Bool

        /// Whether both ends are to-one.
        var isOneToOne: Bool { column.relationship.inverseRelationship?.isToMany == false }
        /// Whether the object is a member of an ordered relationship at the other end.
        var isOrdered: Bool { column.orderIndex != nil }
        /// The field of the object's order key.
        var orderField: String { field + "_order" }
    }

    let entity: EntitySchema
    let recordType: String
    /// The folder of the files that rows may refer to.
    let externalData: ExternalDataFolder?
    private(set) var attributes: [Attribute] = []
    private(set) var references: [Reference] = []
    /// The attributes whose values stay on this device.
    private(set) var localAttributes: [AttributeColumn] = []
    /// The properties that devices with a former model store in other fields.
    private(set) var formerProperties: [FormerProperty] = []
    /// The references of devices with a former model, in which this model has to-many relationships. A field that a
    /// property uses now is not among them.
    private(set) var formerReferences: [(link: LinkSchema, reference: LinkSchema.FormerReference)] =
        []
    /// What devices with a former model store in the fields of both.
    private(set) var formerParts: [ValueField] = []
    /// The fields, former ones included, whose edits the record notes. Ends that other records decide have no stamps.
    private(set) var stampedFields: [ValueField] = []
    /// The attributes whose values may be files.
    private(set) var binaryAttributes: [Attribute] = []
    /// The natural key that determines the record name of a new object; nil for a random name.
    let naturalKey: NaturalKey?

    /// Creates the mapping of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - assignedNames: The record types and fields that migrations have pinned.
    ///   - externalData: The folder of the store's files.
    /// - Returns: nil if the model leaves the entity out of sync.
    init?(_ entity: EntitySchema, assignedNames: AssignedNames, externalData: ExternalDataFolder?) {
        guard entity.description.isSynced else { return nil }
        self.entity = entity
        self.externalData = externalData
        recordType = assignedNames.recordType(of: entity.description)
        naturalKey = NaturalKey(entity, assignedNames: assignedNames)
        localAttributes = entity.attributes.filter { !$0.root.isSynced && !$0.isDerived }
        for column in entity.attributes
        where column.root.isSynced && !column.isDerived {
            attributes.append(
                Attribute(
                    column: column,
                    field: assignedNames.field(of: column.element, in: entity.description),
                    kind: column.kind, isEncrypted: column.isEncrypted))
        }
        binaryAttributes = attributes.filter(\.column.isBinary)
        for column in entity.toOnes where Self.isSynced(column.relationship) {
            let path = assignedNames.path(of: column.relationship)
            let inverse = Self.oneToOneInverse(column).map { assignedNames.path(of: $0) }
            references.append(
                Reference(
                    column: column,
                    field: assignedNames.field(of: column.relationship, in: entity.description),
                    isDecidedByInverse: inverse.map { $0 < path } ?? false,
                    decidesInverse: inverse.map { path < $0 } ?? false))
        }
        formerProperties = FormerProperty.all(of: self, assignedNames)
        let used = fieldsInUse
        for toMany in entity.toManys where Self.isSynced(toMany.relationship) {
            guard case .link(let link, let isSource) = toMany.storage else { continue }
            formerReferences += link.formerReferences.filter {
                $0.name == toMany.name && $0.isSource == isSource && !used.contains($0.field)
            }.map { (link, $0) }
        }
        formerParts =
            formerProperties.flatMap(\.parts)
            + formerReferences.map(\.reference).map {
                ValueField(name: $0.name, field: $0.field, content: .reference, isFormer: true)
            }
        stampedFields =
            attributes.map {
                ValueField(name: $0.column.name, field: $0.field, content: .attribute($0))
            }
            + references.filter { !$0.isDecidedByInverse }.map {
                ValueField(name: $0.column.name, field: $0.field, content: .reference)
            }
            + references.filter(\.isOrdered).map {
                ValueField(
                    name: $0.column.orderName, field: $0.orderField, content: .orderKey)
            } + formerParts
    }

    /// A reference to an object that never leaves this device would be useless elsewhere.
    static func isSynced(_ relationship: NSRelationshipDescription) -> Bool {
        guard relationship.isSynced, relationship.inverseRelationship != nil,
            let destination = relationship.destinationEntity
        else { return false }
        return hasSyncedEntity(destination)
    }

    private static func hasSyncedEntity(_ entity: NSEntityDescription) -> Bool {
        entity.isSynced || entity.subentities.contains(where: hasSyncedEntity)
    }

    /// The other end of a one-to-one relationship; nil for other relationships. The end whose path sorts first
    /// determines the other.
    private static func oneToOneInverse(_ column: ToOneColumn) -> NSRelationshipDescription? {
        column.relationship.inverseRelationship.flatMap { $0.isToMany ? nil : $0 }
    }

    /// Whether devices with a former model store anything in other fields.
    var hasFormerFields: Bool { !formerParts.isEmpty }

    /// The fields of the present properties.
    var fieldsInUse: Set<String> {
        Set(attributes.map(\.field) + references.flatMap { [$0.field, $0.orderField] })
    }

    /// The columns of the attributes that are not optional.
    var requiredColumns: [AttributeColumn] {
        attributes.map(\.column).filter { !$0.isOptional }
    }

    /// The maximum size of a record in bytes, without its assets.
    static let largestRecord = 1_000_000

    /// The size in bytes up to which the record itself contains a property's data; larger data
    /// becomes an asset. CloudKit allows 1 MB without assets, part of which is needed for text and
    /// system fields. The limit depends on the property alone and not on the record's other data,
    /// so that it is known where existing data is stored.
    var inlineLimit: Int {
        700_000 / max(1, binaryAttributes.filter { !$0.isAsset }.count)
    }

    /// Whether the record that comes with a conflict may lack values: files and encrypted values.
    var mayLackValuesInConflicts: Bool {
        attributes.contains { $0.column.isBinary || $0.column.isEncrypted }
    }

    /// The synced properties of an object in which nothing has been set.
    var defaults: PropertyValues {
        get throws {
            var fields = PropertyValues()
            for column in attributes.map(\.column) {
                fields[column.name] = try column.stored(column.defaultValue)
            }
            return fields
        }
    }

    /// Whether an attribute has no value, or the model's default, which every device sets itself.
    func isDefault(_ value: SQLiteValue, of attribute: AttributeColumn) throws -> Bool {
        if value.isNull { return true }
        return isEqual(attribute, value, try attribute.stored(attribute.defaultValue))
    }

    /// The names of all properties that are synced.
    private(set) lazy var propertyNames: Set<String> = Set(
        attributes.map(\.column.name) + references.map(\.column.name)
            + references.filter(\.isOrdered).map(\.column.orderName))

    /// The numbers of the edit stamps of each property's field, and then of its former ones.
    private(set) lazy var stampKeys: [String: [UInt32]] =
        Dictionary(grouping: stampedFields, by: \.name).filter { propertyNames.contains($0.key) }
        .mapValues { $0.map(\.stampKey) }

    /// The names of the elements of each composite attribute.
    private(set) lazy var compositeNames: [Set<String>] =
        Dictionary(grouping: attributes.map(\.column).filter(\.isElement), by: \.root.name)
        .values.map { Set($0.map(\.name)) }

    /// The order keys of all references.
    private(set) lazy var orderNames: Set<String> = Set(
        references.filter(\.isOrdered).map(\.column.orderName))

    /// The order keys of references that are nil. Their values mean nothing.
    func idleOrderNames(in fields: PropertyValues) -> Set<String> {
        Set(
            references.filter { $0.isOrdered && fields[$0.column.name].isNull }
                .map(\.column.orderName))
    }

    /// The names of the ends of one-to-one relationships that other records determine.
    private(set) lazy var derivedNames: Set<String> = Set(
        references.filter(\.isDecidedByInverse).map(\.column.name))
}

/// The mappings of all entities of a store. Immutable, so both sides of a sync can share it.
final class RecordMappings: @unchecked Sendable {
    // Unchecked because the schema is not Sendable; nothing changes after the initializer.

    let schema: StoreSchema
    private var byEntity: [String: RecordMapping] = [:]
    private var byRecordType: [String: RecordMapping] = [:]
    /// The names of the entities whose objects may have a natural key.
    private var keyed: Set<String> = []

    init(_ schema: StoreSchema, externalData: ExternalDataFolder? = nil) {
        self.schema = schema
        for entity in schema.entities {
            guard
                let mapping = RecordMapping(
                    entity, assignedNames: schema.assignedNames, externalData: externalData)
            else { continue }
            _ = (
                mapping.propertyNames, mapping.compositeNames, mapping.derivedNames,
                mapping.stampKeys
            )
            byEntity[entity.name] = mapping
            if !entity.description.isAbstract { byRecordType[mapping.recordType] = mapping }
            guard mapping.naturalKey != nil else { continue }
            for ancestor in sequence(first: entity.description, next: \.superentity) {
                if let name = ancestor.name { keyed.insert(name) }
            }
        }
    }

    /// The mappings of the entities that have records: those that are not abstract.
    var ofRecords: [RecordMapping] { Array(byRecordType.values) }

    /// The names of all fields with references.
    var referenceFields: Set<String> { Set(ofRecords.flatMap { $0.references.map(\.field) }) }

    /// Whether objects of an entity, or of its subentities, may have a natural key.
    func mayHaveNaturalKey(_ entityName: String) -> Bool { keyed.contains(entityName) }

    /// Whether the links of a many-to-many relationship are synced.
    func isSynced(_ link: LinkSchema) -> Bool {
        byEntity[link.sourceEntity] != nil && byEntity[link.targetEntity] != nil
            && link.source.isSynced && link.target?.isSynced == true
    }

    /// The numbers of the entities and links that are synced.
    var syncedNumbers: [Int64] {
        byEntity.values.map(\.entity.number) + schema.links.filter(isSynced).map(\.number)
    }

    /// The mapping of an entity; nil if it is not synced.
    func mapping(of entity: EntitySchema) -> RecordMapping? { byEntity[entity.name] }

    /// The mapping of a record type; nil if no entity has it.
    func mapping(recordType: String) -> RecordMapping? { byRecordType[recordType] }
}
