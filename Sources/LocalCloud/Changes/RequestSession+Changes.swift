import CloudKitService
import SeamSQLite

/// `changes/zone` and `changes/database`: the feeds.
extension RequestSession {
    func zoneChanges(_ request: ZoneChangesRequest) throws -> ZoneChangesResponse {
        try checkFeed()
        return ZoneChangesResponse(
            zones: try request.zones.map { item in
                do {
                    if let error = itemFaults[item.zoneID.zoneName] { throw ItemFailure(error) }
                    var item = item
                    item.resultsLimit = item.resultsLimit ?? request.resultsLimit
                    item.desiredKeys = item.desiredKeys ?? request.desiredKeys
                    item.desiredRecordTypes =
                        item.desiredRecordTypes ?? request.desiredRecordTypes
                    return .success(try page(of: item))
                } catch let failure as ItemFailure {
                    return .failure(failure.error.naming(zoneID: item.zoneID))
                }
            })
    }

    private func checkFeed() throws {
        guard scope != .public else {
            throw CloudKitServiceError(
                .badDatabase, reason: "The public database does not support changes")
        }
    }

    private func limit(_ requested: Int?) -> Int {
        guard let requested, requested > 0 else { return options.pageSize }
        return min(requested, options.pageSize)
    }

    // MARK: - Zones

    /// One page of a zone's feed: each record that changed since the token once, as it is now.
    private func page(of request: ZoneChangesRequest.Zone) throws -> ZoneChangesResponse.Zone {
        let zone = try zone(request.zoneID)
        guard !zone.isDefault else {
            throw ItemFailure(
                .badRequest, "AppDefaultZone does not support getChanges call", code: 2027)
        }
        let start = try position(in: zone, token: request.syncToken)
        let types = request.desiredRecordTypes.map(Set.init)
        let desiredKeys = request.desiredKeys.map(Set.init)
        let limit = limit(request.resultsLimit)
        var records: [RecordDictionary] = []
        var end = database.sequence
        var moreComing = false
        // The statement stops at the page's end, so a page costs the same wherever it is.
        try connection.withStatement(
            """
            SELECT \(StoredRecord.columns) FROM record
            WHERE zone_id = ? AND sequence > ? AND (fields IS NOT NULL OR sequence > ?)
            ORDER BY sequence
            """
        ) { statement in
            try statement.bind([
                .integer(zone.id), .integer(start.sequence), .integer(start.tombstonesAfter),
            ])
            var last = start.sequence
            while try statement.step() {
                if types?.contains(statement.text(at: 2)) == false { continue }
                guard records.count < limit else {
                    moreComing = true
                    end = last
                    return
                }
                let record = StoredRecord(row: statement)
                last = record.sequence
                records.append(
                    try dictionary(of: record, in: zone, desiredKeys: desiredKeys))
            }
        }
        return ZoneChangesResponse.Zone(
            zoneID: zoneID(of: zone), records: records,
            syncToken: token(
                of: zone, sequence: end, tombstonesAfter: start.tombstonesAfter
            ).text,
            moreComing: moreComing, clientChangeToken: zone.clientChangeToken)
    }

    /// Where a zone's page begins.
    private func position(
        in zone: Zone, token text: String?
    ) throws -> (sequence: Int64, tombstonesAfter: Int64) {
        guard let text else { return (0, database.sequence) }
        guard let token = SyncToken(text: text), token.feed == .zone,
            token.incarnation == zone.incarnation, token.epoch == zone.tokenEpoch,
            // Of the tombstones that are gone the client has had each, or began after it.
            max(token.sequence, token.tombstonesAfter) >= zone.tombstoneHorizon,
            token.sequence <= database.sequence
        else {
            throw ItemFailure(.changeTokenExpired, "server change token is not valid any more")
        }
        return (token.sequence, token.tombstonesAfter)
    }

    // MARK: - Database

    /// One page of the database's feed: each zone that changed since the token once.
    func databaseChanges(_ request: DatabaseChangesRequest) throws -> DatabaseChangesResponse {
        try checkFeed()
        let start = try databasePosition(token: request.syncToken)
        let limit = limit(request.resultsLimit)
        let found = try connection.rows(
            """
            SELECT \(Zone.columns) FROM zone
            WHERE database_id = ? AND sequence > ? AND name <> ?
                AND (deletion_reason IS NULL OR sequence > ?)
            ORDER BY sequence LIMIT ?
            """,
            [
                .integer(database.id), .integer(start.sequence),
                .text(ZoneIDDictionary.defaultZoneName), .integer(start.tombstonesAfter),
                .integer(Int64(limit) + 1),
            ], Zone.init)
        let zones = found.prefix(limit)
        let moreComing = found.count > limit
        let end = moreComing ? zones.last?.sequence ?? start.sequence : database.sequence
        return DatabaseChangesResponse(
            zones: zones.map(dictionary(of:)),
            syncToken: SyncToken(
                feed: .database, incarnation: database.incarnation, epoch: database.tokenEpoch,
                sequence: end, tombstonesAfter: start.tombstonesAfter
            ).text,
            moreComing: moreComing)
    }

    private func databasePosition(
        token text: String?
    ) throws -> (sequence: Int64, tombstonesAfter: Int64) {
        guard let text else { return (0, database.sequence) }
        guard let token = SyncToken(text: text), token.feed == .database,
            token.incarnation == database.incarnation, token.epoch == database.tokenEpoch,
            token.sequence <= database.sequence
        else {
            throw CloudKitServiceError(
                .changeTokenExpired, reason: "server change token is not valid any more")
        }
        return (token.sequence, token.tombstonesAfter)
    }
}
