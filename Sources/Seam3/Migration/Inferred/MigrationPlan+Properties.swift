import CoreData

/// What the old model had, compared with the present properties.
extension MigrationPlan {
    /// The properties of an old entity that the new one lacks.
    func removedProperties(of entity: String, _ old: ModelSnapshot.Entity) -> [String] {
        let kept = Set(keptProperties(of: entity))
        return old.owners.keys.filter { !kept.contains($0) }.sorted()
    }

    /// Refuses a relationship none of whose old destinations is a destination in the new model.
    func check(
        _ relationship: NSRelationshipDescription, _ oldRelationship: ModelSnapshot.Relationship,
        path: String
    ) throws {
        guard let destination = relationship.destinationEntity else { return }
        let oldFamily = old.family(of: oldRelationship.destination)
        guard oldDestinations(in: destination).contains(where: oldFamily.contains)
        else { throw Refusal(reason: "the destination of \(path) has changed") }
    }

    /// The old names of an entity and all its descendants, as far as the old model had them.
    private func oldDestinations(in entity: NSEntityDescription) -> [String] {
        ([entity] + entity.descendants).compactMap { oldEntity(of: $0.name ?? "")?.name }
    }

    /// The old columns of an entity's properties, with their keys in the assigned names.
    func columns(
        of entity: EntitySchema
    ) -> [(key: String, column: OldColumn, conversion: AttributeConversion?)] {
        var columns: [(String, OldColumn, AttributeConversion?)] = []
        for attribute in entity.attributes {
            guard let column = oldColumn(of: attribute.name, in: entity.name) else { continue }
            columns.append(
                (
                    entity.description.qualifiedName(of: attribute.name), column,
                    column.kind.flatMap { AttributeConversion(from: $0, to: attribute.kind) }
                ))
        }
        for toOne in entity.toOnes {
            for suffix in toOne.orderColumn == nil ? [""] : ["", "_order"] {
                guard let column = oldColumn(of: toOne.name, in: entity.name, suffix: suffix)
                else { continue }
                columns.append(("\(toOne.owner).\(toOne.name)\(suffix)", column, nil))
            }
        }
        return columns
    }

    /// The changes of an attribute's settings that its field does not allow. An empty column proves
    /// nothing about the field here: other devices may have sent values that this one has not fetched,
    /// or cannot read.
    static func settingChanges(
        of column: AttributeColumn, _ old: ModelSnapshot.Attribute
    ) -> [String] {
        var changes: [String] = []
        if let wasExternal = old.isExternal, wasExternal != column.isExternal {
            changes.append("\(column.isExternal ? "" : "no longer ")allows external storage")
        }
        if old.isEncrypted != column.isEncrypted {
            changes.append("is \(column.isEncrypted ? "" : "no longer ")encrypted")
        }
        return changes
    }

    /// The change of a relationship from one-to-one to one-to-many: devices with the old model would remove all
    /// but one of the links that devices with the new one add to an object.
    func settingChanges(
        of relationship: NSRelationshipDescription, _ old: ModelSnapshot.Relationship,
        _ entity: EntitySchema, _ oldEntity: ModelSnapshot.Entity
    ) -> [RecordChange] {
        guard old.isOneToOne, !relationship.isToMany,
            let inverse = relationship.inverseRelationship, inverse.isToMany,
            oldEntity.syncedProperties.contains(old.name), isSynced(relationship.name, in: entity),
            newField(of: relationship.name, entity, old.name, in: oldEntity) == nil,
            let field = oldEntity.fields[old.name]
        else { return [] }
        return [
            RecordChange(
                oldEntity: oldEntity.name, column: nil,
                reason: Self.reasonForAnotherField(
                    ofFormerOneToOne: "\(entity.name).\(relationship.name)", field))
        ]
    }

    /// Why a relationship that was one-to-one and is one-to-many needs another field.
    static func reasonForAnotherField(ofFormerOneToOne path: String, _ field: String) -> String {
        "\(path) was one-to-one, and devices with the former model would remove further links from its field"
            + " \(field) in CloudKit: give it another field with the user info key \(UserInfoKey.fieldName)"
    }

    /// Why a new model is refused that gives names which migrations have pinned to something else; nil if it does not.
    static func reasonForOtherNames(in schema: StoreSchema) -> String? {
        let shared = ModelCheck.sharedNames(in: schema)
        if shared.isEmpty { return nil }
        return shared.joined(separator: "; ")
            + ": give it another one with the user info key \(UserInfoKey.fieldName) or \(UserInfoKey.recordType)"
    }

