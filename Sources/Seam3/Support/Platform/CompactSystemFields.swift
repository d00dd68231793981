import CloudKit
import CoreData

// CloudKit on Linux has a form of its own for the system fields, of a hundredth of the time. On Apple's
// systems there is none but the archive.

extension CKRecord {
    #if canImport(ObjectiveC)
    /// The system fields in the compact form; nil where there is none.
    var compactSystemFields: Data? { nil }

    /// The record with system fields in the compact form; nil for bytes of another form.
    ///
    /// - Throws: An error if the bytes are damaged.
    static func withCompactSystemFields(_ data: Data) throws -> CKRecord? { nil }
    #else
    /// The system fields in the compact form; nil where there is none.
    var compactSystemFields: Data? { _systemFields }

    /// The record with system fields in the compact form; nil for bytes of another form.
    ///
    /// - Throws: An error if the bytes are damaged.
    static func withCompactSystemFields(_ data: Data) throws -> CKRecord? {
        guard _areSystemFields(data) else { return nil }
        guard let record = _record(systemFields: data) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return record
    }
    #endif
}
