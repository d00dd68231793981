import CloudKit
import CoreData

/// What the server keeps of a record beside its fields, in the form the store keeps it.
enum SystemFields {
    /// The key of a change tag that the record itself does not have. `CKRecord` ignores it.
    private static let changeTagKey = "SMChangeTag"

    /// The system fields of a record as bytes.
    static func data(of received: SMCloudRecord) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        received.record.encodeSystemFields(with: archiver)
        if let tag = received.changeTag, tag != received.record.recordChangeTag {
            archiver.encode(NSString(string: tag), forKey: changeTagKey)
        }
        archiver.finishEncoding()
        return archiver.encodedData
    }

    /// A record with system fields and nothing else.
    ///
    /// - Throws: An error if the bytes are damaged.
    static func record(from data: Data) throws -> SMCloudRecord {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        guard let record = CKRecord(coder: unarchiver) else {
            throw CocoaError(.coderReadCorrupt)
        }
        guard unarchiver.containsValue(forKey: changeTagKey) else { return SMCloudRecord(record) }
        let tag = unarchiver.decodeObject(of: NSString.self, forKey: changeTagKey)
        return SMCloudRecord(record, changeTag: tag.map { String(describing: $0) })
    }

    /// Whether the bytes can be read.
    static func isReadable(_ data: Data) -> Bool {
        (try? record(from: data)) != nil
    }
}
