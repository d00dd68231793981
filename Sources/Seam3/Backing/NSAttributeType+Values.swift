import CoreData

extension NSAttributeType {
    /// The value of an attribute of this type, which no transformer makes, from what its column keeps;
    /// none for NULL and for what cannot be one.
    func attributeValue(_ stored: SQLiteValue) -> AttributeValue {
        switch stored {
        case .null: return .none
        case .integer(let number): return attributeValue(number)
        case .real(let number): return attributeValue(number)
        case .text(let text): return attributeValue(text)
        case .blob(let data): return attributeValue(data)
        }
    }

    private func attributeValue(_ number: Int64) -> AttributeValue {
        switch self {
        case .booleanAttributeType: return .boolean(number != 0)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return .integer(number)
        default: return attributeValue(Double(number))
        }
    }

    private func attributeValue(_ number: Double) -> AttributeValue {
        switch self {
        case .doubleAttributeType: return .double(number)
        case .floatAttributeType: return .float(Float(number))
        case .dateAttributeType: return .date(Date(timeIntervalSinceReferenceDate: number))
        default: return .none
        }
    }

    private func attributeValue(_ text: String) -> AttributeValue {
        switch self {
        case .stringAttributeType: return .string(text)
        case .decimalAttributeType:
            guard let decimal = DecimalCollation.decimal(text) else { return .none }
            return .init(keeping: NSDecimalNumber(decimal: decimal))
        case .URIAttributeType: return URL(string: text).map { .url($0) } ?? .none
        case .doubleAttributeType: return .double(.nan)
        case .floatAttributeType: return .float(.nan)
        default: return .none
        }
    }

    private func attributeValue(_ data: Data) -> AttributeValue {
        switch self {
        case .binaryDataAttributeType: return .data(data)
        case .UUIDAttributeType where data.count == 16:
            return .uuid(UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
        default: return .none
        }
    }
}
