/// SQL functions that let one statement write outbox entries for many rows.
enum BaseValueFunctions {
    /// `seam_fields(name, value, …)`: encodes the values of properties and omits those whose name
    /// is NULL. NULL if all are omitted.
    static let fields = "seam_fields"
    /// `seam_older(known, new)`: combines two encodings; where both have a value, the first one
    /// counts.
    static let older = "seam_older"
    /// `seam_before_deletion(known, new, automatic)`: combines two encodings like `seam_older`, but
    /// ignores known NULL values of the properties in a list of names.
    static let beforeDeletion = "seam_before_deletion"
    /// `seam_former(former, known, new, automatic)`: adds to an encoding the new values of the properties in a
    /// list of names whose known value is NULL.
    static let former = "seam_former"
    /// `seam_automatic(automatic, known, new, newAutomatic)`: the list of the properties of a change that no user has
    /// changed, after another change. See ``OutboxTable/automatic(_:_:after:_:)``.
    static let automatic = "seam_automatic"

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
        try connection.createFunction(beforeDeletion, argumentCount: 3) { arguments in
            var known = PropertyValues(stored: arguments[0])
            for name in OutboxTable.names(inList: arguments[2]) where known[name].isNull {
                known.values[name] = nil
            }
            if let new = arguments[1].blob { known.add(PropertyValues(encoded: new)) }
            return .blob(known.encoded)
        }
        try connection.createFunction(former, argumentCount: 4) { arguments in
            let values = arguments.prefix(3).map(PropertyValues.init(stored:))
            return values[0].adding(
                values[2].notKnown(from: values[1], among: OutboxTable.names(inList: arguments[3]))
            ).stored
        }
        try connection.createFunction(automatic, argumentCount: 4) { arguments in
            OutboxTable.list(
                OutboxTable.automatic(
                    OutboxTable.names(inList: arguments[0]), PropertyValues(stored: arguments[1]),
                    after: PropertyValues(stored: arguments[2]),
                    OutboxTable.names(inList: arguments[3])))
        }
    }
}

extension PropertyValues {
    /// Those of the values from before an edit that a waiting change says nothing about: of properties that a
    /// migration sends again, and whose base value is NULL.
    ///
    /// - Parameters:
    ///   - base: The base values of the waiting change.
    ///   - automatic: The properties that no user has changed so far.
    func notKnown(from base: PropertyValues, among automatic: Set<String>) -> PropertyValues {
        PropertyValues(
            values.filter { name, value in
                automatic.contains(name) && base[name].isNull && !value.isNull
            })
    }
}
