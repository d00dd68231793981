/// A piece of SQL with the values of its parameters, in the order of their occurrence.
///
/// Written as a string with interpolations, each of which names its kind: another piece, a `bind:`
/// value, a quoted `name:`, or an integer that belongs to the schema.
///
///     let sql: SQL = "\(name: table).pk = \(bind: .integer(7))"
struct SQL: Equatable {
    var text: String
    var values: [SQLiteValue]
    /// Whether the piece is a bare column, for which an index may exist and which costs nothing to
    /// read twice.
    private(set) var isColumn = false

    /// Whether the piece is a column of a table that an outer join adds, and is therefore NULL if
    /// there is no row.
    private(set) var isJoined = false

    /// Whether the piece costs nothing to compute twice: a column or a parameter.
    var isCheap: Bool { isColumn || text == "?" }

    /// The piece as an expression, without the affinity and collation of a column.
    var asExpression: SQL { SQL(text: text, values: values) }

    init(text: String, values: [SQLiteValue] = []) {
        self.text = text
        self.values = values
    }

    /// A column of a table with an alias.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - alias: The table's alias.
    ///   - isJoined: Whether an outer join adds the table.
    static func column(_ name: String, of alias: String, isJoined: Bool = false) -> SQL {
        var sql: SQL = "\(verbatim: alias).\(name: name)"
        sql.isColumn = true
        sql.isJoined = isJoined
        return sql
    }

    static func + (left: SQL, right: SQL) -> SQL {
        SQL(text: left.text + right.text, values: left.values + right.values)
    }

    /// True in SQL.
    static let one: SQL = "1"
    /// False in SQL.
    static let zero: SQL = "0"
}

extension SQL: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [SQLiteValue] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Another piece with its values.
        mutating func appendInterpolation(_ sql: SQL) {
            text += sql.text
            values += sql.values
        }

        /// A parameter and its value.
        mutating func appendInterpolation(bind value: SQLiteValue) {
            text += "?"
            values.append(value)
        }

        /// A quoted identifier.
        mutating func appendInterpolation(name: String) {
            text += name.sqlIdentifier
        }

        /// An alias, function or keyword from the code of this folder.
        mutating func appendInterpolation(verbatim text: String) {
            self.text += text
        }

        /// A number that belongs to the schema, such as an entity's.
        mutating func appendInterpolation(_ number: Int64) {
            text += String(number)
        }
    }

    init(stringLiteral value: String) {
        self.init(text: value)
    }

    init(stringInterpolation: StringInterpolation) {
        self.init(text: stringInterpolation.text, values: stringInterpolation.values)
    }
}

extension Sequence where Element == SQL {
    /// The pieces one after the other, with a separator between them.
    func joined(separator: String) -> SQL {
        var result: SQL = ""
        for (index, piece) in enumerated() {
            if index > 0 { result.text += separator }
            result.text += piece.text
            result.values += piece.values
        }
        return result
    }
}
