import CoreData

/// The SQL functions and collations that fetches use and SQLite lacks.
///
/// They do not define string comparisons and functions of the predicate language themselves, but
/// call `NSComparisonPredicate` and `NSExpression`. A predicate therefore selects the same objects
/// in SQL and in memory, on every system.
enum QueryFunctions {
    /// `seam_match(text, operator, options, pattern)`: compares two strings; 0 or 1.
    static let match = "seam_match"
    /// `seam_call(name, kinds, argument, …)`: a function of the predicate language.
    static let call = "seam_call"
    /// `seam_decimals(name, array)`: the sum or average of a JSON array of decimals.
    static let decimals = "seam_decimals"
    /// `seam_real(decimal)`: a decimal as a double.
    static let real = "seam_real"
    /// `seam_decode(value)`: a value of a JSON array; see ``ListParameter``.
    static let decode = "seam_decode"

    /// The collations, by the selector of the corresponding comparison.
    static let collations = [
        "caseInsensitiveCompare:": "SEAM_CASE_INSENSITIVE",
        "localizedCompare:": "SEAM_LOCALIZED",
        "localizedCaseInsensitiveCompare:": "SEAM_LOCALIZED_CASE_INSENSITIVE",
        "localizedStandardCompare:": "SEAM_LOCALIZED_STANDARD",
    ]

    /// `seam_data(value)`: the bytes of a column that may contain a file's name instead.
    static let data = "seam_data"

    /// Registers the function that reads a store's files.
    static func registerData(
        in folder: ExternalDataFolder, on connection: SQLiteConnection
    ) throws {
        try connection.createPooledFunction(data, argumentCount: 1) { arguments in
            guard case .text(let name) = arguments[0] else { return arguments[0] }
            return SQLiteValue(folder.data(name))
        }
    }

    /// Registers all functions and collations with a connection.
    static func register(on connection: SQLiteConnection) throws {
        let matcher = TextMatcher()
        try connection.createPooledFunction(match, argumentCount: 4) { arguments in
            matcher.matches(arguments).map { SQLiteValue.integer($0 ? 1 : 0) } ?? .null
        }
        try connection.createPooledFunction(call, argumentCount: -1) { arguments in
            try callFunction(arguments)
        }
        try connection.createPooledFunction(decimals, argumentCount: 2) { arguments in
            decimalStatistic(arguments)
        }
        try connection.createPooledFunction(real, argumentCount: 1) { arguments in
            guard let decimal = arguments[0].text.flatMap(DecimalCollation.decimal) else {
                return .null
            }
            return AttributeColumn.stored(NSDecimalNumber(decimal: decimal).doubleValue)
        }
        try connection.createPooledFunction(decode, argumentCount: 1) { arguments in
            ListParameter.decoded(arguments[0])
        }
        try registerCollations(on: connection)
    }

    private static func registerCollations(on connection: SQLiteConnection) throws {
        let comparisons: [String: (String, String) -> ComparisonResult] = [
            "caseInsensitiveCompare:": { $0.caseInsensitiveCompare($1) },
            "localizedCompare:": { $0.localizedCompare($1) },
            "localizedCaseInsensitiveCompare:": { $0.localizedCaseInsensitiveCompare($1) },
            "localizedStandardCompare:": { $0.localizedStandardCompare($1) },
        ]
        for (selector, compare) in comparisons {
            if let name = collations[selector] {
                try connection.createCollation(name) { left, right in
                    autoreleasepool { compare(left, right) }
                }
            }
        }
    }

    /// Calls a function of the predicate language.
    ///
    /// - Parameter arguments: The function's name, the kinds of its arguments and of its result as
    ///   one letter each, the arguments.
    private static func callFunction(_ arguments: [SQLiteValue]) throws -> SQLiteValue {
        guard arguments.count > 2, let name = arguments[0].text, let letters = arguments[1].text
        else { return .null }
        let kinds = letters.map { ValueKind(rawValue: String($0)) ?? .opaque }
        var operands: [(kind: ValueKind, value: Any)] = []
        for (kind, stored) in zip(kinds, arguments.dropFirst(2)) {
            guard let value = kind.value(stored) else { return .null }
            operands.append((kind, value))
        }
        if let decimal = DecimalArithmetic(name, operands) {
            return decimal.result.map { .text(DecimalCollation.text($0)) } ?? .null
        }
        let call = try PredicateCall(name, operands.map(\.value))
        return kinds.last?.stored(QueryConstant(call.result)) ?? .null
    }

    /// The column's value for a sum; nothing if it is too large for a decimal.
    private static func stored(_ decimal: Decimal) -> SQLiteValue {
        decimal.isNaN ? .null : .text(DecimalCollation.text(decimal))
    }

    private static func decimalStatistic(_ arguments: [SQLiteValue]) -> SQLiteValue {
        guard let name = arguments[0].text, let array = arguments[1].text else { return .null }
        let decoder = JSONDecoder()
        // The array was written by SQLite.
        let texts = (try? decoder.decode([String?].self, from: Data(array.utf8))) ?? []
        let numbers = texts.compactMap { $0.flatMap(DecimalCollation.decimal) }
        let sum = numbers.reduce(Decimal(0), +)
        if name == "sum:" { return stored(sum) }
        guard !numbers.isEmpty else { return .null }
        return stored(sum / Decimal(numbers.count))
    }
}
