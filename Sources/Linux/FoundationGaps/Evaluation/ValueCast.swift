/// Conversions between the types of values, for `CAST(expression, "Type")`.
enum ValueCast {
    /// The value in a type given by its Objective-C name; nil if it cannot be converted.
    static func cast(_ value: Any?, to type: Any?) -> Any? {
        guard let type = type as? String else { return nil }
        let value = PredicateValue(value)
        switch type {
        case "NSDate": return date(value)
        case "NSString": return text(value)
        case "NSNumber": return number(value)
        case "NSDecimalNumber": return decimal(value)
        case "NSUUID": return uuid(value)
        case "NSURL": return url(value)
        case "NSData": return data(value)
        default: return nil
        }
    }

    /// A number is interpreted as seconds since the reference date.
    private static func date(_ value: PredicateValue) -> Date? {
        if case .date(let date) = value { return date }
        // On Linux, the description of a date that is not a number ends the process.
        return value.doubleValue.flatMap {
            $0.isNaN ? nil : Date(timeIntervalSinceReferenceDate: $0)
        }
    }

    private static func text(_ value: PredicateValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .double(let number): NSNumber(value: number).stringValue
        case .decimal(let number): "\(number)"
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .date(let date): date.description
        default: nil
        }
    }

    private static func number(_ value: PredicateValue) -> Any? {
        switch value {
        case .integer(let number): number
        case .double(let number): number
        case .decimal(let number): number
        case .date(let date): date.timeIntervalSinceReferenceDate
        case .string(let text): Int64(text) ?? Double(text) as Any?
        default: nil
        }
    }

    private static func decimal(_ value: PredicateValue) -> Decimal? {
        if case .string(let text) = value { return Decimal(string: text) }
        return value.decimalValue
    }

    private static func uuid(_ value: PredicateValue) -> UUID? {
        switch value {
        case .uuid(let uuid): uuid
        case .string(let text): UUID(uuidString: text)
        default: nil
        }
    }

    private static func url(_ value: PredicateValue) -> URL? {
        switch value {
        case .url(let url): url
        case .string(let text): URL(string: text)
        default: nil
        }
    }

    /// A string is interpreted as Base64, the form in which a predicate prints data.
    private static func data(_ value: PredicateValue) -> Data? {
        switch value {
        case .data(let data): data
        case .string(let text): Data(base64Encoded: text)
        default: nil
        }
    }
}
