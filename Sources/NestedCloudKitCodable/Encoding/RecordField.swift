import CloudKit
import CoreLocation

/// A value in the form in which a record's field stores it.
enum RecordField: Equatable {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case date(Date)
    case location(latitude: Double, longitude: Double)
    /// The bytes of an asset whose file has not been written yet.
    case assetData(Data)
    case assetFile(URL)
    case reference(CKRecord.ID, CKRecord.ReferenceAction)
    case bytes(Data)
    /// Values of the same case.
    case list([RecordField])

    /// The settings for all fields of a graph.
    struct Form {
        let referenceAction: CKRecord.ReferenceAction
        let dataForm: CKRecordEncoder.DataForm
        let coordinateForm: CKRecordEncoder.CoordinateForm

        /// The field for an encoded property; nil if the record has no such field.
        ///
        /// - Parameter action: The property's own reference action.
        /// - Throws: A ``CKCodableError`` if no field can store the value.
        func field(
            of value: EncodedValue, action: CKRecord.ReferenceAction?, at path: [any CodingKey]
        ) throws -> RecordField? {
            switch value.content {
            case .none, .null?:
                return nil
            case .list(let values)?:
                if values.isEmpty { return .list([]) }
                if let list = try list(of: values, action: action, at: path) {
                    return .list(list)
                }
                return .bytes(try NestedValue(value, at: path).data())
            case .object?:
                return .bytes(try NestedValue(value, at: path).data())
            case .unsigned(let number)?:
                throw tooLarge(number, at: path)
            default:
                return scalar(value, action: action, location: location(of: value))
            }
        }

        /// The fields of a list's elements, if a CloudKit list can store them: none is nil, and all
        /// have the same type.
        ///
        /// - Throws: A ``CKCodableError`` for a number that is too large. The list does not become a
        ///   nested value then, because the field's type must not depend on the numbers.
        private func list(
            of values: [EncodedValue], action: CKRecord.ReferenceAction?, at path: [any CodingKey]
        ) throws -> [RecordField]? {
            let locations = values.compactMap(location)
            // If one string is not a location, all stay strings.
            let areLocations = locations.count == values.count
            var elements: [RecordField] = []
            for value in values {
                let location = areLocations ? location(of: value) : nil
                guard let element = scalar(value, action: action, location: location) else {
                    return nil
                }
                elements.append(element)
            }
            guard Set(elements.map(\.kind)).count == 1 else { return nil }
            for (index, value) in values.enumerated() {
                guard case .unsigned(let number)? = value.content else { continue }
                throw tooLarge(number, at: path + [PathKey(index: index)])
            }
            return elements
        }

        private func tooLarge(_ number: UInt64, at path: [any CodingKey]) -> CKCodableError {
            CKCodableError(
                .unsupportedValue, at: path,
                reason: "A field cannot hold \(number): its integers are signed and have 64 bits.")
        }

        private func location(of value: EncodedValue) -> CLLocation? {
            guard coordinateForm == .location, case .text(let text)? = value.content else {
                return nil
            }
            return LocationText.location(text)
        }

        /// The field of a value that is neither a list nor nested; nil for others. An integer that
        /// is too large only counts as a number.
        private func scalar(
            _ value: EncodedValue, action: CKRecord.ReferenceAction?, location: CLLocation?
        ) -> RecordField? {
            if let coordinate = location?.coordinate {
                return .location(latitude: coordinate.latitude, longitude: coordinate.longitude)
            }
            switch value.content {
            case .boolean(let value)?: return .boolean(value)
            case .integer(let value)?: return .integer(value)
            case .unsigned(let value)?: return .real(Double(value))
            case .real(let value)?: return .real(value)
            case .text(let value)?: return .text(value)
            case .date(let value)?: return .date(value)
            case .data(let value)?: return dataForm == .asset ? .assetData(value) : .bytes(value)
            case .url(let value)?:
                return value.isFileURL ? .assetFile(value) : .text(value.absoluteString)
            case .record(let recordID)?: return .reference(recordID, action ?? referenceAction)
            case .none, .null?, .list?, .object?: return nil
            }
        }
    }

    fileprivate enum Kind { case number, text, date, location, asset, reference, bytes, list }

    fileprivate var kind: Kind {
        switch self {
        case .boolean, .integer, .real: return .number
        case .text: return .text
        case .date: return .date
        case .location: return .location
        case .assetData, .assetFile: return .asset
        case .reference: return .reference
        case .bytes: return .bytes
        case .list: return .list
        }
    }
}
