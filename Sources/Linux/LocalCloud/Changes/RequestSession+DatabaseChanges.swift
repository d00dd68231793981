import CloudKitService
import SeamSQLite

/// `changes/database`: the feed of the zones.
extension RequestSession {
    /// One page of the database's feed: each zone that changed since the token, once.
    func databaseChanges(_ request: DatabaseChangesRequest) throws -> DatabaseChangesResponse {
        try checkFeed()
        let start = try databasePosition(token: request.syncToken)
        let limit = pageLimit(request.resultsLimit)
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
        var end = start
        end.sequence = moreComing ? zones.last?.sequence ?? start.sequence : database.sequence
        return DatabaseChangesResponse(
            zones: zones.map(dictionary(of:)), syncToken: end.text, moreComing: moreComing)
    }

    private func databasePosition(token text: String?) throws -> SyncToken {
        guard let text else {
            return SyncToken(
                feed: .database, incarnation: database.incarnation, epoch: database.tokenEpoch,
                sequence: 0, tombstonesAfter: database.sequence, time: tokenTime)
        }
        guard let token = SyncToken(text: text), token.feed == .database,
            token.incarnation == database.incarnation, token.epoch == database.tokenEpoch,
            token.sequence <= database.sequence, isYoung(token)
        else {
            throw CloudKitServiceError(
                .changeTokenExpired, reason: "server change token is not valid any more")
        }
        return renewed(token)
    }
}
