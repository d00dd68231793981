import CloudKit
import CoreData

// CloudKit on Linux has a compact form for the system fields, which is a hundred times faster. On
// Apple's systems there is only the archive.

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