    /// The fields in which devices with the old model, or an older one, store the destination of a relationship that
    /// is to-many now.
    func formerReferences(
        of property: String, _ entity: EntitySchema, _ oldName: String,
        in old: ModelSnapshot.Entity
    ) -> [AssignedNames.FormerField] {
        let owner = old.owners[oldName] ?? old.name
        let known = oldAssignedNames.formerFields["\(owner).\(oldName)"] ?? []
        guard let name = oldReference(property, in: entity.name), let field = old.fields[name]
        else { return known.filter { $0.type == nil } }
        return known.filter { $0.type == nil && $0.name != field }
            + [AssignedNames.FormerField(name: field, type: nil, isEncrypted: false)]
    }

    /// The old name of a relationship whose links were references that devices with the old model have sent; nil if
    /// they were not.
    func oldReference(_ property: String, in entity: String) -> String? {
        guard let old = oldEntity(of: entity),
            let relationship = oldRelationship(property, in: entity), !relationship.isToMany,
            old.syncedProperties.contains(relationship.name)
        else { return nil }
        guard relationship.isOneToOne,
            let destination = self.old.entity(named: relationship.destination)
        else { return relationship.name }
        // Of a one-to-one relationship, the end that sorts first decides.
        func path(_ name: String, _ entity: ModelSnapshot.Entity) -> String {
            let owner = entity.owners[name] ?? entity.name
            let recordType = self.old.entity(named: owner)?.recordType ?? owner
            return "\(recordType).\(entity.fields[name] ?? name)"
        }
        let decides = path(relationship.name, old) <= path(relationship.inverse, destination)
        return decides ? relationship.name : nil
    }

    // MARK: - What the old model could not hold

    /// The synced attributes and to-one relationships, with their places in orders, of which records may have
    /// values that the old model did not have, or could not hold.
    func unreadProperties(of entity: EntitySchema) -> Set<String> {
        guard extendedEntities.contains(entity.name), let old = oldEntity(of: entity.name) else {
            return []
        }
        func syncedName(_ name: String) -> String? {
            oldName(of: name, in: entity.name).flatMap {
                old.syncedProperties.contains($0) ? $0 : nil
            }
        }
        let attributes = entity.attributes.filter { attribute in
            guard let oldName = syncedName(attribute.name) else { return true }
            return old.attribute(named: oldName).map { Self.mayBeUnread(attribute, $0) } ?? false
        }
        let toOnes = entity.toOnes.filter { toOne in
            guard let oldName = syncedName(toOne.name) else { return true }
            return old.relationship(named: oldName).map {
                mayBeUnread(toOne.relationship, $0, of: entity.name)
            } ?? false
        }
        let names = attributes.map(\.name) + toOnes.flatMap { [$0.name, $0.orderName] }
        return Set(names.filter { isSynced($0, in: entity) })
    }

    /// Whether records may have values of an attribute that the old model could not hold: of
    /// another type, with more digits, or none where it required one.
    static func mayBeUnread(_ column: AttributeColumn, _ old: ModelSnapshot.Attribute) -> Bool {
        old.kind != column.kind || column.isOptional && old.isOptional != true
    }

    /// Whether records may have destinations of a to-one relationship, or places in its inverse's
    /// order, that the old model could not hold.
    func mayBeUnread(
        _ relationship: NSRelationshipDescription, _ old: ModelSnapshot.Relationship,
        of entity: String
    ) -> Bool {
        let inverse = relationship.inverseRelationship
        let isOrderNew =
            inverse?.isOrdered == true
            && oldColumn(of: relationship.name, in: entity, suffix: "_order") == nil
        return isOrderNew || old.isInverseToMany != inverse?.isToMany
            || hasMoreDestinations(relationship, old)
    }

    /// Whether links may have ends that the old model could not hold.
    func mayBeUnread(_ link: LinkSchema) -> Bool {
        [(link.source, link.sourceEntity), (link.target, link.targetEntity)].contains {
            end, entity in
            guard let end, let old = oldRelationship(end.name, in: entity) else { return false }
            return hasMoreDestinations(end, old)
        }
    }

    /// Whether objects of the old model are destinations that it did not allow. New entities do not
    /// count: their records were not read, so references to them are kept until they arrive.
    private func hasMoreDestinations(
        _ relationship: NSRelationshipDescription, _ oldRelationship: ModelSnapshot.Relationship
    ) -> Bool {
        let known = old.family(of: oldRelationship.destination)
        let destinations = relationship.destinationEntity.map(oldDestinations) ?? []
        return !known.isSuperset(of: destinations)
    }
}
