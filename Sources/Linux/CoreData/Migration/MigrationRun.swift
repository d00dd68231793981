import FoundationGaps

/// One migration between two open stores: creates the destination objects, sets their
/// relationships, and saves them.
struct MigrationRun {
    let manager: NSMigrationManager
    let model: NSMappingModel
    let stack: MigrationStack

    private struct Step {
        let mapping: NSEntityMapping
        let policy: NSEntityMigrationPolicy
    }

    func perform() throws {
        try stack.runAndWait {
            let steps = try model.entityMappings.map { mapping in
                Step(mapping: mapping, policy: try manager.policy(for: mapping))
            }
            let phases = [createInstances, createRelationships, validate]
            for (phase, perform) in phases.enumerated() {
                for (index, step) in steps.enumerated() {
                    let done = phase * steps.count + index
                    manager.note(
                        step.mapping, progress: Float(done) / Float(phases.count * steps.count))
                    try manager.checkCancellation()
                    try perform(step)
                }
            }
            try manager.checkCancellation()
            copyMetadata()
            try save()
        }
    }

    private func createInstances(_ step: Step) throws {
        try step.policy.begin(step.mapping, with: manager)
        if step.mapping.destinationEntityName != nil,
            step.mapping.mappingType != .removeEntityMappingType
        {
            for source in try manager.sourceInstances(of: step.mapping, policy: step.policy) {
                try manager.checkCancellation()
                try step.policy.createDestinationInstances(
                    forSource: source, in: step.mapping, manager: manager)
            }
        }
        try step.policy.endInstanceCreation(forMapping: step.mapping, manager: manager)
    }

    private func createRelationships(_ step: Step) throws {
        let destinations = manager.destinationInstances(
            forEntityMappingName: step.mapping.name, sourceInstances: nil)
        for destination in destinations where !destination.isDeleted {
            try manager.checkCancellation()
            try step.policy.createRelationships(
                forDestination: destination, in: step.mapping, manager: manager)
        }
        try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
    }

    private func validate(_ step: Step) throws {
        try step.policy.performCustomValidation(forMapping: step.mapping, manager: manager)
        try step.policy.end(step.mapping, manager: manager)
    }

    /// Copies the app's entries in the source store's metadata. The store's own entries, such as
    /// its UUID and its model, are already in the destination.
    private func copyMetadata() {
        guard let source = stack.sourceStore, let destination = stack.destinationStore else {
            return
        }
        var metadata = destination.metadata ?? [:]
        for (key, value) in source.metadata ?? [:]
        where metadata[key] == nil && !key.hasPrefix("NSStoreModelVersion") {
            metadata[key] = value
        }
        destination.metadata = metadata
    }

    private func save() throws {
        do {
            try stack.destination.save()
        } catch let error as CocoaError {
            throw CocoaError.migrationFailed(error)
        }
    }
}

extension MigrationStack {
    fileprivate var sourceStore: NSPersistentStore? {
        source.persistentStoreCoordinator?.persistentStores.first
    }

    fileprivate var destinationStore: NSPersistentStore? {
        destination.persistentStoreCoordinator?.persistentStores.first
    }
}
