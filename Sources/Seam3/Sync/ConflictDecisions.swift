import CloudKit
import CoreData

/// The app's decisions on conflicts, made before the transaction that applies them, so that no
/// transaction waits for the app.
struct ConflictDecisions {
    /// The app has to be asked about a conflict: an edit was saved after the app was asked, or there is a
    /// conflict only because of other records.
    struct Missing: Error {
        let record: ReceivedRecord
        let conflict: ConflictResolution
    }

    private var decided: [String: (conflict: ConflictResolution, fields: PropertyValues?)] = [:]

    /// Records a decision.
    ///
    /// - Parameters:
    ///   - fields: The fields of the record that the block returned; nil lets the server win.
    ///   - conflict: The conflict that the block saw.
    ///   - recordName: The record in conflict.
    mutating func decide(
        _ fields: PropertyValues?, on conflict: ConflictResolution, of recordName: String
    ) {
        decided[recordName] = (conflict, fields)
    }

    /// The decision on a conflict.
    ///
    /// - Throws: ``Missing`` if there is none for these versions of the object.
    func decision(
        on conflict: ConflictResolution, of record: ReceivedRecord
    ) throws -> PropertyValues? {
        guard let decision = decided[record.recordName],
            decision.conflict.hasVersions(of: conflict)
        else { throw Missing(record: record, conflict: conflict) }
        return decision.fields
    }
}
