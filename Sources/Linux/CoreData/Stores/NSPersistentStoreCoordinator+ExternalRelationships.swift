import FoundationGaps

/// Relationships stay within a store.
extension NSPersistentStoreCoordinator {
    /// Refuses a save in which a relationship leads to another store.
    ///
    /// - Throws: `CocoaError.managedObjectExternalRelationship` with the object and the key.
    func requireOwnStores(_ changes: ContextChanges) throws {
        guard persistentStores.count > 1 else { return }
        for object in Array(changes.inserted) + Array(changes.updated) {
            for relationship in object.layout.relationships where !relationship.isTransient {
                guard let other = externalDestination(of: relationship, from: object) else {
                    continue
                }
                throw CocoaError(
                    .managedObjectExternalRelationship,
                    userInfo: [
                        NSLocalizedDescriptionKey:
                            "Object being saved has a relationship containing an object from "
                            + "another store: \(object.entity.name ?? "").\(relationship.name)",
                        NSAffectedObjectsErrorKey: [object, other],
                        NSValidationObjectErrorKey: object,
                        NSValidationKeyErrorKey: relationship.name,
                    ])
            }
        }
    }

    /// A destination in another store. Destinations that have not been read are in the same store.
    private func externalDestination(
        of relationship: NSRelationshipDescription, from object: NSManagedObject
    ) -> NSManagedObject? {
        let position = object.layout.relationshipPositions[relationship.valueIndex]
        let destinations: [NSManagedObject] =
            switch object.relationships[position] {
            case .object(let destination): [destination]
            case .members(let members): Array(members)
            case .pending(let pending): Array(pending.added)
            case .unresolved, .none, .identifier: []
            }
        return destinations.first {
            !$0.objectID.isTemporaryID
                && $0.objectID.storeReference !== object.objectID.storeReference
        }
    }
}
