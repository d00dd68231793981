import CloudKitService

/// Actions of an account's owner in the settings, of a developer in the console, and of the server
/// itself.
extension LocalCloud {
    /// Deletes a zone as the user does in the settings: the reason in the feed is `purged`, and
    /// requests fail with `userDeletedZone` until an app saves the zone again.
    ///
    /// - Parameters:
    ///   - zone: The zone's name.
    ///   - context: The container, and a device on which the user is signed in.
    /// - Throws: `zoneNotFound` if there is no such zone.
    public func purgeZone(
        _ zone: String, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await removeZone(zone, reason: .purged, in: context)
    }

    /// Deletes a zone as a reset of the user's encrypted data does.
    ///
    /// - Parameters:
    ///   - zone: The zone's name.
    ///   - context: The container, and a device on which the user is signed in.
    /// - Throws: `zoneNotFound` if there is no such zone.
    public func resetEncryptedData(
        ofZone zone: String, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await removeZone(zone, reason: .encryptedDataReset, in: context)
    }

    private func removeZone(
        _ zone: String, reason: ZoneDictionary.DeletionReason, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await administer(zone, in: context) { session, zone in
            try session.removeZone(zone, reason: reason)
        }
    }

    /// Expires all sync tokens of a zone that have been issued so far.
    ///
    /// - Parameters:
    ///   - zone: The zone's name.
    ///   - context: The container, and a device on which the user is signed in.
    /// - Throws: `zoneNotFound` if there is no such zone.
    public func expireTokens(
        ofZone zone: String, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await administer(zone, in: context) { session, zone in
            try session.connection.execute(
                "UPDATE zone SET token_epoch = token_epoch + 1 WHERE id = ?",
                [.integer(zone.id)])
        }
    }

    /// Expires all sync tokens of a database that have been issued so far. The tokens of its zones
    /// stay valid.
    ///
    /// - Parameter context: The container and database, and a device on which the user is signed
    ///   in.
    public func expireDatabaseTokens(
        in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await administer(context) { $0.expireDatabaseTokens() }
    }

    /// Forgets the deletions of a zone. Tokens from before the last deletion expire.
    ///
    /// - Parameters:
    ///   - zone: The zone's name.
    ///   - context: The container, and a device on which the user is signed in.
    /// - Throws: `zoneNotFound` if there is no such zone.
    public func forgetDeletions(
        inZone zone: String, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await administer(zone, in: context) { session, zone in
            try session.connection.execute(
                """
                UPDATE zone SET tombstone_horizon = max(tombstone_horizon, (
                    SELECT coalesce(max(sequence), 0) FROM record
                    WHERE zone_id = ?1 AND fields IS NULL))
                WHERE id = ?1
                """, [.integer(zone.id)])
            try session.connection.execute(
                "DELETE FROM record WHERE zone_id = ? AND fields IS NULL", [.integer(zone.id)])
        }
    }

    /// Changes a zone outside of any request.
    private func administer(
        _ zone: String, in context: RequestContext,
        _ body: @escaping @Sendable (RequestSession, Zone) throws -> Void
    ) async throws(CloudKitServiceError) {
        try await administer(context) { session in
            try body(session, try session.zone(ZoneIDDictionary(zoneName: zone)))
        }
    }

    /// Changes a database outside of any request: without faults, and without an account.
    func administer<T: Sendable>(
        _ context: RequestContext, _ body: @escaping @Sendable (RequestSession) throws -> T
    ) async throws(CloudKitServiceError) -> T {
        let account = try accounts.account(
            container: context.container, device: context.device)
        // No device has made the change, so all devices get its pushes.
        var context = context
        context.device = ""
        let caller = Caller(context: context, user: account.user)
        let store = store(for: context)
        let options = options
        do {
            let (result, hasPushes) = try await store.write { connection in
                let session = try RequestSession(
                    connection: connection, caller: caller, options: options, isWriting: true)
                let result = try body(session)
                try session.finish()
                return (result, session.hasPushes)
            }
            if hasPushes { signal.post(topic: store.key) }
            return result
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }
}
