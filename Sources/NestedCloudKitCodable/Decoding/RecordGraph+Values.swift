import CloudKit
import CoreLocation

/// A list type. Its empty value has no field in a record.
private protocol EmptyList {
    static var empty: Self { get }
}

extension Array: EmptyList where Element: Decodable {
    fileprivate static var empty: Self { [] }
}

extension Set: EmptyList where Element: Decodable {
    fileprivate static var empty: Self { [] }
}

/// An optional of a list type.
private protocol OptionalList {
    static var someEmpty: Self { get }
}

extension Optional: OptionalList where Wrapped: EmptyList {
    fileprivate static var someEmpty: Self { .some(Wrapped.empty) }
}

extension RecordGraph {
    /// The empty value of a list type; nil for other types.
    func emptyList<T>(_ type: T.Type) -> T? {
        guard let list = type as? any EmptyList.Type else { return nil }
        return list.empty as? T
    }

    /// The empty value of an optional list type; nil for other types.
    func emptyOptionalList<T>(_ type: T.Type) -> T? {
        guard let list = type as? any OptionalList.Type else { return nil }
        return list.someEmpty as? T
    }

    /// Decodes a value of any type.
    func decode<T: Decodable>(
        _ type: T.Type, from value: StoredValue, in zoneID: CKRecordZone.ID,
        at codingPath: [any CodingKey]
    ) throws -> T {
        guard let scalar = ScalarType(type) else {
            if let recordID = recordID(in: value, for: type, zoneID: zoneID) {
                return try object(type, of: recordID, at: codingPath)
            }
            if case .none = value, let empty = emptyList(type) { return empty }
            return try T(
                from: ValueDecoder(
                    graph: self, source: .value(value, zoneID), codingPath: codingPath))
        }
        do {
            if let result = try scalar.value(of: value) as? T { return result }
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "The asset's file cannot be read.",
                    underlyingError: error))
        }
        throw DecodingError.mismatch(
            type, expected: "\(type)", found: value,
            description: scalar.description(of: value), at: codingPath)
    }

    /// Whether a value is nil for an optional property: missing, null, or a reference to an
    /// unavailable object.
    func isNil(_ value: StoredValue, in zoneID: CKRecordZone.ID) -> Bool {
        switch value {
        case .none, .nested(.null):
            return true
        case .reference(let reference):
            return !isAvailable(reference.recordID)
        case .nested(let nested):
            guard let name = nested.recordName else { return false }
            return !isAvailable(CKRecord.ID(recordName: name, zoneID: zoneID))
        default:
            return false
        }
    }

    private func recordID<T>(
        in value: StoredValue, for type: T.Type, zoneID: CKRecordZone.ID
    ) -> CKRecord.ID? {
        switch value {
        case .reference(let reference):
            return reference.recordID
        case .nested(let nested) where type is any CKRecordRepresentable.Type:
            return nested.recordName.map { CKRecord.ID(recordName: $0, zoneID: zoneID) }
        default:
            return nil
        }
    }
}
