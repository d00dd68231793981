import FoundationGaps

/// What has changed in an object since its context last processed its changes.
///
/// An event has a number. An object's record of an event is void when its number is no longer the
/// context's, so that ending an event need not visit the objects that changed in it.
extension NSManagedObject {
    /// The values before the changes that the context has not processed yet.
    ///
    /// They share memory with the object's values, and so with its row.
    final class ValuesBeforeEvent {
        /// Nil if they equal the committed ones.
        var attributes: [AttributeValue]?
        /// Nil if they equal the committed ones.
        var relationships: [RelationshipValue]?
        /// The changes of relationships between `willChangeValue` and `didChangeValue`. They outlast the
        /// event, because a fetch between the two ends it.
        var announced: [Int: AnnouncedChange] = [:]
    }

    /// Stores the value that a property had when the current event began.
    final func recordOldValue(at index: Int) {
        guard let contextReference else { return }
        if state.contains(.inserted) {
            // An insertion is undone as a whole, so values before the event do not matter.
            guard contextReference.recordsUndo,
                !state.contains(.insertedInEvent) || eventNumber != contextReference.eventNumber
            else { return }
        }
        beginEvent(contextReference.eventNumber)
        if changedInEvent.isEmpty { keepOldValues() }
        changedInEvent.insert(index)
    }

    /// Starts the object's record of the current event.
    final func beginEvent(_ number: Int) {
        guard eventNumber != number else { return }
        endEvent()
        eventNumber = number
    }

    /// Discards the record of the event.
    final func endEvent() {
        eventNumber = 0
        state.subtract([.insertedInEvent, .updatedInEvent])
        guard let values = valuesBeforeEvent, !values.announced.isEmpty else {
            return forgetOldValues()
        }
        changedInEvent.removeAll()
        values.attributes = nil
        values.relationships = nil
    }

    /// Discards the old values, but not the fact that something was changed.
    final func forgetOldValues() {
        changedInEvent.removeAll()
        if valuesBeforeEvent != nil { valuesBeforeEvent = nil }
    }

    /// Stores the values before the first change of an event, unless they are the committed ones.
    private func keepOldValues() {
        if changedProperties.isEmpty, !state.contains(.primitivelyChanged), committedVersion > 0 {
            return
        }
        let values = makeValuesBeforeEvent()
        values.attributes = attributes
        values.relationships = relationships
    }

    final func makeValuesBeforeEvent() -> ValuesBeforeEvent {
        if let valuesBeforeEvent { return valuesBeforeEvent }
        let values = ValuesBeforeEvent()
        valuesBeforeEvent = values
        return values
    }

    /// Replaces the committed values, and keeps those from the beginning of the event.
    final func replaceCommitted(by row: Row) {
        if !changedInEvent.isEmpty {
            if eventNumber != contextReference?.eventNumber {
                forgetOldValues()
            } else if valuesBeforeEvent?.attributes == nil, let committed {
                let values = makeValuesBeforeEvent()
                values.attributes = committed.attributes
                values.relationships = committed.relationships
            }
        }
        committed = row
    }

    /// The changed properties and the values before, unless they belong to an event that is over.
    final var presentEvent: (changed: PropertyIndexSet, before: Row)? {
        guard let context, context.shows(eventNumber), !changedInEvent.isEmpty,
            !state.contains(.inserted)
        else { return nil }
        let before = Row(
            attributes: valuesBeforeEvent?.attributes ?? committed?.attributes ?? attributes,
            relationships: valuesBeforeEvent?.relationships ?? committed?.relationships
                ?? relationships,
            version: 0)
        return (changedInEvent, before)
    }
}
