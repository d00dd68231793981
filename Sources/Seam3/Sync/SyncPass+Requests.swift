import CloudKit
import CoreData

/// Sending the outbox, request by request. A change that makes a request fail does not hold up the
/// others: everything that can be sent is sent, and the rest is parked.
extension SyncPass {
    /// The results so far of the requests for one kind of change.
    private struct Course {
        var progress = PushProgress()
        /// How many requests in a row the server has refused, and how many failed in transfer.
        var refusals = 0
        var breaks = 0

        /// Whether another request makes sense.
        var goesOn: Bool { refusals < Self.mostRefusals && breaks < Self.mostBreaks }

        /// A server that refuses this many requests in a row objects to more than a few records.
        /// That many requests suffice to isolate three adjacent records in a request of the maximum
        /// size.
        private static let mostRefusals = 30
        /// If two different requests in a row fail in transfer, the connection is the cause.
        private static let mostBreaks = 2

        mutating func noteAnswer() {
            (refusals, breaks) = (0, 0)
        }

        mutating func noteRefusal(_ error: any Error) {
            refusals += 1
            progress.lastError = error
            if !goesOn { progress.failure = progress.failure ?? error }
        }

        mutating func noteBreak(_ error: any Error) {
            breaks += 1
            progress.failure = progress.failure ?? error
        }
    }

    /// Sends saves, then deletions. Deletions may free the space that saves need, and do not wait
    /// for saves that fail. Changes that the server has refused before are sent last of their kind,
    /// so that they do not hold up others.
    func pushRound() async throws -> PushProgress {
        var progress = PushProgress()
        occupied.invalidate()
        failedSaves = []
        for kind in [OutgoingBatch.Kind.saves, .deletions] {
            for refused in [false, true] { progress += try await send(kind, refused: refused) }
        }
        return progress
    }

    /// Sends the changes of one kind, batch by batch.
    private func send(
        _ kind: OutgoingBatch.Kind, refused: Bool
    ) async throws -> PushProgress {
        var cursor: Int64 = 0
        var course = Course()
        let waiting = try await recordNamesThatWait(kind, refused: refused)
        while course.goesOn {
            try Task.checkCancellation()
            var batch = try database.connection.transaction(.deferred) {
                try database.outgoingBatch(
                    kind, refused: refused, mappings, after: cursor, limits: carryover.limits,
                    occupied: occupied)
            }
            guard let last = batch.last else { break }
            if batch.changes.contains(where: { waiting.unseen.contains($0.change.recordName) }),
                let error = unfetchedError(of: try unfetched.names())
            {
                course.progress.lastError = error
            }
            batch.changes.removeAll { waiting.all.contains($0.change.recordName) }
            try inParts(batch.obsolete) { _ = try database.outbox.remove($0) }
            course.progress.settled += batch.obsolete.count
            let changes = try await readingAgain(batch.changes)
            course.progress.retried += batch.changes.count - changes.count
            try await send(changes, &course)
            cursor = last
        }
        StoreLog.debug(
            "\(kind): \(course.progress.settled) settled, \(course.progress.retried) not")
        return course.progress
    }

    /// The records whose deletions wait, for saves that remove references to them or until the server's last version
    /// was fetched, and those of the second kind.
    private func recordNamesThatWait(
        _ kind: OutgoingBatch.Kind, refused: Bool
    ) async throws -> (all: Set<String>, unseen: Set<String>) {
        guard kind == .deletions else { return ([], []) }
        let unseen = try await recordNamesToKeep(refused: refused)
        let referred = try database.outbox.recordNamesInBases(except: failedSaves)
        return (referred.union(unseen), unseen)
    }

    /// Sends changes in one request. If the server refuses it as a whole, the changes are sent in
    /// halves, recursively, until the refused ones are isolated.
    private func send(_ changes: [OutgoingChange], _ course: inout Course) async throws {
        var parts = [changes]
        while course.goesOn, let part = parts.popLast() {
            try Task.checkCancellation()
            let (rest, error) = try await request(part, &course)
            guard let error else {
                if !rest.isEmpty { parts.append(rest) }
                continue
            }
            if let only = rest.first, rest.count == 1 {
                try transaction { try park(only, error) }
                course.progress.settled += 1
            } else if !rest.isEmpty {
                let middle = rest.count / 2
                parts.append(Array(rest[middle...]))
                parts.append(Array(rest[..<middle]))
                StoreLog.info("\(rest.count) changes were refused together; half is tried next")
            }
        }
    }

