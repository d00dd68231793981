import CoreData

/// The archive of a model in the form that Xcode's editor uses. A mapping model contains two.
public struct EditedModelArchive {
    private let model: NSManagedObjectModel

    /// - Parameter model: The model.
    public init(_ model: NSManagedObjectModel) {
        self.model = model
    }

    /// The value that a mapping model contains in Base64.
    public var data: Data {
        KeyedArchiveWriter.archive(
            .object(
                "XDPMModel",
                [
                    "_xd_rootPackage": .object(
                        "XDModelPackage",
                        [
                            "XDBucketForClassesstorage": .dictionary(
                                model.entities.map { ($0.name ?? "", entity($0)) })
                        ])
                ]))
    }

    private func entity(_ entity: NSEntityDescription) -> ArchiveValue {
        let name = entity.name ?? ""
        let inherited = entity.superentity?.propertiesByName ?? [:]
        let own = entity.properties.filter { inherited[$0.name] == nil }
        let parents: [ArchiveValue] =
            entity.superentity.map { parent in
                [
                    .object(
                        "XDUMLGeneralizationImp",
                        ["_specific": .label(name), "_general": .label(parent.name ?? "")])
                ]
            } ?? []
        return .labeled(
            name, "XDPMEntity",
            [
                "_name": .string(name),
                "XDBucketForGeneralizationsstorage": .array(parents),
                "XDBucketForOwnedAttributesstorage": .dictionary(
                    own.map { ($0.name, property($0, of: name)) }),
                "XDBucketForStereotypesstorage": stereotypes([
                    "XD_PSK_isAbstract": .boolean(entity.isAbstract),
                    "XD_PSK_versionHashModifier": entity.versionHashModifier.map { .string($0) },
                    "XDPMUniquenessConstraints": .array(
                        entity.uniquenessConstraints.map { constraint in
                            .array(constraint.map { .string("\($0)") })
                        }),
                ]),
            ])
    }

    private func property(_ property: NSPropertyDescription, of entity: String) -> ArchiveValue {
        var settings: [String: ArchiveValue?] = [
            "XD_PPSK_isOptional": .boolean(property.isOptional),
            "XD_PPSK_isTransient": .boolean(property.isTransient),
            "XD_PPSK_versionHashModifier": property.versionHashModifier.map { .string($0) },
        ]
        var type = "XDPMFetchedProperty"
        if let attribute = property as? NSAttributeDescription {
            type = "XDPMAttribute"
            settings["XD_PAttK_attributeType"] = .integer(Int(attribute.attributeType.rawValue))
            settings["XD_PAttK_allowsExternalBinaryDataStorage"] = .boolean(
                attribute.allowsExternalBinaryDataStorage)
            settings["XD_PAttK_valueTransformerName"] = attribute.valueTransformerName.map {
                .string($0)
            }
            if let derived = attribute as? NSDerivedAttributeDescription {
                settings["XD_PAttK_derivationExpression"] =
                    derived.derivationExpression.map { .string($0.description) }
            }
        } else if let relationship = property as? NSRelationshipDescription {
            type = "XDPMRelationship"
            let destination = relationship.destinationEntity?.name ?? ""
            settings["XD_PRK_destination"] = .label(destination)
            settings["XD_PRK_inverseRelationship"] = relationship.inverseRelationship.map {
                .label("\(destination).\($0.name)")
            }
            settings["XD_PRK_minCount"] = .integer(relationship.minCount)
            settings["XD_PRK_maxCount"] = .integer(relationship.maxCount)
            settings["XD_PRK_ordered"] = .boolean(relationship.isOrdered)
            settings["XD_PRK_deleteRule"] = .integer(Int(relationship.deleteRule.rawValue))
        }
        return .labeled(
            "\(entity).\(property.name)", type,
            [
                "_name": .string(property.name),
                "XDBucketForStereotypesstorage": stereotypes(settings),
            ])
    }

    private func stereotypes(_ settings: [String: ArchiveValue?]) -> ArchiveValue {
        let values = settings.compactMapValues(\.self).sorted { $0.key < $1.key }
        return .dictionary([
            (
                "XD_PStereotype",
                .object(
                    "XDUMLStereotypeImp",
                    [
                        "XDBucketForOwnedAttributesstorage": .dictionary(
                            values.map { name, value in
                                let fields = ["_name": .string(name), "_default": value]
                                return (name, .object("XDUMLPropertyImp", fields))
                            })
                    ])
            )
        ])
    }
}
