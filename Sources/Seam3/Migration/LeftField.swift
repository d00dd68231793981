import CoreData

/// A field that a property leaves, because the new model stores it in another one.
struct LeftField {
    let name: String
    /// The property's name in the old model.
    let oldName: String
}

extension StoreDatabase {
    /// Remembers what the server may have in fields that an object's properties leave: the values that both sides
    /// agreed on, or any that were sent without a response. A different value that a record has there later is an edit
    /// by a device with the former model.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - pk: The object.
    ///   - values: Its values under the names of the old model; none if it is deleted.
    ///   - change: Its waiting change, as the old model knows it.
    ///   - mapping: The mapping of the new model.
    ///   - inlined: Returns values with the data of files in place of references to them.
    func remember(
        _ fields: [LeftField], of pk: Int64, _ values: PropertyValues, _ change: OutboxEntry?,
        _ mapping: RecordMapping, inlined: (PropertyValues) -> PropertyValues = { $0 }
    ) throws {
        func byField(_ values: PropertyValues) -> PropertyValues {
            var fieldValues = PropertyValues()
            for field in fields { fieldValues.values[field.name] = values.values[field.oldName] }
            return fieldValues
        }
        var known = try objects.formerFields(of: pk)
        var agreed = byField(inlined(change?.changes.base.adding(values) ?? values))
        for field in fields where agreed.values[field.name] == nil { agreed[field.name] = .null }
        known.add(mapping.formerForm(agreed))
        for request in change?.saves ?? [] {
            let version = change?.version(of: request, current: values) ?? values
            let sent = mapping.formerForm(byField(inlined(version)))
            if !sent.values.isEmpty { known.add(sent) }
        }
        if known.versions.allSatisfy(\.present.values.isEmpty) { return }
        try objects.setFormerFields(known, of: pk)
    }
}
