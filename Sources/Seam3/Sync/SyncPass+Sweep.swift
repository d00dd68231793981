import CoreData

/// The end of a full refetch: objects that the server once had and no longer has.
extension SyncPass {
    /// Handles these objects as the app decides, or removes them if there is no handler.
    ///
    /// - Throws: ``SMStoreError/recordsVanished(count:)`` if the app decides to stop.
    func sweep() async throws {
        guard let sweep = try state.sweep() else { return }
        var names = try database.objects.unseenRecordNames(sweep: sweep)
        if !names.isEmpty, let former = try state.formerTokenData() {
            try await applyDeletions(of: Set(names), since: former)
            names = try database.objects.unseenRecordNames(sweep: sweep)
        }
        switch try await response(toVanished: names) {
        case .stop:
            throw SMStoreError.recordsVanished(count: names.count)
        case .upload:
            let unfetched = Set(try self.unfetched.names())
            try inParts(names) { try sendAgain($0, unfetched: unfetched) }
            try transaction { try state.endSweep() }
        case .removeLocalData:
            try await apply([], deletions: names, from: .feed(isComplete: true)) {
                try database.tombstones.noteAllRead()
                try state.endSweep()
            }
        }
        lossDecision = nil
    }

    /// Applies the deletions of unseen records that the feed reports since the last token before the refetch.
    ///
    /// The refetch reports none, though others may delete records between its pages, and between two
    /// passes if the first one was interrupted. What they have deleted is not lost.
    private func applyDeletions(of unseen: Set<String>, since former: Data) async throws {
        var next: Data? = former
        while let token = next {
            let page: SMCloudZoneChanges
            do {
                page = try await self.page(since: token)
            } catch  where carryover.shrinksPage(after: error) {
                continue
            } catch  where CloudErrorReaction(error) == .resetToken {
                return
            } catch {
                throw zoneError(error)
            }
            try await confirmUser()
            let deletions = page.deletions.map(\.recordName).filter(unseen.contains)
            try await apply([], deletions: deletions, from: .feed(isComplete: false))
            next = page.moreComing && page.token != token ? page.token : nil
        }
    }

    private func response(toVanished names: [String]) async throws -> SMZoneLossResponse {
        // Without such objects, the app is not asked.
        guard !names.isEmpty else { return .removeLocalData }
        let loss = SMZoneLoss.recordsVanished(count: names.count)
        let response = await response(to: loss, of: names)
        StoreLog.info("The server has lost records (\(loss)); local data: \(response)", .account)
        return response
    }

    /// Queues an object or a link as new. An object that was also deleted here is forgotten, and so
    /// is a link that lacks one of its ends.
    ///
    /// - Parameter unfetched: The names of records that the server has but this device could not
    ///   fetch.
    private func sendAgain(
        _ recordName: String, unfetched: Set<String>
    ) throws {
        guard let entry = try database.objects.entry(named: recordName) else { return }
        if entry.isDeleted {
            try database.outbox.remove(of: entry.pk)
            return try database.objects.remove(entry.pk)
        }
        if let link = database.schema.link(number: entry.entity),
            try database.links.absentEnds(of: entry.pk, link).contains(where: {
                !unfetched.contains($0)
            })
        {
            return try database.links.forget(entry.pk, link)
        }
        try database.objects.setSystemFields(nil, changeTag: nil, of: entry.pk)
        try database.outbox.noteInsertion(entry.pk)
        try sendPartners(of: entry)
    }

    /// Queues the other ends of an object's pairs: whoever has lost the object has taken it from its partner's record.
    private func sendPartners(of entry: ObjectEntry) throws {
        guard let entity = database.schema.entity(number: entry.entity),
            let row = try database.rows.row(entry.pk, of: entity)
        else { return }
        for column in entity.toOnes where database.schema.isOwnInverse(column) {
            guard let partner = row.values[column.index].integer,
                try database.objects.entry(partner)?.isPresent == true
            else { continue }
            try database.outbox.noteResend([column.name], of: partner)
        }
    }
}
