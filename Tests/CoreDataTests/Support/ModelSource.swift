import CoreData
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Creates a model from the contents of the model element in Xcode's source: entities with their
/// attributes and relationships. Core Data itself only reads compiled models.
func makeModel(_ body: String) throws -> NSManagedObjectModel {
    let source = ModelSource()
    let parser = XMLParser(data: Data("<model>\(body)</model>".utf8))
    parser.delegate = source
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    return try source.model()
}

private final class ModelSource: NSObject, XMLParserDelegate {
    private struct Element {
        let name: String
        let values: [String: String]

        func flag(_ key: String) -> Bool { values[key] == "YES" }
    }

    private var entities: [(element: Element, properties: [Element])] = []

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
    ) {
        let element = Element(name: elementName, values: attributeDict)
        switch elementName {
        case "entity": entities.append((element, []))
        case "attribute", "relationship":
            entities[entities.count - 1].properties.append(element)
        case "model": break
        default: Issue.record("A model of tests has no element \(elementName).")
        }
    }

    func model() throws -> NSManagedObjectModel {
        var made: [String: NSEntityDescription] = [:]
        for (element, _) in entities {
            let entity = NSEntityDescription()
            entity.name = element.values["name"]
            entity.isAbstract = element.flag("isAbstract")
            entity.renamingIdentifier = element.values["elementID"]
            made[try #require(entity.name)] = entity
        }
        for (element, properties) in entities {
            let entity = try #require(made[element.values["name"] ?? ""])
            entity.properties = try properties.map { property in
                property.name == "attribute"
                    ? try Self.attribute(property) : try Self.relationship(property, made)
            }
            if let parent = element.values["parentEntity"] {
                try #require(made[parent]).subentities.append(entity)
            }
        }
        try connectInverses(made)
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { made[$0.element.values["name"] ?? ""] }
        return model
    }

    private static let types: [String: NSAttributeType] = [
        "Integer 16": .integer16AttributeType, "Integer 32": .integer32AttributeType,
        "Integer 64": .integer64AttributeType, "Decimal": .decimalAttributeType,
        "Double": .doubleAttributeType, "Float": .floatAttributeType,
        "Boolean": .booleanAttributeType, "String": .stringAttributeType,
        "Date": .dateAttributeType,
    ]

    private static func attribute(_ element: Element) throws -> NSPropertyDescription {
        let attribute = NSAttributeDescription()
        attribute.name = element.values["name"] ?? ""
        attribute.isOptional = element.flag("optional")
        attribute.isTransient = element.flag("transient")
        attribute.renamingIdentifier = element.values["elementID"]
        guard let type = element.values["attributeType"] else { return attribute }
        attribute.attributeType = try #require(Self.types[type], "\(type)")
        if let text = element.values["defaultValueString"] {
            attribute.defaultValue = type == "String" ? text : NSNumber(value: Int(text) ?? 0)
        }
        return attribute
    }

    private static func relationship(
        _ element: Element, _ entities: [String: NSEntityDescription]
    ) throws -> NSPropertyDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = element.values["name"] ?? ""
        relationship.isOptional = element.flag("optional")
        relationship.renamingIdentifier = element.values["elementID"]
        relationship.isOrdered = element.flag("ordered")
        relationship.maxCount = element.flag("toMany") ? 0 : 1
        relationship.deleteRule =
            element.values["deletionRule"] == "Cascade" ? .cascadeDeleteRule : .nullifyDeleteRule
        relationship.destinationEntity = entities[element.values["destinationEntity"] ?? ""]
        return relationship
    }

    private func connectInverses(_ made: [String: NSEntityDescription]) throws {
        for (element, properties) in entities {
            let own = made[element.values["name"] ?? ""]?.relationshipsByName
            for property in properties {
                guard let inverse = property.values["inverseName"] else { continue }
                let other = made[property.values["inverseEntity"] ?? ""]?.relationshipsByName
                own?[property.values["name"] ?? ""]?.inverseRelationship =
                    try #require(other?[inverse])
            }
        }
    }
}
