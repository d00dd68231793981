import CloudKit
import CoreData

/// A record with its change tag and its dates.
///
/// `CKRecord` gets those only from CloudKit itself. So what a record that has come from elsewhere has of
/// them is sent beside it.
public struct SMCloudRecord: Sendable {
    /// The record: with all its fields if it has come from the server, with those to send otherwise.
    public var record: CKRecord
    /// The version that the server has, or that the changes are based on; nil for a new record.
    public var changeTag: String?
    /// When the server has made the record; nil if that is not known. A record that was deleted and made
    /// again is another one, of another date.
    public var creationDate: Date?
    /// When the server has saved the record last, at first when it made it; nil if that is not known.
    public var modificationDate: Date?

    /// A record, its tag and its dates.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - changeTag: The server's name of its version.
    ///   - creationDate: When the server has made it.
    ///   - modificationDate: When the server has saved it last.
    public init(
        _ record: CKRecord, changeTag: String?, creationDate: Date? = nil,
        modificationDate: Date? = nil
    ) {
        self.record = record
        self.changeTag = changeTag
        self.creationDate = creationDate
        self.modificationDate = modificationDate
    }

    /// A record that has its tag and its dates itself, as all have that come from CloudKit.
    ///
    /// - Parameter record: The record.
    public init(_ record: CKRecord) {
        self.init(
            record, changeTag: record.recordChangeTag, creationDate: record.creationDate,
            modificationDate: record.modificationDate)
    }
}

/// One page of what has happened to the zones of a database.
public struct SMCloudDatabaseChanges: Sendable {
    /// Why zones are gone.
    public var losses: [CKRecordZone.ID: SMZoneLoss] = [:]
    /// The zones that are new or have changed records.
    public var changed: Set<CKRecordZone.ID> = []
    /// Where the next page begins. Equal to the token that was given if nothing has happened.
    public var token: Data?
    /// Whether the next page is there already.
    public var moreComing = false

    /// A page without changes and without a token.
    public init() {}
}

/// One page of what has happened to the records of a zone.
public struct SMCloudZoneChanges: Sendable {
    /// The records that are new or changed, with all their fields.
    public var records: [SMCloudRecord] = []
    /// The records that were deleted.
    public var deletions: [CKRecord.ID] = []
    /// Why records could not be fetched.
    public var failures: [CKRecord.ID: any Error] = [:]
    /// Where the next page begins. Equal to the token that was given if nothing has happened.
    public var token: Data?
    /// What the last request that changed the zone has left there; nil if it has left nothing.
    public var clientToken: Data?
    /// Whether the next page is there already.
    public var moreComing = false

    /// A page without changes and without a token.
    public init() {}
}

/// The answer to a request that saves and deletes records.
public struct SMCloudModifications: Sendable {
    /// The saved records as the server has them, and why others were not saved. A record of which
    /// nothing is known is in neither of the two.
    public var saved: [CKRecord.ID: Result<SMCloudRecord, any Error>] = [:]
    /// The deleted records, and why others were not deleted.
    public var deleted: [CKRecord.ID: Result<Void, any Error>] = [:]
    /// What the server has of records that were not saved because it has another version
    /// (`serverRecordChanged`), where it has told. Their assets lack files.
    public var serverRecords: [CKRecord.ID: SMCloudRecord] = [:]
    /// What the request failed with as a whole; nil if it did not. Records may have been answered for
    /// before.
    public var failure: (any Error)?

    /// An answer that says nothing.
    public init() {}
}
