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

    static func register(on connection: SQLiteConnection) throws {
        try connection.createFunction(fields, argumentCount: -1) { arguments in
            var fields = PropertyValues()
            for place in stride(from: 0, to: arguments.count - 1, by: 2) {
                if let name = arguments[place].text { fields[name] = arguments[place + 1] }
            }
            return fields.values.isEmpty ? .null : .blob(fields.encoded)
        }
        try connection.createFunction(older, argumentCount: 2) { arguments in
            var known = arguments[0].blob.map(PropertyValues.init(encoded:)) ?? PropertyValues()
            if let new = arguments[1].blob { known.add(PropertyValues(encoded: new)) }
            return .blob(known.encoded)
        }
        try connection.createFunction(beforeDeletion, argumentCount: 3) { arguments in
            var known = arguments[0].blob.map(PropertyValues.init(encoded:)) ?? PropertyValues()
            for name in OutboxTable.names(inList: arguments[2]) where known[name].isNull {
                known.values[name] = nil
            }
            if let new = arguments[1].blob { known.add(PropertyValues(encoded: new)) }
            return .blob(known.encoded)
        }
    }
}
