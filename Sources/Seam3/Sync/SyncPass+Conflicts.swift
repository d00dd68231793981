import CloudKit
import CoreData

/// Asking the app about conflicts, before the transaction that resolves them.
extension SyncPass {
    /// Asks the app's block about the conflicts whose policy leaves the decision to the app.
    ///
    /// - Parameters:
    ///   - received: Records from the server.
    ///   - areCurrent: Whether they are certainly the present versions.
    ///   - policies: The policies that resolve the conflicts.
    func askApplication(
        about received: [ServerRecord], areCurrent: Bool, _ policies: ConflictPolicies
    ) throws -> ConflictDecisions {
        var decisions = ConflictDecisions()
        for case .object(let received) in received {
            let policy = policies.policy(of: received.mapping)
            guard policy.asksApplication,
                let entry = try database.objects.entry(named: received.recordName),
                entry.isPresent
            else { continue }
            let record = try database.following(received, since: entry.pk)
            guard
                let pending = try database.outbox.entry(of: entry.pk),
                let row = try database.rows.row(entry.pk, of: record.mapping.entity),
                try !database.isOfAnotherObject(record, than: entry),
                let resolution = try database.resolution(
                    record, row, pending, policy, isCurrent: areCurrent),
                resolution.needsApplication
            else { continue }
            decisions.decide(
                try decision(on: resolution, record), on: resolution, of: record.recordName)
        }
        return decisions
    }

    /// Asks the app's block about a conflict.
    ///
    /// - Returns: The fields of the record that it returned; nil lets the server win.
    func decision(
        on resolution: ConflictResolution, _ received: ReceivedRecord
    ) throws -> PropertyValues? {
        guard let block = settings.resolutionBlock else {
            report(.conflictResolutionBlock("recordConflictResolutionBlock is not set"))
            return nil
        }
        // The files of the records' assets exist until the block has returned.
        let assets = AssetFolder()
        defer { withExtendedLifetime(assets) {} }
        let writer = RecordWriter(
            mapping: received.mapping, zoneID: received.record.recordID.zoneID, assets: assets)
        let systemFields = received.systemFields
        let client = try writer.record(
            named: received.recordName, systemFields: systemFields,
            fields: resolution.local, keys: nil
        ).record
        let ancestor = try writer.record(
            named: received.recordName, systemFields: systemFields,
            fields: resolution.ancestor ?? PropertyValues(), keys: nil
        ).record
        guard let server = received.record.copy() as? CKRecord else { return nil }
        try writer.fill(
            server, fields: received.fields, previous: received.replaced,
            keys: received.replaced.keys)
        let chosen = block(server, client, ancestor)
        StoreLog.debug("The app has resolved a conflict", .conflicts)
        return try fields(of: chosen, for: received)
    }

    /// The fields of the record that the app's block returned; nil if it cannot be used.
    private func fields(of chosen: CKRecord, for received: ReceivedRecord) throws -> PropertyValues?
    {
        let check = ReturnedRecordCheck(received: received, returned: chosen)
        if let problem = check.problemWithFiles {
            report(.conflictResolutionBlock(problem))
            return nil
        }
        do {
            // A record of another type has none of these fields, and is refused.
            let fields = try reader.read(SMCloudRecord(chosen))?.fields ?? PropertyValues()
            guard let problem = check.problem(reading: fields) else { return fields }
            report(.conflictResolutionBlock(problem))
        } catch {
            let entity = received.mapping.entity.name
            report(
                .conflictResolutionBlock(
                    "the record that it returned for \(entity) \(received.recordName)"
                        + " cannot be read: \(error.localizedDescription)"))
        }
        return nil
    }
}
