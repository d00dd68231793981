import FoundationGaps

// Objects keep the values of attributes in one canonical form each, so that what is read through
// key-value coding is what Apple returns:
//
//   integers, floating point, Booleans   NSNumber
//   decimals                             NSDecimalNumber
//   strings, dates, data, UUIDs, URIs    String, Date, Data, UUID, URL
//   composite attributes                 [String: Any] of canonical values
//   transformable and undefined          the value as it was given
//
// Numbers are NSNumber because a Swift Int64 in an `Any` casts to nothing but Int64, while an
// NSNumber casts to every numeric type that can represent it, as on Apple's systems.

extension NSAttributeDescription {
    /// The canonical form of a value, or nil if the attribute cannot hold it.
    final func canonicalValue(of value: Any) -> Any? {
        switch attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
            return Self.number(value)
        case .stringAttributeType:
            return _exactly(value, String.self) ?? value as? String
        case .dateAttributeType:
            return value as? Date
        case .binaryDataAttributeType:
            return value as? Data
        case .decimalAttributeType:
            if let number = value as? NSDecimalNumber { return number }
            return (value as? Decimal).map { NSDecimalNumber(decimal: $0) }
        case .UUIDAttributeType:
            return value as? UUID
        case .URIAttributeType:
            return value as? URL
        case .compositeAttributeType:
            return compositeValue(value)
        case .transformableAttributeType, .undefinedAttributeType, .objectIDAttributeType:
            return value is NSNull ? nil : value
        }
    }

    /// The canonical form of a value; stops the process with Apple's exception text if the
    /// attribute cannot hold it.
    final func requireCanonicalValue(of value: Any) -> Any {
        guard let canonical = canonicalValue(of: value) else {
            raise(.invalidArgument, unacceptableTypeReason(of: value))
        }
        return canonical
    }

    /// Apple's text for a value of a type that the attribute cannot hold.
    final func unacceptableTypeReason(of value: Any) -> String {
        "Unacceptable type of value for attribute: property = \"\(name)\"; "
            + "desired type = \(attributeValueClassName ?? "NSObject"); "
            + "given type = \(Swift.type(of: value)); value = \(value)."
    }

    /// Numbers and Booleans of any Swift type; strings and the rest are not numbers.
    private static func number(_ value: Any) -> NSNumber? {
        if let number = _exactly(value, NSNumber.self) { return number }
        if let number = _exactly(value, Int.self) { return NSNumber(value: number) }
        return value as? NSNumber
    }

    private func compositeValue(_ value: Any) -> Any? {
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
