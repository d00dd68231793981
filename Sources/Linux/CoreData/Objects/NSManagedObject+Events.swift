import FoundationGaps

/// What has changed in an object since its context last processed its changes.
///
/// An event has a number, and what an object keeps of one is forgotten when its number is no longer
/// the context's: to end an event, nobody has to go over the objects that changed in it.
extension NSManagedObject {
    /// The values before the changes that the context has not processed yet.
    ///
    /// They share the memory of the object's own, and with it that of its row.
    final class ValuesBeforeEvent {
        /// Nil where they are the committed ones.
        var attributes: [AttributeValue]?
        /// Nil where they are the committed ones.
        var relationships: [RelationshipValue]?
        /// The destinations of relationships between `willChangeValue` and `didChangeValue`.
        var announced: [Int: RelationshipValue] = [:]
    }

    /// Keeps the value that a property had when the present event began.
    final func recordOldValue(at index: Int) {
        guard let contextReference else { return }
        if state.contains(.inserted) {
            // What is inserted in the event is taken back as a whole.
            guard contextReference.recordsUndo,
                !state.contains(.insertedInEvent) || eventNumber != contextReference.eventNumber
            else { return }
        }
        beginEvent(contextReference.eventNumber)
        if changedInEvent.isEmpty { keepOldValues() }
        changedInEvent.insert(index)
    }

    /// Makes what the object knows of events that of the present one.
    final func beginEvent(_ number: Int) {
        guard eventNumber != number else { return }
        endEvent()
        eventNumber = number
    }

    /// Forgets the event.
    final func endEvent() {
        eventNumber = 0
        state.subtract([.insertedInEvent, .updatedInEvent])
        forgetOldValues()
    }

    /// Forgets what was changed in the event, though not that something was.
    final func forgetOldValues() {
        changedInEvent.removeAll()
        if valuesBeforeEvent != nil { valuesBeforeEvent = nil }
    }

    /// Keeps the values before the first change of an event, unless they are the committed ones.
    private func keepOldValues() {
        if changedProperties.isEmpty, !state.contains(.primitivelyChanged), committedVersion > 0 {
            return
        }
        let values = makeValuesBeforeEvent()
        values.attributes = attributes
        values.relationships = relationships
    }

    private func makeValuesBeforeEvent() -> ValuesBeforeEvent {
        if let valuesBeforeEvent { return valuesBeforeEvent }
        let values = ValuesBeforeEvent()
        valuesBeforeEvent = values
        return values
    }

    /// Replaces the committed values, and keeps those that were there when the event began.
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

    // MARK: - Announced changes

    final func noteUpcomingChange(forKey key: String) {
        guard let index = layout.indexByName[key] else { return }
        recordOldValue(at: index)
        let position = layout.relationshipPositions[index]
        guard position >= 0 else { return }
        resolve(at: position)
        if let contextReference { beginEvent(contextReference.eventNumber) }
        makeValuesBeforeEvent().announced[index] = relationships[position]
    }

    final func noteFinishedChange(forKey key: String) {
        guard let index = layout.indexByName[key] else {
            if !Self.contextShouldIgnoreUnmodeledPropertyChanges { context?.noteChange(of: self) }
            return
        }
        let position = layout.relationshipPositions[index]
        if position >= 0, eventNumber == contextReference?.eventNumber ?? 0,
            let old = valuesBeforeEvent?.announced.removeValue(forKey: index)
        {
            keepInverse(of: layout.relationships[position], at: position, replacing: old)
        }
        markChanged(at: index)
    }
}
