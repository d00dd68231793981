extension CKDatabase {
    /// Changes of a database's zones.
    public enum DatabaseChange {
        /// A zone is new or has changed records.
        public struct Modification: Hashable, Sendable {
            /// The zone.
            public let zoneID: CKRecordZone.ID
        }

        /// A zone is gone.
        public struct Deletion: Hashable, Sendable {
            /// Why a zone is gone.
            public enum Reason: Hashable, Sendable {
                /// An app deleted it.
                case deleted

                /// The user deleted it in the settings: remove the local data, and do not upload
                /// it again.
                case purged

                /// The user reset the encrypted data: upload the local data again.
                case encryptedDataReset
            }

            /// The zone.
            public let zoneID: CKRecordZone.ID

            /// Why it is gone.
            public let reason: Reason

            /// Whether the user deleted it in the settings.
            @available(*, deprecated, message: "use reason")
            public var purged: Bool { reason == .purged }
        }
    }

    /// Changes of a zone's records.
    public enum RecordZoneChange {
        /// A record is new or changed.
        public struct Modification: Hashable {
            /// The record as it is now.
            public let record: CKRecord
        }

        /// A record is gone.
        public struct Deletion: Hashable, Sendable {
            /// The record.
            public let recordID: CKRecord.ID

            /// The type that it had.
            public let recordType: CKRecord.RecordType
        }
    }
}

/// Apple's interface states this explicitly as well.
@available(*, unavailable)
extension CKDatabase.RecordZoneChange.Modification: Sendable {}
