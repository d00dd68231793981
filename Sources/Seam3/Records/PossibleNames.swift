import CloudKit
import CoreData

// CloudKit ends the process that makes an ID of a name that no record can have. A server, another client or a file
// from elsewhere may contain one.

extension CKRecord.ID {
    /// The ID of a record in a zone; nil if no record can have the name.
    static func ofRecord(named name: String, in zoneID: CKRecordZone.ID) -> CKRecord.ID? {
        RecordNames.isPossible(name) ? CKRecord.ID(recordName: name, zoneID: zoneID) : nil
    }

    /// The ID of a record in a zone.
    ///
    /// - Throws: ``SMStoreError/refusedByServer(_:)`` if no record can have the name.
    static func record(named name: String, in zoneID: CKRecordZone.ID) throws -> CKRecord.ID {
        guard let recordID = ofRecord(named: name, in: zoneID) else {
            throw SMStoreError.refusedByServer(
                "no record can have the name “\(RecordNames.excerpt(of: name))”")
        }
        return recordID
    }
}

extension CKRecord.Reference {
    /// The name of its destination; nil if no record can have it.
    var destinationName: String? {
        let name = recordID.recordName
        return RecordNames.isPossible(name) ? name : nil
    }
}

extension RecordNames {
    /// Whether CloudKit's client can ask for a record with a name.
    static func isPossible(_ name: String) -> Bool { !name.isEmpty && name.utf16.count <= 255 }

    /// The beginning of a name, for a message.
    static func excerpt(of name: String) -> String {
        name.utf16.count <= 64 ? name : name.prefix(64) + "…"
    }

    /// Whether a name is possible. One that is not is logged, because the caller leaves it out.
    static func accepts(_ name: String) -> Bool {
        if isPossible(name) { return true }
        StoreLog.error("No record can have the name “\(excerpt(of: name))”: it is left out")
        return false
    }
}
