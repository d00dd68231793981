import CloudKit
import CloudKitService
import CoreLocation
import Seam3

/// Converts records to the service's format and back, using only the public API of `CKRecord`.
enum RecordWire {
    // MARK: - To the service

    /// The keys of a record to send. It is undocumented whether a record's keys include those of
    /// encrypted values, so these are removed.
    static func plainKeys(of record: CKRecord) -> Set<String> {
        Set(record.changedKeys()).subtracting(record.encryptedValues.changedKeys())
    }

    /// The files to upload with a record, by field in a fixed order.
    static func assets(of record: CKRecord) -> [(key: String, assets: [CKAsset])] {
        plainKeys(of: record).sorted().compactMap { key in
            let assets = leaves(of: record.object(forKey: key)).compactMap { $0 as? CKAsset }
                .filter { $0.fileURL != nil }
            return assets.isEmpty ? nil : (key, assets)
        }
    }

    /// The operation that saves the changed keys of a record over the version it is based on.
    ///
    /// - Parameters:
    ///   - sent: The record.
    ///   - uploads: The uploaded form of its assets by field.
    static func saveOperation(
        _ sent: SMCloudRecord, uploads: [String: [AssetDictionary]]
    ) -> RecordOperation {
        let record = sent.record
        var fields: [String: RecordFieldDictionary] = [:]
        for key in plainKeys(of: record) {
            var uploaded = (uploads[key] ?? [])[...]
            fields[key] = RecordFieldDictionary(
                fieldValue(record.object(forKey: key), &uploaded))
        }
        for key in record.encryptedValues.changedKeys() {
            var none: ArraySlice<AssetDictionary> = []
            fields[key] = RecordFieldDictionary(
                fieldValue(record.encryptedValues.object(forKey: key), &none), isEncrypted: true)
        }
        return RecordOperation(
            sent.changeTag == nil ? .create : .update,
            RecordDictionary(
                recordName: record.recordID.recordName, recordType: record.recordType,
                recordChangeTag: sent.changeTag, fields: fields,
                zoneID: ZoneIDDictionary(record.recordID.zoneID)))
    }

    private static func leaves(of value: Any?) -> [Any] {
        guard let value else { return [] }
        return (value as? NSArray).map { Array($0) } ?? [value]
    }

    /// A record's value in the form in which it is sent; nil clears the field.
    private static func fieldValue(
        _ value: Any?, _ uploads: inout ArraySlice<AssetDictionary>
    ) -> FieldValue? {
        switch value {
        case let text as NSString: return .string(String(describing: text))
        case let text as String: return .string(text)
        case let number as NSNumber: return fieldValue(number)
        case let data as NSData: return .bytes(Data(referencing: data))
        case let data as Data: return .bytes(data)
        case let date as NSDate:
            let interval = date.timeIntervalSinceReferenceDate
            return .timestamp(Date(timeIntervalSinceReferenceDate: interval))
        case let date as Date: return .timestamp(date)
        case let reference as CKRecord.Reference:
            return .reference(
                ReferenceDictionary(
                    recordName: reference.recordID.recordName,
                    zoneID: ZoneIDDictionary(reference.recordID.zoneID),
                    action: reference.action == .deleteSelf ? .deleteSelf : .some(.none)))
        case is CKAsset: return .asset(uploads.popFirst() ?? AssetDictionary())
        case let location as CLLocation: return .location(LocationDictionary(location))
        case let list as NSArray: return .list(list.compactMap { fieldValue($0, &uploads) })
        default: return nil
        }
    }

