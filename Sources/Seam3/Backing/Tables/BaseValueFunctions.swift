/// SQL functions that let one statement write outbox entries for many rows.
enum BaseValueFunctions {
    /// `seam_fields(name, value, …)`: encodes the values of properties and omits those whose name
    /// is NULL. NULL if all are omitted.
    static let fields = "seam_fields"
    /// `seam_older(known, new)`: combines two encodings; where both have a value, the first one
    /// counts.
    static let older = "seam_older"
    /// `seam_layer(previous, cause, revision)`: encodes one layer of changes.
    static let layer = "seam_layer"
    /// `seam_note(changes, requests, new)`: adds changes to those of an object, of which the requests have sent some.
    /// NULL if there are no new ones.
    static let note = "seam_note"

    static func register(on connection: SQLiteConnection) throws {
        try connection.createFunction(fields, argumentCount: -1) { arguments in
            var fields = PropertyValues()
            for place in stride(from: 0, to: arguments.count - 1, by: 2) {
                if let name = arguments[place].text { fields[name] = arguments[place + 1] }
            }
            return fields.stored
        }
        try connection.createFunction(older, argumentCount: 2) { arguments in
            var known = PropertyValues(stored: arguments[0])
            if let new = arguments[1].blob { known.add(PropertyValues(encoded: new)) }
            return .blob(known.encoded)
        }
        try connection.createFunction(layer, argumentCount: 3) { arguments in
            guard let previous = arguments[0].blob, let revision = arguments[2].integer else {
                return .null
            }
            return ChangeLayers(
                PropertyValues(encoded: previous),
                arguments[1].text.flatMap(ChangeLayers.Cause.init) ?? .other, revision: revision
            ).stored
        }
        try connection.createFunction(note, argumentCount: 3) { arguments in
            guard let new = ChangeLayers(stored: arguments[2]), !new.isEmpty else { return .null }
            var changes = ChangeLayers(stored: arguments[0]) ?? ChangeLayers()
            changes.note(new, sent: [SentRequest](stored: arguments[1]).lastRevision)
            return changes.stored
        }
    }
}
