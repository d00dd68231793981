import CloudKitService
import SeamSQLite

/// `changes/zone`: the feeds of zones.
extension RequestSession {
    func zoneChanges(_ request: ZoneChangesRequest) throws -> ZoneChangesResponse {
        try checkFeed()
        let zones = try request.zones.map { item -> ItemResult<ZoneChangesResponse.Zone> in
            do {
                if let error = itemFaults[item.zoneID.zoneName] { throw ItemFailure(error) }
                return .success(
                    try page(of: item.withDefaults(of: request), zoneCount: request.zones.count))
            } catch let failure as ItemFailure {
                return .failure(failure.error.naming(zoneID: item.zoneID))
            }
        }
        return broken(ZoneChangesResponse(zones: zones))
    }

    /// The part of an interrupted answer that arrives.
    private func broken(_ response: ZoneChangesResponse) -> ZoneChangesResponse {
        guard let (count, error) = effects.interruption else { return response }
        var left = count
        var pages: [ItemResult<ZoneChangesResponse.Zone>] = []
        for case .success(var page) in response.zones where left > 0 {
            page.records = Array(page.records.prefix(left))
            left -= page.records.count
            pages.append(.success(page))
        }
        return ZoneChangesResponse(zones: pages, interruption: error)
    }

    func checkFeed() throws {
        guard scope != .public else {
            throw CloudKitServiceError(
                .badDatabase, reason: "The public database does not support changes")
        }
    }

    /// The number of items in a page for the number in a request.
    func pageLimit(_ requested: Int?) -> Int {
        guard let requested, requested > 0 else { return options.pageSize }
        return min(requested, options.pageSize)
    }

    /// One page of a zone's feed: each record that changed since the token, once, in its current
    /// version.
    private func page(
        of request: ZoneChangesRequest.Zone, zoneCount: Int
    ) throws -> ZoneChangesResponse.Zone {
        let zone = try zone(request.zoneID)
        guard !zone.isDefault else {
            throw ItemFailure(
                .badRequest, "AppDefaultZone does not support getChanges call", code: 2027)
        }
        let start = try position(in: zone, token: request.syncToken)
        let (changed, moreComing) = try changes(
            request, in: zone, start, byteLimit: pageBytes(zoneCount: zoneCount))
        let desiredKeys = request.desiredKeys.map(Set.init)
        return ZoneChangesResponse.Zone(
            zoneID: zoneID(of: zone),
            records: try changed.map {
                try dictionary(of: $0, in: zone, desiredKeys: desiredKeys)
            },
            syncToken: end(
                of: changed, start, moreComing: moreComing, isReversed: request.reverse == true,
                in: zone
            ).text,
            moreComing: moreComing, clientChangeToken: zone.clientChangeToken)
    }

    /// The token at the end of a page.
    private func end(
        of changed: [StoredRecord], _ start: SyncToken, moreComing: Bool, isReversed: Bool,
        in zone: Zone
    ) -> SyncToken {
        var token = start
        let last = changed.last?.sequence
        if isReversed {
            let end = start.descent?.end ?? database.sequence
            token.descent = moreComing ? last.map { .init(before: $0, end: end) } : nil
            if !moreComing { token.sequence = end }
        } else {
            token.descent = nil
            token.sequence = moreComing ? last ?? start.sequence : database.sequence
        }
        return token
    }

    /// How large a page may be. The zones of a request share what an answer may have.
    private func pageBytes(zoneCount: Int) -> Int {
        min(effects.pageBytes ?? .max, (options.maximumPageBytes ?? .max) / max(1, zoneCount))
    }

    /// Reads a page. The statement stops at the end of the page, so every page costs the same.
    private func changes(
        _ request: ZoneChangesRequest.Zone, in zone: Zone, _ start: SyncToken, byteLimit: Int
    ) throws -> (records: [StoredRecord], moreComing: Bool) {
        let isReversed = request.reverse == true
        let types = request.desiredRecordTypes.map(Set.init)
        let limit = pageLimit(request.resultsLimit)
        var bytes = 0
        var records: [StoredRecord] = []
        records.reserveCapacity(limit)
        var moreComing = false
        let sql = """
            SELECT \(StoredRecord.columns) FROM record
            WHERE zone_id = ? AND sequence > ? AND (fields IS NOT NULL OR sequence > ?)
                AND sequence < ?
            ORDER BY sequence \(isReversed ? "DESC" : "ASC")
            """
        try connection.withStatement(sql) { statement in
            try statement.bind([
                .integer(zone.id), .integer(start.sequence), .integer(start.tombstonesAfter),
                .integer(isReversed ? start.descent?.before ?? .max : .max),
            ])
            while try statement.step() {
                if types?.contains(statement.text(at: 2)) == false { continue }
                guard records.count < limit else {
                    moreComing = true
                    return
                }
                let record = StoredRecord(row: statement)
                bytes += Int(record.bytes)
                guard bytes <= byteLimit || records.isEmpty else {
                    moreComing = true
                    return
                }
                records.append(record)
            }
        }
        return (records, moreComing)
    }

    /// The start of a zone's page.
    private func position(in zone: Zone, token text: String?) throws -> SyncToken {
        guard let text else {
            return token(of: zone, sequence: 0, tombstonesAfter: database.sequence)
        }
        guard var token = SyncToken(text: text), token.feed == .zone, isYoung(token) else {
            throw Self.expiredToken
        }
        if !options.tokensBelongToTheirFeed, token.incarnation != zone.incarnation {
            token.incarnation = zone.incarnation
            token.sequence = min(token.sequence, database.sequence)
            return renewed(token)
        }
        guard token.incarnation == zone.incarnation, token.epoch == zone.tokenEpoch,
            // The client has seen each of the removed tombstones, or began after it.
            max(token.sequence, token.tombstonesAfter) >= zone.tombstoneHorizon,
            token.sequence <= database.sequence
        else { throw Self.expiredToken }
        return renewed(token)
    }

    private static var expiredToken: ItemFailure {
        ItemFailure(.changeTokenExpired, "server change token is not valid any more")
    }

    // MARK: - Age

    /// Whether a token is still valid by its age.
    func isYoung(_ token: SyncToken) -> Bool {
        guard let lifetime = options.syncTokenLifetime else { return true }
        return Double(now - token.time) <= lifetime * 1000
    }

    /// The same position, in a token issued now.
    func renewed(_ token: SyncToken) -> SyncToken {
        var token = token
        token.time = tokenTime
        return token
    }

    /// The time in tokens. If tokens do not expire, a position always has the same token.
    var tokenTime: Int64 { options.syncTokenLifetime == nil ? 0 : now }
}

extension ZoneChangesRequest.Zone {
    /// The same request, with the settings for all zones where it has none of its own.
    fileprivate func withDefaults(of request: ZoneChangesRequest) -> Self {
        var zone = self
        zone.resultsLimit = resultsLimit ?? request.resultsLimit
        zone.desiredKeys = desiredKeys ?? request.desiredKeys
        zone.desiredRecordTypes = desiredRecordTypes ?? request.desiredRecordTypes
        zone.reverse = reverse ?? request.reverse
        return zone
    }
}