    private static func fieldValue(_ number: NSNumber) -> FieldValue {
        // "d" and "f" are the Objective-C type codes of double and float.
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .double(number.doubleValue)
        default: return .int64(number.int64Value)
        }
    }

    // MARK: - From the service

    /// The ID of a record in a zone; nil if no record can have the name. CloudKit ends a process that makes such an ID.
    static func recordID(_ name: String, zoneID: CKRecordZone.ID) -> CKRecord.ID? {
        guard !name.isEmpty, name.utf16.count <= 255 else { return nil }
        return CKRecord.ID(recordName: name, zoneID: zoneID)
    }

    /// Whether a record can have a type.
    private static func isRecordType(_ type: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return type.utf8.count <= 255 && type.utf8.first.map(isLetter) == true
            && type.utf8.allSatisfy {
                isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "_")
            }
    }

    /// A record that the service has returned, with its change tag; nil if no record can have its name or its type.
    ///
    /// - Parameters:
    ///   - dictionary: The record in the service's format.
    ///   - zoneID: Its zone.
    ///   - files: The downloaded files of its assets by field; an asset without one has no file.
    static func record(
        _ dictionary: RecordDictionary, zoneID: CKRecordZone.ID, files: [String: [URL]] = [:]
    ) -> SMCloudRecord? {
        guard let type = dictionary.recordType, isRecordType(type),
            let recordID = recordID(dictionary.recordName, zoneID: zoneID)
        else { return nil }
        let record = CKRecord(recordType: type, recordID: recordID)
        for (key, field) in dictionary.fields {
            guard let value = field.value else { continue }
            var fieldFiles = (files[key] ?? [])[...]
            let object = object(value, zoneID: zoneID, &fieldFiles)
            if field.isEncrypted {
                record.encryptedValues.setObject(object, forKey: key)
            } else {
                record.setObject(object, forKey: key)
            }
        }
        return cloudRecord(record, dictionary)
    }

    /// A record with the change tag and the dates that the service has returned.
    static func cloudRecord(
        _ record: CKRecord, _ dictionary: RecordDictionary
    ) -> SMCloudRecord {
        func date(_ stamp: RecordDictionary.RecordTimestamp?) -> Date? {
            stamp.map { Date(timeIntervalSince1970: Double($0.timestamp) / 1000) }
        }
        return SMCloudRecord(
            record, changeTag: dictionary.recordChangeTag, creationDate: date(dictionary.created),
            modificationDate: date(dictionary.modified))
    }

    private static func object(
        _ value: FieldValue, zoneID: CKRecordZone.ID, _ files: inout ArraySlice<URL>
    ) -> (any CKRecordValue)? {
        switch value {
        case .string(let text): return NSString(string: text)
        case .int64(let number): return NSNumber(value: number)
        case .double(let number): return NSNumber(value: number)
        case .bytes(let data): return NSData(data: data)
        case .timestamp(let milliseconds):
            return NSDate(timeIntervalSince1970: Double(milliseconds) / 1000)
        case .location(let location): return CLLocation(dictionary: location)
        case .reference(let reference):
            let zoneID = reference.zoneID.map(CKRecordZone.ID.init(dictionary:)) ?? zoneID
            return recordID(reference.recordName, zoneID: zoneID).map {
                CKRecord.Reference(
                    recordID: $0, action: reference.action == .deleteSelf ? .deleteSelf : .none)
            }
        case .asset: return files.popFirst().map { CKAsset(fileURL: $0) }
        case .list(let values):
            return NSArray(
                array: values.compactMap { object($0, zoneID: zoneID, &files) })
        }
    }
}

extension RecordDictionary {
    /// The assets of a record, by field.
    var assets: [String: [AssetDictionary]] {
        fields.compactMapValues { field in
            switch field.value {
            case .asset(let asset): return [asset]
            case .list(let values):
                let assets = values.compactMap { value -> AssetDictionary? in
                    if case .asset(let asset) = value { return asset }
                    return nil
                }
                return assets.isEmpty ? nil : assets
            default: return nil
            }
        }
    }
}

extension ZoneIDDictionary {
    /// A zone of the private database.
    init(_ zoneID: CKRecordZone.ID) {
        self.init(
            zoneName: zoneID.zoneName,
            ownerRecordName: zoneID.ownerName == CKCurrentUserDefaultName ? nil : zoneID.ownerName)
    }
}

extension CKRecordZone.ID {
    /// A zone of the private database. It belongs to the current user, whatever owner name the
    /// service returns.
    convenience init(dictionary: ZoneIDDictionary) {
        let name = dictionary.zoneName
        // CloudKit ends a process that makes the ID of a zone without a name, or with too long a one.
        let isPossible = !name.isEmpty && name.utf16.count <= 255
        self.init(
            zoneName: isPossible ? name : CKRecordZone.ID.defaultZoneName,
            ownerName: CKCurrentUserDefaultName)
    }
}

extension CLLocation {
    convenience init(dictionary: LocationDictionary) {
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: dictionary.latitude, longitude: dictionary.longitude),
            altitude: dictionary.altitude ?? 0,
            horizontalAccuracy: dictionary.horizontalAccuracy ?? 0,
            verticalAccuracy: dictionary.verticalAccuracy ?? -1, course: dictionary.course ?? -1,
            speed: dictionary.speed ?? -1,
            timestamp: Date(timeIntervalSince1970: Double(dictionary.timestamp ?? 0) / 1000))
    }
}

extension LocationDictionary {
    init(_ location: CLLocation) {
        self.init(
            latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
            horizontalAccuracy: location.horizontalAccuracy,
            verticalAccuracy: location.verticalAccuracy, altitude: location.altitude,
            speed: location.speed, course: location.course,
            timestamp: location.timestamp.milliseconds)
    }
}
