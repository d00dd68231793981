import CloudKit
import CoreData

/// Record types whose schema in production lacks the field of edit stamps. Their records are saved without it, so that the
/// app goes on syncing until the field is deployed, and their edits are recognized by values.
extension SyncPass {
    /// After this time a type's records are sent with stamps again, in seconds.
    private static let stampRetryDelay: TimeInterval = 86_400

    /// Whether the record of a change gets edit stamps.
    func getsStamps(_ outgoing: OutgoingChange) -> Bool {
        guard let type = outgoing.recordType else { return false }
        return carryover.unstampedTypes[type].map { $0 <= clock.now() } ?? true
    }

    /// Whether a save that the server has refused is tried without stamps: they may be the reason.
    func triesWithoutStamps(_ sent: SentChange, _ error: any Error) throws -> Bool {
        guard let type = sent.outgoing.recordType, (error as? CKError)?.code == .invalidArguments
        else { return false }
        guard sent.edits?.stamps != nil else {
            // They were not.
            if unstampedTrials.remove(type) != nil { carryover.unstampedTypes[type] = nil }
            return false
        }
        if unstampedTrials.contains(type) { return true }
        guard carryover.unstampedTypes[type] != nil || triedTypes.insert(type).inserted,
            try !carryover.stampedTypes.contains(type)
                && !database.objects.hasStamps(ofEntity: sent.change.entity)
        else { return false }
        unstampedTrials.insert(type)
        carryover.unstampedTypes[type] = clock.now().addingTimeInterval(Self.stampRetryDelay)
        return true
    }

    /// Notes whether the server has accepted a record with stamps or without.
    func noteStamps(of sent: OutgoingChange, _ edits: KnownEdits?) throws {
        guard let type = sent.recordType else { return }
        if edits?.stamps == nil {
            guard unstampedTrials.remove(type) != nil else { return }
            try state.setTypesWithoutStamps(state.typesWithoutStamps().union([type]))
            report(SMStoreError.fieldNotDeployed(recordType: type, field: EditStamps.field))
        } else if carryover.stampedTypes.insert(type).inserted {
            carryover.unstampedTypes[type] = nil
            let types = try state.typesWithoutStamps()
            if types.contains(type) { try state.setTypesWithoutStamps(types.subtracting([type])) }
        }
    }
}
