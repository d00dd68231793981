import CoreData
import CoreDataFiles
import SeamSQLite
import SeededRandom

/// Consecutive random versions of a model, and the objects in each after a chain of lightweight
/// migrations.
///
/// Everything that is renamed has a canonical name, which is its first one.
struct ModelChain {
    struct Attribute: Equatable {
        let canonical: String
        var name: String
    }

    struct Entity: Equatable {
        let canonical: String
        var name: String
        let parent: String?
        var attributes: [Attribute]
    }

    /// A relationship between two root entities, with the names of its ends.
    struct Relationship: Equatable {
        let source: String
        let target: String
        var name: Attribute
        var inverse: Attribute
        /// Whether the source has many destinations, or one.
        let isToMany: Bool
        let isInverseToMany: Bool
    }

    struct Version {
        var entities: [Entity]
        var relationships: [Relationship]
        var objects: [Object]
    }

    struct Object: Equatable {
        let key: String
        let entity: String
        /// Canonical name → value.
        var values: [String: String]
        /// Canonical name of a source's relationship → the keys of its destinations.
        var links: [String: Set<String>]
    }

    private(set) var versions: [Version] = []
    private var random: SeededGenerator
    private var counter = 0
    private var formerNames: [String] = []

    /// - Parameters:
    ///   - seed: The seed.
    ///   - count: The number of versions.
    init(seed: UInt64, count: Int) {
        random = SeededGenerator(seed: seed)
        versions = [first()]
        while versions.count < count {
            var next = versions[versions.count - 1]
            for _ in 0..<Int.random(in: 1...4, using: &random) { change(&next) }
            versions.append(next)
        }
    }

    // MARK: - Creation

    private mutating func first() -> Version {
        func attributes(_ names: String...) -> [Attribute] {
            names.map { Attribute(canonical: $0, name: $0) }
        }
        func end(_ name: String) -> Attribute { Attribute(canonical: name, name: name) }
        let entities = [
            Entity(
                canonical: "House", name: "House", parent: nil,
                attributes: attributes("key", "street", "city")),
            Entity(
                canonical: "Person", name: "Person", parent: nil,
                attributes: attributes("key", "first", "last")),
            Entity(
                canonical: "Guest", name: "Guest", parent: "Person",
                attributes: attributes("until", "note")),
            Entity(
                canonical: "Owner", name: "Owner", parent: "Person",
                attributes: attributes("since")),
            Entity(
                canonical: "Tag", name: "Tag", parent: nil, attributes: attributes("key", "color")),
        ]
        let relationships = [
            Relationship(
                source: "Person", target: "House", name: end("house"), inverse: end("people"),
                isToMany: false, isInverseToMany: true),
            Relationship(
                source: "Person", target: "Tag", name: end("tags"), inverse: end("bearers"),
                isToMany: true, isInverseToMany: true),
        ]
        return Version(
            entities: entities, relationships: relationships, objects: objects(of: entities))
    }

    private mutating func objects(of entities: [Entity]) -> [Object] {
        var objects: [Object] = []
        for entity in entities {
            let parent = entities.first { $0.canonical == entity.parent }
            for number in 1...3 {
                let key = "\(entity.canonical)\(number)"
                var object = Object(key: key, entity: entity.canonical, values: [:], links: [:])
                for attribute in (parent?.attributes ?? []) + entity.attributes {
                    object.values[attribute.canonical] =
                        attribute.canonical == "key" ? key : "\(key).\(attribute.canonical)"
                }
                if entity.canonical == "Person" || parent != nil {
                    object.links["house"] = ["House\(Int.random(in: 1...3, using: &random))"]
                    object.links["tags"] = Set(
                        (1...3).filter { _ in Bool.random(using: &random) }.map { "Tag\($0)" })
                }
                objects.append(object)
            }
        }
        return objects
    }

    // MARK: - Changes

