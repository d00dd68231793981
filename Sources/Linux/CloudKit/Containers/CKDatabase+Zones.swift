extension CKDatabase {
    typealias ZoneResults = [CKRecordZone.ID: Result<CKRecordZone, any Error>]

    typealias ModifyZonesResults = (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    )

    // MARK: - One zone, all zones

    /// Fetches all zones of the database.
    public func fetchAllRecordZones(
        completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void
    ) {
        addConvenience(allZonesOperation { $0.complete(completionHandler) })
    }

    /// Fetches all zones of the database.
    public func allRecordZones() async throws -> [CKRecordZone] {
        try await value { allZonesOperation($0) }
    }

    /// Fetches a zone.
    public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        addConvenience(zonesOperation([zoneID]) { $0.item(zoneID, completionHandler) })
    }

    /// Fetches a zone.
    ///
    /// - Throws: `zoneNotFound` if there is none, or what made the request fail.
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        try await recordZones(for: [zoneID]).item(zoneID)
    }

    /// Saves a zone. One that exists stays as it is.
    public func save(
        _ zone: CKRecordZone,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        let operation = modifyZonesOperation([zone], []) {
            $0.map(\.saveResults).item(zone.zoneID, completionHandler)
        }
        addConvenience(operation)
    }

    /// Saves a zone. One that exists stays as it is.
    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        try await modifyRecordZones(saving: [zone], deleting: []).saveResults.item(zone.zoneID)
    }

    /// Deletes a zone with all its records.
    public func delete(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
    ) {
        let operation = modifyZonesOperation([], [zoneID]) {
            $0.map { $0.deleteResults.mapValues { $0.map { zoneID } } }
                .item(zoneID, completionHandler)
        }
        addConvenience(operation)
    }

    /// Deletes a zone with all its records.
    ///
    /// - Throws: `zoneNotFound` if there is none, or what made the request fail.
    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        try await modifyRecordZones(saving: [], deleting: [zoneID]).deleteResults.item(zoneID)
        return zoneID
    }

    // MARK: - Several zones

    /// Fetches zones.
    public func fetch(
        withRecordZoneIDs zoneIDs: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>
            ) -> Void
    ) {
        addConvenience(zonesOperation(zoneIDs, completionHandler))
    }

    /// Fetches zones.
    ///
    /// - Returns: the zone or its error, by ID.
    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await value { zonesOperation(ids, $0) }
    }

    /// Saves and deletes zones.
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        addConvenience(
            modifyZonesOperation(recordZonesToSave, recordZoneIDsToDelete, completionHandler))
    }

    /// Saves and deletes zones.
    ///
    /// - Returns: what became of each zone.
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        try await value { modifyZonesOperation(recordZonesToSave, recordZoneIDsToDelete, $0) }
    }

    // MARK: - Operations

    private func allZonesOperation(
        _ completion: @escaping @Sendable (Result<[CKRecordZone], any Error>) -> Void
    ) -> CKFetchRecordZonesOperation {
        let zones = Locked<[CKRecordZone]>([])
        let operation = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
        operation.perRecordZoneResultBlock = { _, result in
            if case .success(let zone) = result { zones.withLock { $0.append(zone) } }
        }
        operation.fetchRecordZonesResultBlock = { completion($0.map { zones.value }) }
        return operation
    }

    private func zonesOperation(
        _ zoneIDs: [CKRecordZone.ID],
        _ completion: @escaping @Sendable (Result<ZoneResults, any Error>) -> Void
    ) -> CKFetchRecordZonesOperation {
        let results = Locked<ZoneResults>([:])
        let operation = CKFetchRecordZonesOperation(recordZoneIDs: zoneIDs)
        operation.perRecordZoneResultBlock = { zoneID, result in
            results.withLock { $0[zoneID] = result }
        }
        operation.fetchRecordZonesResultBlock = { completion($0.map { results.value }) }
        return operation
    }

    private func modifyZonesOperation(
        _ zones: [CKRecordZone], _ zoneIDs: [CKRecordZone.ID],
        _ completion: @escaping @Sendable (Result<ModifyZonesResults, any Error>) -> Void
    ) -> CKModifyRecordZonesOperation {
        let results = Locked<ModifyZonesResults>(([:], [:]))
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: zones, recordZoneIDsToDelete: zoneIDs)
        operation.perRecordZoneSaveBlock = { zoneID, result in
            results.withLock { $0.saveResults[zoneID] = result }
        }
        operation.perRecordZoneDeleteBlock = { zoneID, result in
            results.withLock { $0.deleteResults[zoneID] = result }
        }
        operation.modifyRecordZonesResultBlock = { completion($0.map { results.value }) }
        return operation
    }
}
