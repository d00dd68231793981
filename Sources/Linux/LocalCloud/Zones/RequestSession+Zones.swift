import CloudKitService
import SeamSQLite

/// `zones/list`, `zones/lookup`, `zones/modify`.
extension RequestSession {
    func listZones() throws -> ZonesResponse {
        let zones = try connection.rows(
            """
            SELECT \(Zone.columns) FROM zone
            WHERE database_id = ? AND deletion_reason IS NULL ORDER BY name
            """, [.integer(database.id)], Zone.init)
        return ZonesResponse(zones: zones.map { .success(dictionary(of: $0)) })
    }

    func lookUpZones(_ request: LookUpZonesRequest) throws -> ZonesResponse {
        ZonesResponse(
            zones: try request.zones.map { zoneID in
                try result(for: zoneID) { dictionary(of: try zone(zoneID)) }
            })
    }

    func modifyZones(_ request: ModifyZonesRequest) throws -> ZonesResponse {
        guard scope == .private else {
            throw CloudKitServiceError(
                .badDatabase, reason: "Only the private database can have custom zones")
        }
        return ZonesResponse(
            zones: try request.operations.map { operation in
                let zoneID = operation.zone.zoneID
                return try result(for: zoneID) {
                    switch operation.operationType {
                    case .create: try createZone(zoneID)
                    case .delete: try deleteZone(zoneID)
                    }
                }
            })
    }

    private func result(
        for zoneID: ZoneIDDictionary, _ body: () throws -> ZoneDictionary
    ) throws -> ItemResult<ZoneDictionary> {
        do {
            if let error = itemFaults[zoneID.zoneName] { throw ItemFailure(error) }
            return .success(try body())
        } catch let failure as ItemFailure {
            return .failure(failure.error.naming(zoneID: zoneID))
        }
    }

    private func createZone(_ zoneID: ZoneIDDictionary) throws -> ZoneDictionary {
        guard isOwn(zoneID) else {
            throw ItemFailure(.accessDenied, "Zones can only be created in the user's own database")
        }
        let stored = try storedZone(named: zoneID.zoneName)
        if let stored, stored.deletionReason == nil { return dictionary(of: stored) }
        try NameRules.checkZoneName(zoneID.zoneName)
        // A zone that is created again is a different zone: tokens of the old one are not valid for
        // it.
        try connection.execute(
            """
            INSERT INTO zone
                (database_id, name, incarnation, sequence, token_epoch, tombstone_horizon)
            VALUES (?1, ?2, ?3, ?4, 0, 0)
            ON CONFLICT (database_id, name) DO UPDATE SET
                incarnation = ?3, sequence = ?4, token_epoch = 0, tombstone_horizon = 0,
                deletion_reason = NULL, client_change_token = NULL
            """,
            [
                .integer(database.id), .text(zoneID.zoneName),
                .integer(Int64.random(in: 1...Int64.max)), .integer(nextSequence()),
            ])
        guard let zone = try storedZone(named: zoneID.zoneName) else {
            throw ItemFailure(.internalError, "The zone could not be created")
        }
        try queuePushes(for: [], in: zone)
        return dictionary(of: zone)
    }

    private func deleteZone(_ zoneID: ZoneIDDictionary) throws -> ZoneDictionary {
        let zone = try zone(zoneID)
        guard !zone.isDefault else {
            throw ItemFailure(.badRequest, "The default zone cannot be deleted")
        }
        return try removeZone(zone, reason: .deleted)
    }

    /// Removes a zone with its contents. Its row stays for the feed of the database.
    @discardableResult
    func removeZone(
        _ zone: Zone, reason: ZoneDictionary.DeletionReason
    ) throws -> ZoneDictionary {
        try queuePushes(for: [], in: zone)
        let bytes =
            try connection.firstRow(
                "SELECT sum(bytes) FROM record WHERE zone_id = ?", [.integer(zone.id)]
            ) { $0.counter(at: 0) } ?? 0
        addBytes(-bytes)
        try releaseAssets(ofZone: zone)
        for table in ["record", "record_reference"] {
            try connection.execute(
                "DELETE FROM \(table) WHERE zone_id = ?", [.integer(zone.id)])
        }
        try deleteSubscriptions(on: zone)
        try connection.execute(
            """
            UPDATE zone SET deletion_reason = ?, sequence = ?, client_change_token = NULL
            WHERE id = ?
            """, [.text(reason.rawValue), .integer(nextSequence()), .integer(zone.id)])
        return ZoneDictionary(zoneID: zoneID(of: zone), deleted: true, deletionReason: reason)
    }
}
