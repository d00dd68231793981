import CoreData

/// `sum:`, `average:`, `min:`, `max:` and `count:`, over the members of a relationship or over the
/// rows of a dictionary fetch.
extension QueryCompiler {
    func statistic(_ name: String, _ operand: QueryOperand) throws -> QueryOperand {
        // What Apple's frameworks do here is an assumption: FG-3.
        let symbol = name == "average:" ? "@avg" : "@" + name.dropLast()
        switch operand {
        case .members(var select, let value):
            // In a function, a relationship of nil counts as empty.
            select.optionalOwner = nil
            return try aggregate(symbol, select, value)
        case .object(let source) where aggregatesRows && symbol == "@count":
            return .scalar("COUNT(\(source.key))", .integer)
        case .scalar(let sql, _) where aggregatesRows && symbol == "@count":
            return .scalar("COUNT(\(sql))", .integer)
        case .scalar(let sql, let kind) where aggregatesRows:
            let (function, resultKind) = try aggregateFunction(symbol, of: sql, kind)
            return .scalar(Self.collated(function, resultKind), resultKind)
        default:
            throw Inexpressible("\(name) of a value that is not a to-many relationship")
        }
    }

    /// An SQL aggregate function over an expression, and the kind of its result.
    ///
    /// NaN is stored as text, which sorts after all numbers and counts as 0 in a sum. SQLite
    /// converts a sum that becomes NaN, such as infinity minus infinity, to NULL.
    func aggregateFunction(
        _ name: String, of sql: SQL, _ kind: ValueKind
    ) throws -> (SQL, ValueKind) {
        switch (name, kind) {
        case ("@sum", .integer) where sumsInHalves:
            return (
                "COALESCE(SUM(\(sql) >> 32) * 4294967296 + SUM(\(sql) & 4294967295), 0)", .number
            )
        case ("@sum", .number) where sumsInHalves:
            throw Inexpressible("a sum of numbers that may be doubles")
        case ("@sum", .integer), ("@sum", .boolean), ("@sum", .number):
            return ("COALESCE(SUM(\(sql)), 0)", .number)
        case ("@sum", .double):
            return (
                "CASE WHEN MAX(\(sql)) >= '' THEN 'nan' ELSE COALESCE(TOTAL(\(sql)), 'nan') END",
                .double
            )
        case ("@avg", .integer), ("@avg", .boolean), ("@avg", .number):
            return ("AVG(\(sql))", .double)
        case ("@avg", .double):
            return (
                "CASE WHEN MAX(\(sql)) >= '' THEN 'nan'"
                    + " WHEN COUNT(\(sql)) > 0 THEN COALESCE(AVG(\(sql)), 'nan') END", .double
            )
        case ("@sum", .decimal), ("@avg", .decimal):
            let function = name == "@sum" ? "sum:" : "average:"
            return (
                "\(verbatim: QueryFunctions.decimals)(\(bind: .text(function)),"
                    + " json_group_array(\(sql)))",
                .decimal
            )
        case ("@min", .opaque), ("@max", .opaque), ("@min", .data), ("@max", .data):
            throw Inexpressible("\(name) of values without an order")
        case ("@min", _):
            return ("MIN(\(sql))", kind)
        case ("@max", .double):
            return ("COALESCE(MAX(\(sql)) FILTER (WHERE \(sql) < ''), MAX(\(sql)))", kind)
        case ("@max", _):
            return ("MAX(\(sql))", kind)
        default:
            throw Inexpressible("\(name)")
        }
    }
}
