import FoundationGaps

/// To-many relationships of faults that change because of their inverses.
///
/// An object that a relationship is set to remains a fault, although it has changes then. They are
/// applied when it fires, at the latest when the context processes its changes.
extension NSManagedObject {
    /// Records the effect of another object's relationship on a to-many relationship of this fault.
    ///
    /// - Returns: Whether it was recorded. A to-one relationship has to be read before it changes.
    final func noteChangeOfFault(
        _ relationship: NSRelationshipDescription, _ change: (inout PendingMembers) -> Void
    ) -> Bool {
        guard relationship.isToMany, let context, !state.contains(.vanished),
            let index = layout.indexByName[relationship.name]
        else { return false }
        if changesOfFault == nil { context.faultsWithChanges.append(self) }
        change(&changesOfFault[default: [:]][index, default: PendingMembers()])
        context.noteChange(of: self)
        return true
    }

    /// Applies the recorded changes once the values are in memory.
    final func takeChangesOfFault() {
        guard let changes = changesOfFault else { return }
        changesOfFault = nil
        for (index, members) in changes {
            recordOldValue(at: index)
            relationships[layout.relationshipPositions[index]] = .pending(members)
            markChanged(at: index)
        }
    }
}

extension NSManagedObjectContext {
    /// Fires the faults that have changes.
    final func fireFaultsWithChanges() {
        while !faultsWithChanges.isEmpty {
            let objects = faultsWithChanges
            faultsWithChanges = []
            for object in objects where object.changesOfFault != nil {
                object.fireFault()
                if object.state.contains(.vanished) { event.dropUpdate(of: object) }
            }
        }
    }
}

extension Optional {
    /// The value, or a default that takes its place when it is changed.
    fileprivate subscript(default value: @autoclosure () -> Wrapped) -> Wrapped {
        get { self ?? value() }
        set { self = newValue }
    }
}
