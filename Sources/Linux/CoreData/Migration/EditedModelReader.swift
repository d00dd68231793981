import FoundationGaps

/// Reads the copy of a model that Xcode stores in a mapping model: an archive of the editor's
/// objects. The settings of the model are spread over the stereotypes of its elements.
struct EditedModelReader {
    /// Why a copy could not be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var entities: [Int: NSEntityDescription] = [:]

    /// The model in an archive, as far as it affects version hashes; nil if it contains unknown
    /// parts.
    static func read(_ archive: KeyedArchive) throws -> NSManagedObjectModel? {
        guard let model = archive.object(), model.className == "XDPMModel",
            let package = model.object("_xd_rootPackage")
        else { throw Failure(description: "the archived object is not a model") }
        let elements = package.entries("XDBucketForClassesstorage").map(\.object)
        guard elements.flatMap({ [$0] + $0.ownedElements }).allSatisfy(\.isKnown) else {
            return nil
        }
        var reader = EditedModelReader()
        let result = try reader.model(of: elements)
        if archive.isExhausted { throw Failure(description: "it contains its parts too often") }
        if let problem = result.entities.problem { throw Failure(description: problem) }
        return result
    }

    private mutating func model(of elements: [ArchivedObject]) throws -> NSManagedObjectModel {
        for element in elements {
            let entity = NSEntityDescription()
            entity.name = element.string("_name")
            entity.isAbstract = element.setting("XD_PSK_isAbstract")?.boolean ?? false
            entity.versionHashModifier = element.setting("XD_PSK_versionHashModifier")?.string
            entities[element.index] = entity
        }
        let parents = elements.compactMap { element in
            element.generalObject.map { (element.index, $0.index) }
        }
        guard InheritanceLines.tooLong(Dictionary(parents) { $1 }) == nil else {
            throw Failure(description: "an entity inherits from itself, or has too many ancestors")
        }
        for element in elements { try readInheritance(element) }
        for element in elements {
            entities[element.index]?.properties = try element.ownedElements.compactMap(property)
        }
        for element in elements { linkRelationships(element) }
        for element in elements {
            entities[element.index]?.uniquenessConstraints =
                element.setting("XDPMUniquenessConstraints")?.lists ?? []
        }
        let model = NSManagedObjectModel()
        model.entities = elements.compactMap { entities[$0.index] }
        return model
    }

    private func readInheritance(_ element: ArchivedObject) throws {
        guard let general = element.generalObject else { return }
        guard let entity = entities[element.index], let parent = entities[general.index],
            !parent.isKindOf(entity: entity)
        else {
            throw Failure(description: "the parent of an entity is missing or inherits from it")
        }
        parent.subentities.append(entity)
    }

    // MARK: - Properties

    private func property(_ element: ArchivedObject) throws -> NSPropertyDescription? {
        let property: NSPropertyDescription
        switch element.className {
        case "XDPMAttribute": property = try attribute(element)
        case "XDPMRelationship": property = try relationship(element)
        default: return nil
        }
        guard let name = element.string("_name"), !name.isEmpty else {
            throw Failure(description: "a property has no name")
        }
        property.name = name
        property.isOptional = element.setting("XD_PPSK_isOptional")?.boolean ?? false
        property.isTransient = element.setting("XD_PPSK_isTransient")?.boolean ?? false
        property.versionHashModifier = element.setting("XD_PPSK_versionHashModifier")?.string
        return property
    }

    private func attribute(_ element: ArchivedObject) throws -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        let number = element.setting("XD_PAttK_attributeType")?.integer ?? 0
        guard let type = UInt(exactly: number).flatMap(NSAttributeType.init) else {
            throw Failure(description: "\(number) is not a type of attribute")
        }
        attribute.attributeType = type
        attribute.allowsExternalBinaryDataStorage =
            element.setting("XD_PAttK_allowsExternalBinaryDataStorage")?.boolean ?? false
        attribute.valueTransformerName = element.setting("XD_PAttK_valueTransformerName")?.string
        return attribute
    }

    private func relationship(_ element: ArchivedObject) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.minCount = element.setting("XD_PRK_minCount")?.integer ?? 0
        relationship.maxCount = max(0, element.setting("XD_PRK_maxCount")?.integer ?? 0)
        relationship.isOrdered = element.setting("XD_PRK_ordered")?.boolean ?? false
        let rule = element.setting("XD_PRK_deleteRule")?.integer ?? 0
        guard let deleteRule = UInt(exactly: rule).flatMap(NSDeleteRule.init) else {
            throw Failure(description: "\(rule) is not a deletion rule")
        }
        relationship.deleteRule = deleteRule
        relationship.destinationEntity = element.setting("XD_PRK_destination")?.object
            .flatMap { entities[$0.index] }
        return relationship
    }

    private func linkRelationships(_ element: ArchivedObject) {
        let relationships = entities[element.index]?.relationshipsByName ?? [:]
        for owned in element.ownedElements where owned.className == "XDPMRelationship" {
            let relationship = owned.string("_name").flatMap { relationships[$0] }
            guard let inverse = owned.setting("XD_PRK_inverseRelationship")?.object,
                let name = inverse.string("_name"), let relationship
            else { continue }
            relationship.inverseRelationship =
                relationship.destinationEntity?.relationshipsByName[name]
        }
    }
}

extension ArchivedObject {
    /// The entity that an entity inherits from.
    fileprivate var generalObject: ArchivedObject? {
        objects("XDBucketForGeneralizationsstorage").first?.object("_general")
    }

    /// The properties of an entity.
    fileprivate var ownedElements: [ArchivedObject] {
        entries("XDBucketForOwnedAttributesstorage").map(\.object)
    }

    /// Whether all parts of an element that affect version hashes are known here.
    fileprivate var isKnown: Bool {
        switch className {
        case "XDPMEntity", "XDPMRelationship", "XDPMFetchedProperty": true
        case "XDPMAttribute":
            !boolean("_isDerived")
                && setting("XD_PAttK_attributeType")?.integer
                    != Int(NSAttributeType.compositeAttributeType.rawValue)
                && !settings.contains { $0.name.lowercased().contains("deriv") && $0.isSet }
        default: false
        }
    }

    private var settings: [Setting] {
        entries("XDBucketForStereotypesstorage").flatMap { stereotype in
            stereotype.object.ownedElements.map { Setting(owner: $0) }
        }
    }

    /// The setting of an element with a name.
    fileprivate func setting(_ name: String) -> Setting? {
        settings.first { $0.name == name }
    }
}

/// One setting of an element in an edited model.
private struct Setting {
    let owner: ArchivedObject

    private static let key = "_default"

    var name: String { owner.string("_name") ?? "" }
    var isSet: Bool { string != nil || boolean || object != nil }
    var string: String? { owner.string(Self.key).flatMap { $0.isEmpty ? nil : $0 } }
    var boolean: Bool { owner.boolean(Self.key) }
    var integer: Int? { owner.integer(Self.key) }
    var object: ArchivedObject? { owner.object(Self.key) }
    var lists: [[String]] { owner.objects(Self.key).map(\.elementStrings) }
}
