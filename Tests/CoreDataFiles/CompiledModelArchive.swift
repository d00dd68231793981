import CoreData

/// The archive of a model as Xcode compiles it, and as Core Data stores it in a store's file.
public struct CompiledModelArchive {
    /// The class under which the strings of properties and entities are archived.
    ///
    /// Models that were created or changed in code, and those of some versions of Xcode, have
    /// mutable strings.
    public var mutableStrings = false
    private let model: NSManagedObjectModel

    /// - Parameter model: The model.
    public init(_ model: NSManagedObjectModel) {
        self.model = model
    }

    /// The contents of a `.mom` file.
    public var data: Data {
        let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.map {
            ($0.name ?? "", entity($0))
        }
        return KeyedArchiveWriter.archive(
            .object(
                "NSManagedObjectModel",
                ["NSEntities": .dictionary(entities), "NSVersionIdentifiers": []]))
    }

    /// The value in `Z_MODELCACHE`: the same contents as a raw DEFLATE stream, here of stored
    /// blocks.
    public var packed: Data {
        var packed = Data()
        var rest = data[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            packed.append(rest.isEmpty ? 1 : 0)
            let count = UInt16(block.count)
            for number in [count, ~count] {
                packed.append(contentsOf: [UInt8(number & 0xFF), UInt8(number >> 8)])
            }
            packed.append(block)
        } while !rest.isEmpty
        return packed
    }

    private func string(_ text: String) -> ArchiveValue {
        mutableStrings ? .object("NSMutableString", ["NS.string": .string(text)]) : .string(text)
    }

    private func entity(_ entity: NSEntityDescription) -> ArchiveValue {
        let inherited = entity.superentity?.propertiesByName ?? [:]
        let own = entity.propertiesByName.filter { inherited[$0.key] == nil }
        var fields: [String: ArchiveValue] = [
            "NSEntityName": .string(entity.name ?? ""), "NSIsAbstract": .boolean(entity.isAbstract),
            "NSClassNameForEntity": "NSManagedObject",
            "NSProperties": .dictionary(
                own.sorted { $0.key < $1.key }.compactMap { name, property in
                    self.property(property).map { (name, $0) }
                }),
        ]
        let indexes = entity.compoundIndexes.map { members in
            ArchiveValue.array(
                members.map { .string(($0 as? NSPropertyDescription)?.name ?? "\($0)") })
        }
        if !indexes.isEmpty { fields["NSCompoundIndexes"] = .array(indexes) }
        if let parent = entity.superentity?.name { fields["NSSuperentity"] = .label(parent) }
        if let identifier = entity.renamingIdentifier, identifier != entity.name {
            fields["NSRenamingIdentifier"] = string(identifier)
        }
        if let modifier = entity.versionHashModifier {
            fields["NSVersionHashModifier"] = string(modifier)
        }
        return .labeled(entity.name ?? "", "NSEntityDescription", fields)
    }

    private func property(_ property: NSPropertyDescription) -> ArchiveValue? {
        var fields: [String: ArchiveValue] = [
            "NSPropertyName": .string(property.name),
            "NSIsOptional": .boolean(property.isOptional),
            "NSIsTransient": .boolean(property.isTransient),
            "NSIsIndexed": .boolean(property.isIndexed),
        ]
        if let identifier = property.renamingIdentifier, identifier != property.name {
            fields["NSRenamingIdentifier"] = string(identifier)
        }
        if let modifier = property.versionHashModifier {
            fields["NSVersionHashModifier"] = string(modifier)
        }
        if let attribute = property as? NSAttributeDescription {
            fields["NSAttributeType"] = .integer(Int(attribute.attributeType.rawValue))
            fields["NSFlagsKey"] = .integer(attribute.allowsExternalBinaryDataStorage ? 4 : 0)
            if let name = attribute.valueTransformerName {
                fields["NSValueTransformerName"] = string(name)
            }
            guard let elements = attribute.elementsIfComposite else {
                return .object("NSAttributeDescription", fields)
            }
            fields["NSElements"] = .array(elements.compactMap(self.property))
            return .object("NSCompositeAttributeDescription", fields)
        }
        guard let relationship = property as? NSRelationshipDescription else { return nil }
        fields["NSMinCount"] = .integer(relationship.minCount)
        fields["NSMaxCount"] = .integer(relationship.maxCount)
        fields["NSIsOrdered"] = .boolean(relationship.isOrdered)
        fields["NSDeleteRule"] = .integer(Int(relationship.deleteRule.rawValue))
        fields["NSDestinationEntity"] = .label(relationship.destinationEntity?.name ?? "")
        if let inverse = relationship.inverseRelationship {
            fields["_NSInverseRelationshipName"] = .string(inverse.name)
        }
        return .object("NSRelationshipDescription", fields)
    }
}
