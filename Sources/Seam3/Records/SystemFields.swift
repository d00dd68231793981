import CloudKit
import CoreData

/// What the server keeps of a record beside its fields, in the form the store keeps it.
enum SystemFields {
    /// The system fields of a record as bytes.
    static func data(of record: CKRecord) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    /// A record with system fields and nothing else.
    ///
    /// - Throws: An error if the bytes are damaged.
    static func record(from data: Data) throws -> CKRecord {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        defer { unarchiver.finishDecoding() }
        guard let record = CKRecord(coder: unarchiver) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return record
    }

    /// Whether the bytes can be read.
    static func isReadable(_ data: Data) -> Bool {
        (try? record(from: data)) != nil
    }
}
