import CoreData

/// The contents of a model, in the lines that `Tests/AdoptionReader/models.py` prints.
struct ModelDump {
    let lines: [String]

    init(_ model: NSManagedObjectModel) {
        lines = model.entities.flatMap(Self.lines)
    }

    private static func lines(of entity: NSEntityDescription) -> [String] {
        let name = entity.name ?? ""
        var lines = [
            "E \(name) abstract=\(digit(entity.isAbstract))"
                + " parent=\(entity.superentity?.name ?? "-")"
                + " id=\(entity.renamingIdentifier ?? "-")"
        ]
        for property in entity.properties where property.entity === entity {
            let path = "\(name).\(property.name)"
            if property is NSFetchedPropertyDescription {
                lines.append("F \(path)")
                continue
            }
            if let attribute = property as? NSAttributeDescription {
                lines.append("A \(path) " + text(of: attribute))
            } else if let relationship = property as? NSRelationshipDescription {
                lines.append("R \(path) " + text(of: relationship))
            }
            lines.append("I \(path) \(property.renamingIdentifier ?? "-")")
        }
        let parents = entity.superentity?.uniquenessConstraints.map { "\($0)" } ?? []
        for constraint in entity.uniquenessConstraints where !parents.contains("\(constraint)") {
            lines.append("U \(name) \(constraint.map { "\($0)" }.joined(separator: ","))")
        }
        return lines.map { $0.replacingOccurrences(of: "\n", with: " ") }
    }

    private static func text(of attribute: NSAttributeDescription) -> String {
        "\(types[attribute.attributeType] ?? "?") optional=\(digit(attribute.isOptional))"
            + " transient=\(digit(attribute.isTransient))"
            + " external=\(digit(attribute.allowsExternalBinaryDataStorage))"
            + " derived=\(digit(attribute is NSDerivedAttributeDescription))"
            + " default\(defaultText(of: attribute))"
    }

    private static func text(of relationship: NSRelationshipDescription) -> String {
        "to=\(relationship.destinationEntity?.name ?? "-")"
            + " inverse=\(relationship.inverseRelationship?.name ?? "-")"
            + " rule=\(rules[relationship.deleteRule] ?? "?")"
            + " min=\(relationship.minCount) max=\(relationship.maxCount)"
            + " ordered=\(digit(relationship.isOrdered))"
            + " optional=\(digit(relationship.isOptional))"
            + " transient=\(digit(relationship.isTransient))"
    }

    private static func defaultText(of attribute: NSAttributeDescription) -> String {
        switch (attribute.attributeType, attribute.defaultValue) {
        case (_, nil): "-"
        case (.booleanAttributeType, let flag as Bool): "=\(digit(flag))"
        case (.doubleAttributeType, let number as Double): "=\(number)"
        case (.floatAttributeType, let number as Float): "=\(Double(number))"
        case (_, let date as Date): "=\(date.timeIntervalSinceReferenceDate)"
        case (_, let address as URL): "=\(address.absoluteString)"
        case (_, let value?): "=\(value)"
        }
    }

    private static func digit(_ flag: Bool) -> String { flag ? "1" : "0" }

    private static let rules: [NSDeleteRule: String] = [
        .noActionDeleteRule: "No Action", .nullifyDeleteRule: "Nullify",
        .cascadeDeleteRule: "Cascade", .denyDeleteRule: "Deny",
    ]

    private static let types: [NSAttributeType: String] = [
        .undefinedAttributeType: "Undefined", .integer16AttributeType: "Integer 16",
        .integer32AttributeType: "Integer 32", .integer64AttributeType: "Integer 64",
        .decimalAttributeType: "Decimal", .doubleAttributeType: "Double",
        .floatAttributeType: "Float", .stringAttributeType: "String",
        .booleanAttributeType: "Boolean", .dateAttributeType: "Date",
        .binaryDataAttributeType: "Binary", .UUIDAttributeType: "UUID", .URIAttributeType: "URI",
        .transformableAttributeType: "Transformable", .compositeAttributeType: "Composite",
    ]
}
