import Testing

@testable import CoreData

/// Models contain everything that is in the real model files from which they are read.
@Suite(.enabled(if: SharedFixtures.arePresent)) struct LosslessModelTests {
    static let files: [URL] =
        FileManager.default.enumerator(at: SharedFixtures.url, includingPropertiesForKeys: nil)?
        .compactMap { $0 as? URL }
        .filter { $0.lastPathComponent == "contents" } ?? []

    /// The XML attributes that a model keeps, and those that have no meaning outside Xcode.
    static let attributes: [String: Set<String>] = [
        "model": [
            "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
            "minimumToolsVersion", "macOSVersion", "iOSVersion", "sourceLanguage",
            "userDefinedModelVersionIdentifier",
        ],
        "entity": [
            "name", "representedClassName", "parentEntity", "isAbstract", "syncable",
            "codeGenerationType", "versionHashModifier", "elementID",
        ],
        "attribute": [
            "name", "attributeType", "optional", "transient", "indexed", "usesScalarValueType",
            "defaultValueString", "defaultDateTimeInterval", "minDateTimeInterval",
            "maxDateTimeInterval", "minValueString", "maxValueString", "regularExpressionString",
            "valueTransformerName", "customClassName", "allowsExternalBinaryDataStorage",
            "storedInTruthFile", "spotlightIndexingEnabled", "preserveAfterDeletion",
            "allowsCloudEncryption", "derived", "derivationExpression", "versionHashModifier",
            "elementID", "syncable",
        ],
        "relationship": [
            "name", "destinationEntity", "inverseName", "inverseEntity", "toMany", "minCount",
            "maxCount", "optional", "ordered", "transient", "deletionRule", "syncable",
            "versionHashModifier", "elementID", "indexed", "spotlightIndexingEnabled",
            "storedInTruthFile",
        ],
        "fetchedProperty": ["name", "optional", "syncable"],
        "fetchRequest": [
            "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
            "includeSubentities", "includePropertyValues", "includesPendingChanges",
            "returnObjectsAsFaults", "returnDistinctResults",
        ],
        "fetchIndex": ["name", "partialIndexPredicate"],
        "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
        "uniquenessConstraints": [], "uniquenessConstraint": [], "constraint": ["value"],
        "configuration": ["name"], "memberEntity": ["name"],
        "userInfo": [], "entry": ["key", "value"],
        "compoundIndexes": [], "compoundIndex": [], "index": ["value"],
        "elements": [], "element": ["name", "positionX", "positionY", "width", "height"],
    ]

    @Test("Every element and attribute in real files is known", arguments: files)
    func known(file: URL) throws {
        func check(_ node: XMLNode) throws {
            let known = try #require(Self.attributes[node.name], "\(node.name)")
            let unknown = Set(node.attributes.keys).subtracting(known)
            #expect(unknown.isEmpty, "\(node.name) on line \(node.line)")
            for child in node.children { try check(child) }
        }
        try check(XMLReader.root(of: Array(Data(contentsOf: file))))
    }

    @Test("Every entity and property in real files is in the model", arguments: files)
    func entities(file: URL) throws {
        let root = try XMLReader.root(of: Array(Data(contentsOf: file)))
        let model = try NSManagedObjectModel(readingFrom: file.deletingLastPathComponent())
        let elements = root.children(named: "entity")
        #expect(model.entities.count == elements.count)
        for element in elements {
            let entity = try #require(model.entitiesByName[element["name"] ?? ""])
            #expect(entity.isAbstract == isYes(element["isAbstract"]))
            #expect(entity.superentity?.name == element["parentEntity"])
            #expect(entity.renamingIdentifier == element["elementID"] ?? element["name"])
            #expect(entity.userInfo?.count ?? 0 == entries(of: element))
            let kinds = ["attribute", "relationship", "fetchedProperty"]
            let properties = kinds.flatMap(element.children(named:))
            #expect(entity.ownProperties.map(\.name) == properties.compactMap { $0["name"] })
            for property in properties { try compare(property, with: entity) }
            let constraints = element.children(named: "uniquenessConstraints")
                .flatMap { $0.children(named: "uniquenessConstraint") }
            #expect(
                entity.uniquenessConstraints as? [[String]]
                    == constraints.map { $0.children.compactMap { $0["value"] } })
            let indexes = element.children(named: "fetchIndex")
            #expect(entity.indexes.map(\.name) == indexes.compactMap { $0["name"] })
            #expect(entity.indexes.map(\.elements.count) == indexes.map(\.children.count))
        }
        let configurations = root.children(named: "configuration").compactMap { $0["name"] }
        #expect(Set(model.configurations) == Set(configurations))
        let requests = root.children(named: "fetchRequest").compactMap { $0["name"] }
        #expect(Set(model.fetchRequestTemplatesByName.keys) == Set(requests))
    }

    private func compare(_ node: XMLNode, with entity: NSEntityDescription) throws {
        let property = try #require(entity.propertiesByName[node["name"] ?? ""])
        #expect(property.isOptional == isYes(node["optional"]), "\(property)")
        #expect(property.renamingIdentifier == node["elementID"] ?? node["name"])
        #expect(property.versionHashModifier == node["versionHashModifier"])
        #expect(property.userInfo?.count ?? 0 == entries(of: node))
        switch property {
        case let attribute as NSAttributeDescription:
            let bounds = ["min", "max"].flatMap {
                [node["\($0)ValueString"], node["\($0)DateTimeInterval"]]
            }
            let rules = (bounds + [node["regularExpressionString"]]).compactMap { $0 }
            #expect(attribute.validationPredicates.count == rules.count)
            #expect(attribute.isTransient == isYes(node["transient"]))
            let hasDefault =
                (node["defaultValueString"] ?? node["defaultDateTimeInterval"]) != nil
            #expect((attribute.defaultValue != nil) == hasDefault, "\(attribute)")
            #expect((attribute is NSDerivedAttributeDescription) == isYes(node["derived"]))
            #expect(attribute.valueTransformerName == node["valueTransformerName"])
        case let relationship as NSRelationshipDescription:
            #expect(relationship.destinationEntity?.name == node["destinationEntity"])
            #expect(relationship.inverseRelationship?.name == node["inverseName"])
            #expect(relationship.isToMany == isYes(node["toMany"]), "\(relationship)")
            #expect(relationship.isOrdered == isYes(node["ordered"]))
            #expect(node["minCount"] == nil || String(relationship.minCount) == node["minCount"])
            #expect(node["maxCount"] == nil || String(relationship.maxCount) == node["maxCount"])
        case let fetched as NSFetchedPropertyDescription:
            let request = try #require(node.children(named: "fetchRequest").first)
            #expect(fetched.fetchRequest?.entityName == request["entity"])
            #expect((fetched.fetchRequest?.predicate != nil) == (request["predicateString"] != nil))
        default:
            Issue.record("\(property)")
        }
    }

    private func isYes(_ text: String?) -> Bool { text == "YES" }

    private func entries(of node: XMLNode) -> Int {
        node.children(named: "userInfo").flatMap { $0.children(named: "entry") }.count
    }
}
