import FoundationGaps

// Objects keep the value of an attribute as an `AttributeValue`. What is read through key-value
// coding has the form that Apple returns:
//
//   integers, floating point, Booleans   NSNumber
//   decimals                             NSDecimalNumber
//   strings, dates, data, UUIDs, URIs    String, Date, Data, UUID, URL
//   composite attributes                 [String: Any] of canonical values
//   transformable and undefined          the value as it was given
//
// Numbers come back as NSNumber because a Swift Int64 in an `Any` casts to nothing but Int64, while
// an NSNumber casts to every numeric type that can represent it, as on Apple's systems.

extension NSAttributeDescription {
    /// Whether the values are numbers or Booleans, which `NSNumber` represents.
    final var holdsNumbers: Bool {
        switch attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
            true
        default: false
        }
    }

    /// The integers that an attribute of a type with fewer than 64 bits can hold; nil for all others.
    final var integerRange: ClosedRange<Int64>? {
        switch attributeType {
        case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
        case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
        default: nil
        }
    }

    /// The canonical form of a value, which key-value coding returns; nil if the attribute cannot
    /// store it.
    final func canonicalValue(of value: Any) -> Any? {
        attributeValue(of: value)?.object
    }

    /// A value in the form in which objects store it; nil if the attribute cannot store it.
    final func attributeValue(of value: Any) -> AttributeValue? {
        switch attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
            return Self.number(value)
        case .stringAttributeType:
            return (_exactly(value, String.self) ?? value as? String).map { .string($0) }
        case .dateAttributeType:
            return (_exactly(value, Date.self) ?? value as? Date).map { .date($0) }
        case .binaryDataAttributeType:
            return (_exactly(value, Data.self) ?? value as? Data).map { .data($0) }
        case .decimalAttributeType:
            return Self.decimalNumber(value).map { .other(.init($0)) }
        case .UUIDAttributeType:
            return (_exactly(value, UUID.self) ?? value as? UUID).map { .uuid($0) }
        case .URIAttributeType:
            return (value as? URL).map { .url($0) }
        case .compositeAttributeType:
            return compositeValue(value).map { .other(.init($0)) }
        case .transformableAttributeType, .undefinedAttributeType, .objectIDAttributeType:
            return value is NSNull ? nil : AttributeValue(keeping: value)
        }
    }

    /// A value, or nil, in the form in which objects store it; stops the process with Apple's
    /// exception text if the attribute cannot store it.
    final func requireAttributeValue(of value: Any?) -> AttributeValue {
        guard let value else { return .none }
        guard let kept = attributeValue(of: value) else {
            raise(.invalidArgument, unacceptableTypeReason(of: value))
        }
        return kept
    }

    /// Apple's text for a value whose type the attribute cannot store.
    final func unacceptableTypeReason(of value: Any) -> String {
        "Unacceptable type of value for attribute: property = \"\(name)\"; "
            + "desired type = \(attributeValueClassName ?? "NSObject"); "
            + "given type = \(Swift.type(of: value)); value = \(value)."
    }

    /// Numbers and Booleans of any Swift type. Strings and other values are not numbers.
    private static func number(_ value: Any) -> AttributeValue? {
        if let number = _exactly(value, NSNumber.self) { return AttributeValue(number) }
        if let number = _exactly(value, Int.self) { return .integer(Int64(number)) }
        if let number = _exactly(value, Double.self) { return .double(number) }
        return (value as? NSNumber ?? decimalNumber(value)).map { AttributeValue($0) }
    }

    /// A decimal number, or any other, which Apple's objects convert as well.
    private static func decimalNumber(_ value: Any) -> NSDecimalNumber? {
        if let number = value as? NSDecimalNumber { return number }
        if let decimal = value as? Decimal { return NSDecimalNumber(decimal: decimal) }
        // There is no infinite decimal.
        guard let number = value as? NSNumber, !number.doubleValue.isInfinite else { return nil }
        return NSDecimalNumber(decimal: number.decimalValue)
    }

    private func compositeValue(_ value: Any) -> [String: Any]? {
        guard let values = value as? [String: Any],
            let elements = (self as? NSCompositeAttributeDescription)?.elements
        else { return nil }
        var canonical: [String: Any] = [:]
        for (name, value) in values {
            guard let element = elements.first(where: { $0.name == name }),
                let value = element.canonicalValue(of: value)
            else { return nil }
            canonical[name] = value
        }
        return canonical
    }
}
