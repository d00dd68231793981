import FoundationGaps

/// What happened in a context since it last processed its changes.
///
/// Whether an object is among the inserted or updated ones is noted in its state, because that is
/// asked with every change of a value.
struct ContextEvent {
    private(set) var inserted = ObjectSet()
    private(set) var updated = ObjectSet()
    var deleted = ObjectSet()
    var refreshed = ObjectSet()
    var invalidated = ObjectSet()

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
            && invalidated.isEmpty
    }

    mutating func noteInsertion(of object: NSManagedObject) {
        guard !object.state.contains(.insertedInEvent) else { return }
        object.state.insert(.insertedInEvent)
        inserted.appendNew(object)
    }

    mutating func noteUpdate(of object: NSManagedObject) {
        guard !object.state.contains(.updatedInEvent) else { return }
        object.state.insert(.updatedInEvent)
        updated.appendNew(object)
    }

    /// Forgets an insertion.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    mutating func dropInsertion(of object: NSManagedObject) -> Bool {
        guard object.state.contains(.insertedInEvent) else { return false }
        object.state.remove(.insertedInEvent)
        return inserted.remove(object)
    }

    mutating func dropUpdate(of object: NSManagedObject) {
        guard object.state.contains(.updatedInEvent) else { return }
        object.state.remove(.updatedInEvent)
        updated.remove(object)
    }

    /// Ends the event: what happens to the objects from now on belongs to the next one.
    ///
    /// - Parameter all: The context's inserted objects. Where they are those of the event, one set
    ///   is made for both.
    /// - Returns: What happened.
    mutating func end(inserted all: ObjectSet) -> ContextEvent {
        var past = self
        self = ContextEvent()
        for objects in [past.inserted, past.updated, past.deleted, past.refreshed] {
            for object in objects {
                object.state.subtract([.insertedInEvent, .updatedInEvent])
                if let event = object.event, !event.announced.isEmpty { event.announced = [:] }
            }
        }
        if past.inserted.hasSameOrder(as: all) { past.inserted = all }
        return past
    }
}
