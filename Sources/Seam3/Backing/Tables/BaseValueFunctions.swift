/// Functions of SQL with which one statement writes the outbox for many rows.
enum BaseValueFunctions {
    /// `seam_fields(name, value, …)`: the values of properties, encoded; a name that is NULL is left
    /// out. NULL if all are.
    static let fields = "seam_fields"
    /// `seam_older(known, new)`: encoded values, of which the first ones count.
    static let older = "seam_older"

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
    }
}
