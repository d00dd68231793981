import FoundationGaps
import Synchronization

/// Held while layouts are created, so that each is created only once. An `NSLock`, because the
/// thread sanitizer does not see the synchronization of a `Mutex` on Linux.
private let freezing = NSLock()

extension NSEntityDescription {
    /// How the entity's objects store their values.
    ///
    /// The first use makes the whole model immutable.
    final var layout: EntityLayout {
        if let layout = layoutReference.load() { return layout }
        if let model {
            model.freeze()
        } else {
            freezing.withLock { root.makeLayouts(inheriting: nil) }
        }
        guard let layout = layoutReference.load() else {
            raise(.internalInconsistency, "Entity '\(name ?? "")' is not part of its model.")
        }
        return layout
    }

    /// The topmost ancestor, or the entity itself.
    final var root: NSEntityDescription {
        var entity = self
        while let parent = entity.parent { entity = parent }
        return entity
    }

    /// The entity and everything that inherits from it, parents first.
    final var hierarchy: [NSEntityDescription] {
        [self] + subentities.flatMap(\.hierarchy)
    }

    /// Stops the process if the entity's model is in use.
    final func requireEditable() {
        if layoutReference.load() != nil || model?.isFrozen == true {
            raise(.internalInconsistency, "Can't modify an immutable model.")
        }
    }

    fileprivate final func makeLayouts(inheriting parentLayout: EntityLayout?) {
        let layout =
            layoutReference.load()
            ?? layoutReference.storeIfNil(EntityLayout(self, inheriting: parentLayout))
        for entity in subentities {
            entity.makeLayouts(inheriting: layout)
        }
    }
}

extension NSManagedObjectModel {
    /// Makes the model immutable and lays out all its entities. Safe to call from any thread,
    /// any number of times.
    final func freeze() {
        if isFrozen { return }
        freezing.withLock {
            for entity in entities where entity.superentity == nil {
                entity.makeLayouts(inheriting: nil)
            }
            frozen.store(true, ordering: .releasing)
        }
    }
}
