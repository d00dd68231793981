extension CKRecord {
    /// The types of the records that CloudKit creates itself.
    public enum SystemType {
        /// The record of a user.
        public static let userRecord: RecordType = "Users"

        /// The record of a share.
        public static let share: RecordType = "cloudkit.share"
    }

    /// The names of a record's system fields, for predicates and sort descriptors.
    public enum SystemFieldKey {
        /// The record's ID.
        public static let recordID: FieldKey = "recordID"

        /// The ID of the user who created the record.
        public static let creatorUserRecordID: FieldKey = "creatorUserRecordID"

        /// The date of the first save.
        public static let creationDate: FieldKey = "creationDate"

        /// The ID of the user who saved the record last.
        public static let lastModifiedUserRecordID: FieldKey = "lastModifiedUserRecordID"

        /// The date of the last save.
        public static let modificationDate: FieldKey = "modificationDate"

        /// The reference to the parent record.
        public static let parent: FieldKey = "parent"

        /// The reference to the share.
        public static let share: FieldKey = "share"
    }

    /// The record's type.
    public var recordType: RecordType { withState { $0.recordType } }

    /// The record's name and zone.
    public var recordID: CKRecord.ID { withState { $0.recordID } }

    /// The server's identifier for this version of the record; nil before the first save. Tags have
    /// no order.
    public var recordChangeTag: String? { withState { $0.recordChangeTag } }

    /// When the server first saved the record.
    public var creationDate: Date? { withState { $0.creationDate } }

    /// The user who first saved the record.
    public var creatorUserRecordID: CKRecord.ID? { withState { $0.creatorUserRecordID } }

    /// When the server last saved the record.
    public var modificationDate: Date? { withState { $0.modificationDate } }

    /// The user who last saved the record.
    public var lastModifiedUserRecordID: CKRecord.ID? {
        withState { $0.lastModifiedUserRecordID }
    }

    /// The reference to the record's share, if it is shared.
    public var share: CKRecord.Reference? { withState { $0.share } }

    /// The reference to the record that this one is shared and deleted with. Its action must be
    /// `.none`, and its target must exist when the record is saved.
    public var parent: CKRecord.Reference? {
        get { withState { $0.parent } }
        set {
            guard newValue == nil || newValue?.action == CKRecord.ReferenceAction.none else {
                _raise(
                    "CKException", "parent references must have action CKReferenceActionNone")
            }
            withState {
                $0.parent = newValue
                $0.isParentChanged = true
            }
        }
    }

    /// Sets ``parent`` to a reference to the given record, or to nil.
    public func setParent(_ parentRecord: CKRecord?) {
        setParent(parentRecord?.recordID)
    }

    /// Sets ``parent`` to a reference to the record with the given ID, or to nil.
    public func setParent(_ parentRecordID: CKRecord.ID?) {
        parent = parentRecordID.map { Reference(recordID: $0, action: .none) }
    }
}
