import CloudKit
import CoreLocation

/// The value of a record's field.
enum StoredValue {
    case none
    case number(NSNumber)
    case text(String)
    case date(Date)
    case bytes(Data)
    case asset(CKAsset)
    case location(CLLocation)
    case reference(CKRecord.Reference)
    case list([StoredValue])
    case nested(NestedValue)

    /// The value of a record's field.
    init(_ record: CKRecord, _ name: String) {
        self.init(record.object(forKey: name) as Any?)
    }

    private init(_ value: Any?) {
        switch value {
        case let value as CKAsset: self = .asset(value)
        case let value as CKRecord.Reference: self = .reference(value)
        case let value as CLLocation: self = .location(value)
        case let value as Date: self = .date(value)
        case let value as Data: self = .bytes(value)
        case let value as String: self = .text(value)
        case let value as NSNumber: self = .number(value)
        case let value as [Any]: self = .list(value.map { StoredValue($0) })
        default: self = .none
        }
    }

    /// Whether the field already contains the value to be written.
    func equals(_ field: RecordField) -> Bool {
        switch (self, field) {
        case (.number(let stored), .boolean(let new)):
            return stored == NSNumber(value: new ? 1 : 0)
        case (.number(let stored), .integer(let new)):
            return stored == NSNumber(value: new)
        case (.number(let stored), .real(let new)):
            return stored == NSNumber(value: new)
        case (.text(let stored), .text(let new)):
            return stored == new
        case (.date(let stored), .date(let new)):
            // CloudKit keeps milliseconds.
            return abs(stored.timeIntervalSince(new)) < 0.001
        case (.bytes(let stored), .bytes(let new)):
            return stored == new
        case (.location(let stored), .location(let latitude, let longitude)):
            return stored.coordinate.latitude == latitude
                && stored.coordinate.longitude == longitude
        case (.reference(let stored), .reference(let recordID, let action)):
            return stored.recordID == recordID && stored.action == action
        case (.asset(let stored), .assetData(let new)):
            guard let url = stored.fileURL, let data = try? Data(contentsOf: url) else {
                return false
            }
            return data == new
        case (.asset(let stored), .assetFile(let new)):
            guard let url = stored.fileURL else { return false }
            return FileManager.default.contentsEqual(atPath: url.path, andPath: new.path)
        case (.list(let stored), .list(let new)):
            return stored.count == new.count && zip(stored, new).allSatisfy { $0.equals($1) }
        default:
            return false
        }
    }

    /// The records that the value refers to, given the zone of its own record.
    func recordIDs(in zoneID: CKRecordZone.ID) -> [CKRecord.ID] {
        switch self {
        case .reference(let reference): return [reference.recordID]
        case .list(let values): return values.flatMap { $0.recordIDs(in: zoneID) }
        case .bytes(let data):
            // Bytes that are an app's own data are not a nested value.
            guard let nested = try? NestedValue(data: data) else { return [] }
            return nested.recordNames.map { CKRecord.ID(recordName: $0, zoneID: zoneID) }
        default: return []
        }
    }

    /// Whether there is no value, or only null.
    var isNull: Bool {
        switch self {
        case .none, .nested(.null): return true
        default: return false
        }
    }

    /// The kind of value, for error messages.
    var kindDescription: String {
        switch self {
        case .none: return "no value"
        case .number: return "a number"
        case .text: return "a string"
        case .date: return "a date"
        case .bytes: return "bytes"
        case .asset: return "an asset"
        case .location: return "a location"
        case .reference: return "a reference"
        case .list: return "a list"
        case .nested(let value): return value.kindDescription
        }
    }
}

extension NestedValue {
    fileprivate var kindDescription: String {
        switch self {
        case .null: return "null"
        case .boolean: return "a Boolean"
        case .integer, .unsigned, .real: return "a number"
        case .text: return "a string"
        case .list: return "a list"
        case .object: return "an object with keys"
        }
    }
}
