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
    /// The records whose conflicts are no longer decided by the app.
    private var settled: Set<String> = []

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

    /// Lets the server's version of a record stand, whatever versions the conflict has.
    mutating func letServerWin(_ recordName: String) {
        settled.insert(recordName)
    }

    /// The decision on a conflict.
    ///
    /// - Throws: ``Missing`` if there is none for these versions of the object.
    func decision(
        on conflict: ConflictResolution, of record: ReceivedRecord
    ) throws -> PropertyValues? {
        if let decision = decided[record.recordName], decision.conflict.hasVersions(of: conflict) {
            return decision.fields
        }
        if settled.contains(record.recordName) { return nil }
        throw Missing(record: record, conflict: conflict)
    }
}
