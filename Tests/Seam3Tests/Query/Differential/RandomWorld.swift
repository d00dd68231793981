import CoreData
import SeededRandom

@testable import Seam3

/// Saved objects of a random model, with edge values, nils and relationships of every kind.
final class RandomWorld {
    let seed: UInt64
    let model: RandomModel
    let store: QueryStore
    private(set) var objects: [NSManagedObject] = []

    init(seed: UInt64, objectCount: Int = 36) throws {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        model = RandomModel(using: &random)
        store = try QueryStore(model: model.model)
        let concrete = model.entities.filter { !$0.isAbstract }
        for number in 0..<objectCount {
            let entity =
                number < concrete.count ? concrete[number] : concrete.randomElement(using: &random)
            guard let name = entity?.name else { continue }
            objects.append(store.insert(name))
        }
        for object in objects {
            for attribute in object.entity.sortedAttributes
            where !(attribute is NSDerivedAttributeDescription) {
                object.setValue(
                    RandomValues.value(of: attribute, using: &random), forKey: attribute.name)
            }
        }
        for object in objects {
            for relationship in object.entity.sortedRelationships(toMany: false) {
                guard Int.random(in: 0..<4, using: &random) > 0 else { continue }
                object.setValue(
                    candidates(relationship).randomElement(using: &random),
                    forKey: relationship.name)
            }
            for relationship in object.entity.sortedRelationships(toMany: true)
            where relationship.inverseRelationship?.isToMany == true {
                let members = candidates(relationship).filter { _ in
                    Int.random(in: 0..<4, using: &random) == 0
                }
                object.setValue(
                    relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members),
                    forKey: relationship.name)
            }
        }
        try store.save()
        let isDerived = { (entity: NSEntityDescription) in
            entity.properties.contains { $0 is NSDerivedAttributeDescription }
        }
        // An object has the derived values only after a refresh.
        if model.entities.contains(where: isDerived) { store.context.refreshAllObjects() }
    }

    private func candidates(_ relationship: NSRelationshipDescription) -> [NSManagedObject] {
        relationship.destinationEntity.map { objects(of: $0) } ?? []
    }

    /// The objects of an entity in the order of their creation.
    func objects(
        of entity: NSEntityDescription, includesSubentities: Bool = true
    ) -> [NSManagedObject] {
        objects.filter {
            includesSubentities ? $0.entity.isKindOf(entity: entity) : $0.entity === entity
        }
    }

    /// The key of an object in the file, which breaks ties in a sort order.
    func key(_ object: NSManagedObject) -> Int64 {
        store.store.key(of: object.objectID) ?? 0
    }
}