    /// Sends changes in one request, which the server carries out as a whole or not at all.
    ///
    /// - Returns: The changes that have to be sent again: without those that the server has refused, or,
    ///   if there is an error, in smaller requests.
    private func request(
        _ changes: [OutgoingChange], _ course: inout Course
    ) async throws -> (rest: [OutgoingChange], error: (any Error)?) {
        try await confirmUserIfNeeded()
        // The files of the assets exist until their request is done.
        let assets = AssetFolder()
        defer { withExtendedLifetime(assets) {} }
        let (sent, identity) = try prepare(changes, assets)
        course.progress.retried += changes.count - sent.count
        guard !sent.isEmpty else { return ([], nil) }
        let response = try await zone.modify(
            saving: sent.compactMap(\.record),
            deleting: sent.filter(\.outgoing.isDeletion).map(\.recordID),
            clientToken: identity.clientToken())
        if !response.isEmpty { try await confirmUser() }
        let outcome = try await settle(sent, response)
        let innocent = outcome.innocent
        course.progress += outcome.progress
        if response.failure == nil ? innocent.count < sent.count : !response.isEmpty {
            course.noteAnswer()
        }
        observation.advance(by: outcome.progress.settled)
        if outcome.hasResolvedConflicts {
            carryover.limits.noteConflict(ofCount: sent.count)
        } else if response.failure == nil, outcome.failure == nil {
            carryover.limits.noteAcceptance()
        }
        if outcome.isTooLarge { noteRefusal(of: sent) }
        if let error = outcome.failure { try note(error, of: sent, &course) }
        if let error = response.failure {
            let rest = sent.filter { response.answer(to: $0) == nil }
            if outcome.isRefused || CloudErrorReaction.refusesRequest(error) {
                try inParts(rest) { try noteRefusal($0) }
            }
            guard CloudErrorReaction.concernsOneRecord(error) else {
                // Somebody may have made a record again since.
                if !CloudErrorReaction.refusesRequest(error),
                    rest.contains(where: \.outgoing.isDeletion)
                {
                    isPullDue = true
                }
                noteFailure(of: rest, error)
                try note(error, of: sent, &course)
                return ([], nil)
            }
            course.noteRefusal(error)
            if CloudErrorReaction(error) == .split { noteRefusal(of: sent) }
            return (rest.map(\.outgoing), error)
        }
        if let error = outcome.unresolved {
            let conflicts = Set(outcome.conflicts)
            let rest = sent.filter { conflicts.contains($0.recordID) } + innocent
            return (rest.map(\.outgoing), error)
        }
        // If no change is at fault, any may be.
        if innocent.count == sent.count, let error = outcome.progress.lastError {
            course.noteRefusal(error)
            return (innocent.count == 1 ? [] : innocent.map(\.outgoing), error)
        }
        return (innocent.map(\.outgoing), nil)
    }

    /// Notes an error of a request that its records did not cause. Smaller requests may succeed.
    ///
    /// - Throws: The error, if no further request should be tried.
    private func note(
        _ error: any Error, of sent: [SentChange], _ course: inout Course
    ) throws {
        guard CloudErrorReaction.allowsOtherRequests(error) else { throw zoneError(error) }
        noteRefusal(of: sent)
        course.noteBreak(error)
    }

    private func noteRefusal(of sent: [SentChange]) {
        carryover.limits.noteRefusal(
            ofCount: sent.count, byteCount: sent.reduce(0) { $0 + $1.outgoing.byteCount })
    }

    /// Parks a change that the server refuses. If the record is too large, the store's own error
    /// replaces the server's, because it is clearer.
    func park(
        _ outgoing: OutgoingChange, _ error: any Error, delay: TimeInterval? = nil
    ) throws {
        let reason =
            outgoing.sizeError?.description
            ?? "\(ErrorText.of(error)), for the record \(outgoing.change.recordName) of \(typeName(of: outgoing))"
        try database.outbox.park(
            outgoing.change, error: reason, at: clock.now(), delay: delay)
    }

    /// The entity of a change's object, or the record type of a pair.
    private func typeName(of outgoing: OutgoingChange) -> String {
        switch outgoing.content {
        case .object(let mapping, _): return mapping.entity.description.name ?? ""
        case .link(let record): return record.link.recordType
        case .deletion:
            let entity = database.schema.entity(number: outgoing.change.entity)
            return entity?.description.name ?? "another type"
        }
    }
}
