import FoundationGaps

/// What happened in a context since it last processed its changes.
///
/// Whether an object is among the inserted or updated ones is also recorded in the object's state,
/// because every change of a value asks for it. The record is valid for the event whose number the
/// object has.
struct ContextEvent {
    /// Counts the events of the context, from 1.
    let number: Int
    private(set) var inserted = ObjectSet()
    private(set) var updated = ObjectSet()
    var deleted = ObjectSet()
    var refreshed = ObjectSet()
    var invalidated = ObjectSet()
    /// What an undo restores of the objects that have left the context, whose own records of the event
    /// ended then.
    var departures: [UndoStep.Part] = []
    /// The set through which an ordered relationship was changed last.
    var orderedSet: RelationshipOrderedSet?

    init(number: Int) {
        self.number = number
    }

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
            && invalidated.isEmpty
    }

    mutating func noteInsertion(of object: NSManagedObject) {
        object.beginEvent(number)
        guard !object.state.contains(.insertedInEvent) else { return }
        object.state.insert(.insertedInEvent)
        inserted.appendNew(object)
    }

    mutating func noteUpdate(of object: NSManagedObject) {
        object.beginEvent(number)
        guard !object.state.contains(.updatedInEvent) else { return }
        object.state.insert(.updatedInEvent)
        updated.appendNew(object)
    }

    /// Whether an object was inserted in the event.
    func hasInserted(_ object: NSManagedObject) -> Bool {
        object.eventNumber == number && object.state.contains(.insertedInEvent)
    }

    /// Removes an insertion.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    mutating func dropInsertion(of object: NSManagedObject) -> Bool {
        guard hasInserted(object) else { return false }
        object.state.remove(.insertedInEvent)
        return inserted.remove(object)
    }

    mutating func dropUpdate(of object: NSManagedObject) {
        guard object.eventNumber == number, object.state.contains(.updatedInEvent) else { return }
        object.state.remove(.updatedInEvent)
        updated.remove(object)
    }

    /// Orders the updated objects by memory, and lets the event share the context's sets if they
    /// are equal, so that derived values are computed once.
    fileprivate mutating func share(_ allInserted: ObjectSet, _ allUpdated: inout ObjectSet) {
        if inserted.hasSameOrder(as: allInserted) { inserted = allInserted }
        if updated.hasSameOrder(as: allUpdated) {
            allUpdated.orderByMemory()
            updated = allUpdated
        } else {
            updated.orderByMemory()
        }
    }
}

extension NSManagedObjectContext {
    /// Ends the current event. Later changes belong to the next one.
    ///
    /// - Returns: What happened.
    func takeEvent() -> ContextEvent {
        var past = event
        event = ContextEvent(number: past.number + 1)
        reference.eventNumber = event.number
        past.share(inserted, &updated)
        return past
    }

    /// Whether the objects' records for the event with a number are valid: it is the current event,
    /// or its notification is being posted.
    func shows(_ number: Int) -> Bool {
        number == event.number || number == postedEventNumber
    }
}
