import CloudKit
import CoreData

/// A record with its change tag and its dates.
///
/// A `CKRecord` gets these values only from CloudKit. For a record from another source they are
/// kept beside it.
public struct SMCloudRecord: Sendable {
    /// The record: with all its fields if it comes from the server, otherwise with the fields to
    /// send.
    public var record: CKRecord
    /// The server's version, or the version that the changes are based on; nil for a new record.
    public var changeTag: String?
    /// When the server created the record; nil if unknown. A record that was deleted and created
    /// again is a different one, with a different date.
    public var creationDate: Date?
    /// When the server last saved the record, initially the date of its creation; nil if unknown.
    public var modificationDate: Date?

    /// Creates a record with its change tag and its dates.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - changeTag: The server's name of its version.
    ///   - creationDate: When the server created it.
    ///   - modificationDate: When the server last saved it.
    public init(
        _ record: CKRecord, changeTag: String?, creationDate: Date? = nil,
        modificationDate: Date? = nil
    ) {
        self.record = record
        self.changeTag = changeTag
        self.creationDate = creationDate
        self.modificationDate = modificationDate
    }

    /// Takes the change tag and the dates from the record itself, for records that come from
    /// CloudKit.
    ///
    /// - Parameter record: The record.
    public init(_ record: CKRecord) {
        self.init(
            record, changeTag: record.recordChangeTag, creationDate: record.creationDate,
            modificationDate: record.modificationDate)
    }
}

/// One page of changes of a database's zones.
public struct SMCloudDatabaseChanges: Sendable {
    /// The zones that are gone, and why.
    public var losses: [CKRecordZone.ID: SMZoneLoss] = [:]
    /// The zones that are new or have changed records.
    public var changed: Set<CKRecordZone.ID> = []
    /// The token for the next page. Equal to the given token if nothing has changed.
    public var token: Data?
    /// Whether another page is available now.
    public var moreComing = false

    /// A page without changes and without a token.
    public init() {}
}

/// One page of changes of a zone's records.
public struct SMCloudZoneChanges: Sendable {
    /// The records that are new or have changed, with all their fields.
    public var records: [SMCloudRecord] = []
    /// The records that were deleted.
    public var deletions: [CKRecord.ID] = []
    /// Why records could not be fetched.
    public var failures: [CKRecord.ID: any Error] = [:]
    /// The token for the next page. Equal to the given token if nothing has changed.
    public var token: Data?
    /// The client token of the last request that had one; nil if there was none.
    public var clientToken: Data?
    /// Whether another page is available now.
    public var moreComing = false

    /// A page without changes and without a token.
    public init() {}
}

/// The answer to a request that saves and deletes records.
public struct SMCloudModifications: Sendable {
    /// The saved records as the server has them, and the errors of those that were not saved. A
    /// record whose result is unknown is not contained.
    public var saved: [CKRecord.ID: Result<SMCloudRecord, any Error>] = [:]
    /// The deleted records, and the errors of those that were not deleted.
    public var deleted: [CKRecord.ID: Result<Void, any Error>] = [:]
    /// The server's versions of records that were not saved because of a conflict
    /// (`serverRecordChanged`), if the server returned them. Their assets lack files.
    public var serverRecords: [CKRecord.ID: SMCloudRecord] = [:]
    /// The error of the request as a whole; nil if it did not fail. Results for single records may
    /// have been reported before it.
    public var failure: (any Error)?

    /// An answer without results.
    public init() {}
}
