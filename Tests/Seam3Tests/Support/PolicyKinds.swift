import Seam3

extension SMSyncConflictResolutionPolicy {
    /// A policy of each kind, for tests with other dimensions: who has edited what is known before a policy decides.
    static let ofEachKind: [SMSyncConflictResolutionPolicy] = [
        .serverRecordWins, .clientRecordWins, .keepBoth, .mergeByProperty,
    ]
}
