import CloudKit
import CoreData

/// The server's metadata of a record, in the form in which the store keeps it.
enum SystemFields {
    /// The key for a change tag that the record itself lacks. `CKRecord` ignores it.
    private static let changeTagKey = "SMChangeTag"
    /// The key for the date of creation, likewise.
    private static let creationDateKey = "SMCreationDate"

    /// The system fields of a record as bytes.
    static func data(of received: SMCloudRecord) -> Data {
        let tag = received.changeTag.flatMap { $0 == received.record.recordChangeTag ? nil : $0 }
        let date = received.creationDate.flatMap {
            $0 == received.record.creationDate ? nil : $0
        }
        if tag == nil, date == nil, let data = received.record.compactSystemFields { return data }
        return archive(of: received.record, changeTag: tag, creationDate: date)
    }

    private static func archive(
        of record: CKRecord, changeTag: String?, creationDate: Date?
    ) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        if let changeTag { archiver.encode(NSString(string: changeTag), forKey: changeTagKey) }
        if let creationDate {
            archiver.encode(creationDate.timeIntervalSinceReferenceDate, forKey: creationDateKey)
        }
        archiver.finishEncoding()
        return archiver.encodedData
    }

    /// A record with system fields and without other fields.
    ///
    /// - Throws: An error if the bytes are damaged.
    static func record(from data: Data) throws -> SMCloudRecord {
        if let record = try CKRecord.withCompactSystemFields(data) { return SMCloudRecord(record) }
        return try ArchiveDecoding.reading(data) { coder in
            guard let record = CKRecord(coder: coder) else {
                throw CocoaError(.coderReadCorrupt)
            }
            var known = SMCloudRecord(record)
            if coder.containsValue(forKey: changeTagKey) {
                let tag = coder.decodeObject(of: NSString.self, forKey: changeTagKey)
                known.changeTag = tag.map { String(describing: $0) }
            }
            if coder.containsValue(forKey: creationDateKey) {
                known.creationDate = Date(
                    timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: creationDateKey))
            }
            return known
        }
    }

    /// Whether the bytes can be read, and are those of a record with a name.
    static func areReadable(_ data: Data, of name: String) -> Bool {
        (try? record(from: data))?.record.recordID.recordName == name
    }
}

extension SMCloudRecord {
    /// Whether the record has not been saved again since the server created it, judged by its
    /// dates.
    var isAsCreated: Bool { creationDate != nil && creationDate == modificationDate }

    /// Whether the record was deleted on the server and created again since the store received the
    /// version that an entry names, judged by the dates. If the entry's date cannot be read: whether it
    /// is another version, and the first of its record.
    func isMadeAgain(since entry: ObjectEntry) -> Bool {
        // What Apple's frameworks do here is an assumption: SM-13.
        if let differs = Self.differ(creationDate, from: entry.systemFields, \.creationDate) {
            return differs
        }
        return isAsCreated && entry.changeTag != nil && entry.changeTag != changeTag
    }

    /// Whether a date differs from the one in system fields; nil if one of the two is unknown.
    private static func differ(
        _ date: Date?, from systemFields: Data?, _ key: KeyPath<SMCloudRecord, Date?>
    ) -> Bool? {
        // What Apple's frameworks do here is an assumption: CK-36.
        guard let date, let systemFields,
            let known = (try? SystemFields.record(from: systemFields))?[keyPath: key]
        else { return nil }
        return !date.isSameOnServer(as: known)
    }
}

extension Date {
    /// Whether the server has sent the same date. An archive may round dates, which are sent in milliseconds.
    func isSameOnServer(as other: Date) -> Bool { abs(timeIntervalSince(other)) <= 0.0005 }
}
