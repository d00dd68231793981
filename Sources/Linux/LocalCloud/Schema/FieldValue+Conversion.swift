import CloudKitService
import Foundation

/// Converts values for which the request does not name a type to the type of their field.
extension FieldValue {
    /// The value converted to a field's type: a number to a date or an integer, base64 to bytes.
    ///
    /// - Returns: nil if the value cannot be converted.
    func converted(to type: FieldType) -> FieldValue? {
        if let element = type.element {
            guard case .list(let elements) = self else { return nil }
            let converted = elements.compactMap { $0.converted(to: element) }
            return converted.count == elements.count ? .list(converted) : nil
        }
        switch (self, type) {
        case (.int64(let number), .timestamp):
            return .timestamp(number)
        case (.double(let number), .timestamp):
            return Int64(exactly: number.rounded()).map(FieldValue.timestamp)
        case (.double(let number), .int64):
            return Int64(exactly: number).map(FieldValue.int64)
        case (.int64(let number), .double):
            return .double(Double(number))
        case (.string(let text), .bytes):
            return Data(base64Encoded: text).map(FieldValue.bytes)
        default:
            return type.accepts(self.type) ? self : nil
        }
    }
}

extension RecordFieldDictionary {
    /// The field with its value converted to a known type, if the request does not name one.
    ///
    /// - Returns: The same field if the value cannot be converted.
    func converted(to type: FieldType) -> RecordFieldDictionary {
        guard isTypeInferred, let value = value?.converted(to: type) else { return self }
        return RecordFieldDictionary(value, isEncrypted: isEncrypted)
    }
}

extension QueryDictionary {
    /// The query with its comparison values converted to the fields' types, if the request does not
    /// name their types.
    ///
    /// - Parameter fieldTypes: The types of the record type's fields.
    func converted(
        to fieldTypes: @autoclosure () throws -> [String: FieldType]
    ) rethrows -> QueryDictionary {
        guard filterBy?.contains(where: { $0.fieldValue?.isTypeInferred == true }) == true else {
            return self
        }
        let types = try fieldTypes()
        var query = self
        query.filterBy = filterBy?.map { filter in
            let system = filter.systemFieldName.flatMap { SystemField(rawValue: $0)?.type }
            guard let type = system ?? filter.fieldName.flatMap({ types[$0] }) else {
                return filter
            }
            var filter = filter
            filter.fieldValue = filter.fieldValue?.converted(comparedWith: type)
            return filter
        }
        return query
    }
}

extension RecordFieldDictionary {
    /// The value with which to compare a field of this type: a value of the type, an element of its
    /// list, or a list of such values.
    fileprivate func converted(comparedWith type: FieldType) -> RecordFieldDictionary {
        let isList = if case .list = value { true } else { false }
        let element = type.element ?? type
        return converted(to: isList ? element.list : element)
    }
}

extension SystemField {
    /// The type of the field's values.
    fileprivate var type: FieldType {
        switch self {
        case .createdTimestamp, .modifiedTimestamp: .timestamp
        case .recordName, .createdUserRecordName, .modifiedUserRecordName, .parent, .share:
            .reference
        }
    }
}
