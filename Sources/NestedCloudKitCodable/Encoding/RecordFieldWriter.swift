import CloudKit
import CoreLocation

#if SWIFT_PACKAGE
import PrivateFiles
#endif

/// Writes fields to records, and data to the files of assets.
final class RecordFieldWriter {
    /// A field with its assets' files written.
    enum Value {
        case none
        case single(RecordField)
        case asset(CKAsset)
        case list([RecordField])
        case assets([CKAsset])
    }

    private let directory: URL
    /// The files that were written for assets.
    private(set) var files: [URL] = []

    init(directory: URL) {
        self.directory = directory
    }

    /// The fields that must be set in a record; nothing is set yet. Fields that do not belong to
    /// the object are left alone.
    ///
    /// - Throws: An error of the file system.
    func changes(
        of record: CKRecord?, to entry: RecordGraphEncoder.Entry
    ) throws -> [(String, Value)] {
        var changes: [(String, Value)] = []
        for (name, field) in entry.fields.sorted(by: { $0.key < $1.key }) {
            let stored = record.map { StoredValue($0, name) } ?? .none
            if stored.equals(field) { continue }
            // CloudKit cannot determine the type of an empty list, and refuses it as the first
            // value of a field.
            if case .none = stored, field == .list([]) { continue }
            changes.append((name, try value(of: field)))
        }
        for name in record?.allKeys() ?? []
        where entry.fields[name] == nil && entry.names.contains(name) {
            changes.append((name, .none))
        }
        return changes
    }

    private func value(of field: RecordField) throws -> Value {
        switch field {
        case .assetData, .assetFile:
            return .asset(try asset(of: field))
        case .list(let elements):
            switch elements.first {
            case .assetData?, .assetFile?: return .assets(try elements.map(asset))
            default: return .list(elements)
            }
        default:
            return .single(field)
        }
    }

    private func asset(of field: RecordField) throws -> CKAsset {
        switch field {
        case .assetFile(let url):
            return CKAsset(fileURL: url)
        case .assetData(let data):
            let url = directory.appendingPathComponent("\(UUID().uuidString).asset")
            try PrivateFile.write(data, to: url)
            files.append(url)
            return CKAsset(fileURL: url)
        default:
            throw CKCodableError(
                .unsupportedValue, at: [], reason: "Only data and files become assets.")
        }
    }

    /// Sets a field.
    static func set(_ value: Value, for name: String, in record: CKRecord) {
        switch value {
        case .none: record[name] = nil
        case .asset(let asset): record[name] = asset
        case .assets(let assets): record[name] = assets
        case .single(let field): set(field, for: name, in: record)
        case .list(let elements): set(elements, for: name, in: record)
        }
    }

    private static func set(_ field: RecordField, for name: String, in record: CKRecord) {
        switch field {
        case .boolean(let value): record[name] = value
        case .integer(let value): record[name] = value
        case .real(let value): record[name] = value
        case .text(let value): record[name] = value
        case .date(let value): record[name] = value
        case .bytes(let value): record[name] = value
        case .location(let latitude, let longitude):
            record[name] = CLLocation(latitude: latitude, longitude: longitude)
        case .reference(let recordID, let action):
            record[name] = CKRecord.Reference(recordID: recordID, action: action)
        case .assetData, .assetFile, .list:
            break
        }
    }

    /// Sets a list, whose elements have the same type. Integers among fractions become fractions.
    /// An empty list has any type.
    private static func set(_ elements: [RecordField], for name: String, in record: CKRecord) {
        switch elements.first {
        case .boolean?, .integer?, .real?:
            let integers = elements.compactMap(\.integer)
            if integers.count == elements.count {
                record[name] = integers
            } else {
                record[name] = elements.compactMap(\.real)
            }
        case .text?:
            record[name] = elements.compactMap { field -> String? in
                if case .text(let value) = field { return value }
                return nil
            }
        case .bytes?:
            record[name] = elements.compactMap { field -> Data? in
                if case .bytes(let value) = field { return value }
                return nil
            }
        case .date?:
            record[name] = elements.compactMap { field -> Date? in
                if case .date(let value) = field { return value }
                return nil
            }
        case .location?:
            record[name] = elements.compactMap { field -> CLLocation? in
                guard case .location(let latitude, let longitude) = field else { return nil }
                return CLLocation(latitude: latitude, longitude: longitude)
            }
        case .reference?:
            record[name] = elements.compactMap { field -> CKRecord.Reference? in
                guard case .reference(let recordID, let action) = field else { return nil }
                return CKRecord.Reference(recordID: recordID, action: action)
            }
        case nil:
            record[name] = [String]()
        default:
            break
        }
    }
}

extension RecordField {
    /// The value as an integer, if it is a Boolean or an integer.
    fileprivate var integer: Int64? {
        switch self {
        case .boolean(let value): return value ? 1 : 0
        case .integer(let value): return value
        default: return nil
        }
    }

    /// The value as a fraction, if it is a number.
    fileprivate var real: Double? {
        if case .real(let value) = self { return value }
        return integer.map(Double.init)
    }
}