    private mutating func change(_ version: inout Version) {
        let index = Int.random(in: version.entities.indices, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: renameEntity(index, &version)
        case 2, 3: renameAttribute(index, &version)
        case 4: exchangeNames(index, &version)
        case 5: moveUp(&version)
        case 6: add(index, &version)
        case 7: remove(index, &version)
        default: renameRelationship(&version)
        }
    }

    /// An unused name: a new one, the former name of something else, or the original name.
    private mutating func name(for canonical: String, taken: Set<String>) -> String {
        counter += 1
        let candidates = [canonical, formerNames.randomElement(using: &random), "name\(counter)"]
            .compactMap { $0 }.filter { !taken.contains($0) }
        return candidates.randomElement(using: &random) ?? "name\(counter)"
    }

    private func names(in version: Version) -> Set<String> {
        Set(
            version.entities.flatMap { $0.attributes.flatMap { [$0.name, $0.canonical] } }
                + version.relationships.flatMap {
                    [$0.name.name, $0.name.canonical, $0.inverse.name, $0.inverse.canonical]
                })
    }

    private mutating func renameEntity(_ index: Int, _ version: inout Version) {
        let taken = Set(version.entities.flatMap { [$0.name, $0.canonical] })
            .subtracting([version.entities[index].canonical])
        counter += 1
        let entity = version.entities[index]
        let name = Bool.random(using: &random) ? entity.canonical : "Entity\(counter)"
        guard !taken.contains(name) else { return }
        version.entities[index].name = name
    }

    private mutating func renameAttribute(_ index: Int, _ version: inout Version) {
        guard let place = version.entities[index].attributes.indices.randomElement(using: &random)
        else { return }
        let attribute = version.entities[index].attributes[place]
        let taken = names(in: version).subtracting(
            isAlone(attribute.canonical, version) ? [attribute.canonical] : [])
        let name = name(for: attribute.canonical, taken: taken)
        if attribute.name != attribute.canonical { formerNames.append(attribute.name) }
        version.entities[index].attributes[place].name = name
    }

    /// Whether no other property currently has a name.
    private func isAlone(_ canonical: String, _ version: Version) -> Bool {
        !version.entities.contains { entity in
            entity.attributes.contains { $0.name == canonical && $0.canonical != canonical }
        }
    }

    private mutating func renameRelationship(_ version: inout Version) {
        let index = Int.random(in: version.relationships.indices, using: &random)
        let end = Bool.random(using: &random) ? \Relationship.name : \Relationship.inverse
        let canonical = version.relationships[index][keyPath: end].canonical
        counter += 1
        version.relationships[index][keyPath: end].name =
            Bool.random(using: &random) && isAlone(canonical, version)
            ? canonical : "relation\(counter)"
    }

    private mutating func exchangeNames(_ index: Int, _ version: inout Version) {
        let places = version.entities[index].attributes.indices.filter {
            version.entities[index].attributes[$0].canonical != "key"
        }
        guard places.count > 1 else { return }
        let (first, second) = (places[0], places[1])
        let name = version.entities[index].attributes[first].name
        version.entities[index].attributes[first].name =
            version.entities[index].attributes[second].name
        version.entities[index].attributes[second].name = name
    }

    /// Moves an attribute of a child to its parent.
    private mutating func moveUp(_ version: inout Version) {
        for index in version.entities.indices {
            guard let parent = version.entities[index].parent,
                let target = version.entities.firstIndex(where: { $0.canonical == parent }),
                !version.entities[index].attributes.isEmpty
            else { continue }
            version.entities[target].attributes.append(
                version.entities[index].attributes.removeLast())
            return
        }
    }

    private mutating func add(_ index: Int, _ version: inout Version) {
        counter += 1
        let name = "added\(counter)"
        version.entities[index].attributes.append(Attribute(canonical: name, name: name))
    }

    private mutating func remove(_ index: Int, _ version: inout Version) {
        let removable = version.entities[index].attributes.filter { $0.canonical != "key" }
        guard let attribute = removable.randomElement(using: &random) else { return }
        version.entities[index].attributes.removeAll { $0 == attribute }
        for place in version.objects.indices {
            version.objects[place].values[attribute.canonical] = nil
        }
    }
}
