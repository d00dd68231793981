import CloudKit
import CoreData

/// The app's decisions on conflicts, made before the transaction that applies them, so that no
/// transaction waits for the app.
struct ConflictDecisions {
    /// The app has to be asked about a record: an edit was saved after the app was asked, or there is a
    /// conflict only because of other records.
    struct Missing: Error {
        let recordName: String
    }

    private var decided: [String: (revision: Int64, fields: PropertyValues?)] = [:]

    /// Records a decision.
    ///
    /// - Parameters:
    ///   - fields: The fields of the record that the block returned; nil lets the server win.
    ///   - recordName: The record in conflict.
    ///   - revision: The revision of the local change that the block saw.
    mutating func decide(_ fields: PropertyValues?, for recordName: String, revision: Int64) {
        decided[recordName] = (revision, fields)
    }

    /// The decision on a conflict.
    ///
    /// - Throws: ``Missing`` if there is none for this revision of the local change.
    func decision(for recordName: String, revision: Int64) throws -> PropertyValues? {
        guard let decision = decided[recordName], decision.revision == revision else {
            throw Missing(recordName: recordName)
        }
        return decision.fields
    }
}
