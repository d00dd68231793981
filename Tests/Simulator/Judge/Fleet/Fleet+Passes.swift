import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// Syncing, and an app's operations on its store.
extension Fleet {
    /// Syncs a device, successfully or not.
    public func sync(_ device: Int, complete: Bool = false) async throws {
        _ = try await pass(app(device), complete: complete)
    }

    /// Syncs all devices in turn.
    public func syncAll() async throws {
        for app in apps { _ = try await pass(app, complete: false) }
    }

    /// Syncs all devices while the server is kind.
    public func catchUp() async throws {
        if setting.harsh == nil || isCalm { return try await syncAll() }
        try await calm(true)
        try await syncAll()
        try await syncAll()
        try await calm(false)
    }

    /// Makes a harsh server temporarily kind, or harsh again.
    public func calm(_ isCalm: Bool) async throws {
        calmNetwork(isCalm)
        guard let harsh = setting.harsh else { return }
        self.isCalm = isCalm
        calmCount += 1
        var temper = isCalm ? .kind : setting.temper
        // Otherwise the same failures would be repeated each time.
        if !isCalm { temper.seed = harsh &+ UInt64(calmCount) &* 1_000_003 }
        cloud.temper = temper
    }

    /// Runs one pass, and judges its effects.
    ///
    /// - Returns: The error if it failed.
    func pass(_ app: App, complete: Bool) async throws -> (any Error)? {
        // During a pass, another pass of the same device would wait for its end.
        guard passing.insert(app.number).inserted else { return nil }
        defer { passing.remove(app.number) }
        if !hasSchema { try await deploySchema(lacking: setting.stampless) }
        _ = wire.takeCounts(of: app.name)
        interrupted.remove(app.number)
        try look(app)
        try app.screen?.catchUp()
        _ = app.screen?.hasAnnouncement()
        app.screen?.mayBecomeBusy()
        let store = try app.store
        let (before, bad, lost) = (app.seen, wire.poisonedIdents, lostAssets)
        let exchange = history.beginExchange(app.place)
        app.invalidate()
        var failure: (any Error)?
        var summary: SMSyncSummary?
        do {
            summary = try await store.sync(complete: complete)
        } catch {
            if !isExpected(error, app) { failure = error }
        }
        wire.dropInterruptions(of: app.name)
        await wire.interruptionsEnd(of: app.name)
        history.attempted(app.place)
        let counts = wire.takeCounts(of: app.name)
        modificationCount += counts.modifications
        noteVanished(app, counts)
        noteLostAnswers(app, counts)
        for ident in wire.takeOtherVersions(of: app.name) {
            history.meetAnother(ident, at: app.place)
        }
        let wasKilled = app.isKilled
        if wasKilled { try app.startAfterKill() }
        app.settle()
        try look(app, buries: false)
        try await lookAtServer()
        history.bury()
        if counts.wasLate { noteLateObjects(app, before) }
        if failure == nil { app.hasSynced = true }
        let isUndisturbed = !wasKilled && !wasInterrupted(app) && !counts.hadLateArrival
        let isWhole =
            try failure == nil && isUndisturbed && !counts.wasLate
            && app.hasFetchedAll(but: server.refusedNames.count)
        wire.endPass(of: app.name, isWhole: isWhole)
        if isWhole {
            history.finish(exchange)
            app.readsAgain = false
        }
        if !wasKilled {
            try check(app, failure, counts)
            if !counts.hadTrouble, isUndisturbed {
                try checkDeletions(exchange, app, bad, lost: lost)
            }
            if before != app.seen || complete { try checkFile(app) }
        }
        if isUndisturbed {
            try await judgePass(of: app, exchange, before: before, summary)
        } else {
            app.screen?.mayLackObjects = true
        }
        if isWhole, summary != nil { judgeSuccess(of: app) }
        try judgeContexts(of: app)
        return failure
    }

    /// Records that a device may have sent what has vanished again, because it reads the zone's changes
    /// from the beginning, and its user keeps the data of a lost zone.
    private func noteVanished(_ app: App, _ counts: Wire.Counts) {
        if counts.hadExpiredToken { app.readsAgain = true }
        guard app.readsAgain, app.uploadsVanishedRecords else { return }
        if setting.mode == .uploaders { return history.uploadDeleted(from: app.place) }
        history.sendVanishedAgain(from: app.place)
    }

    /// Whether an event has happened during a device's last pass.
    func wasInterrupted(_ app: App) -> Bool { interrupted.contains(app.number) }

    /// Whether a pass fails only because of records that the file refuses and no pass of the device
    /// has reported yet.
    private func isExpected(_ failure: any Error, _ app: App) -> Bool {
        guard case SMStoreError.recordsNotFetched(let names, _) = failure,
            server.refusedNames.isSuperset(of: names), app.toldRefused.isDisjoint(with: names)
        else { return false }
        app.toldRefused.formUnion(names)
        return true
    }

    private func check(
        _ app: App, _ failure: (any Error)?, _ counts: Wire.Counts
    ) throws {
        let status = try app.store.syncStatus()
        if failure == nil, status.pendingChangeCount > 0, !wasInterrupted(app) {
            complain(
                "success with changes that wait",
                "\(status.pendingChangeCount) on \(app.name) after a pass that succeeded")
        }
        if let failure, setting.mode.explainsFailures, !counts.hadFault, !wasInterrupted(app),
            !isAftermath(failure)
        {
            complain("sync failed without a fault", "\(app.name): \(failure)")
        }
        if let date = status.nextAttempt {
            complain(
                "promises a next attempt",
                "\(app.name) does not sync automatically, and says \(date)")
        }
        checkBudget(app, counts)
        checkOutbox(app, waiting: status.pendingChangeCount)
    }

    /// Whether a pass fails because of an earlier one: a refused record waits for its next try, and
    /// an unfetched one is requested again.
    private func isAftermath(_ failure: any Error) -> Bool {
        guard setting.harsh != nil || setting.mode == .lossy else { return false }
        switch failure {
        case SMStoreError.changesNotAcknowledged, SMStoreError.recordsNotFetched: return true
        default: return false
        }
    }

    /// Judges that the store finds no errors in its file.
    func checkFile(_ app: App) throws {
        let violations = try app.store.checkInvariants()
        if let first = violations.first {
            complain("invariant \(first.rule.rawValue)", "\(app.name): \(violations)")
        }
        if FileManager.default.contents(atPath: app.canary.path) != Data("important".utf8) {
            complain("foreign file", "a file of the application's own is gone on \(app.name)")
        }
    }

    // MARK: - The process

    /// Quits the app and starts it again. It must show the same state.
    public func relaunch(_ device: Int) async throws {
        try relaunch(app(device))
    }

    func relaunch(_ app: App) throws {
        try look(app)
        let before = app.seen
        try app.relaunch()
        let after = try app.read()
        if let difference = Difference.first(before, after, "before", "after") {
            complain("relaunch shows something else", "\(app.name): \(difference)")
        }
        try checkFile(app)
    }

    /// Ends the device's process before a given number of further commits.
    public func kill(_ device: Int, atCommit count: Int) async throws {
        app(device).killAtCommit(max(1, count))
    }

    /// Switches to the device's other process.
    public func switchProcess(_ device: Int) async throws {
        let app = app(device)
        try app.switchProcess()
        try look(app)
    }

    /// The newest version of the model on any device.
    var version: ModelVersion {
        apps.map(\.version).max { $0.rawValue < $1.rawValue } ?? setting.version
    }

    /// Starts the app with another version of its model.
    public func upgrade(_ device: Int, to version: ModelVersion) async throws {
        try upgrade(app(device), to: version)
    }

    func upgrade(_ app: App, to version: ModelVersion) throws {
        guard version.rawValue > app.version.rawValue else { return }
        try look(app)
        let former = app.version
        // CloudKit refuses the other field type, whichever device uses a type first.
        if version == .noteIsEncrypted, !hasExchangedNodes(app) { return }
        do {
            try app.relaunch(version)
        } catch {
            // Settings that affect the record format may be refused, with an error that names them.
            if version.rawValue <= 2 {
                complain("migration failed", "\(app.name) to \(version): \(error)")
            }
            return
        }
        if version == .noteIsEncrypted {
            complain("upgrade accepted", "\(app.name) takes a field for encrypted that is not")
        }
        history.getModel(
            at: app.place, lacking: version.unknownNames,
            syncing: version.syncs("memo", of: .node) ? ["memo"] : [])
        let snapshot = try app.read()
        // Values that were local until now count as written now.
        var before = traveling(snapshot, former)
        let after = traveling(snapshot, version)
        for id in before.objects.keys where after.objects[id]?.values["memo"] != nil {
            before.objects[id]?.values["memo"] = Value.none
        }
        history.look(at: app.place, before)
        history.save(at: app.place, before: before, after: after, isOld: true)
        for name in movedNames {
            history.moveField(of: name, at: app.place) { kind in
                former.field(of: name, of: kind) != version.field(of: name, of: kind)
            }
        }
        forgetLocalValues(on: app)
        app.seen = snapshot
        try checkFile(app)
    }

    /// Whether the server has an object of the entity whose settings differ between versions, and the device
    /// has sent or fetched it. Otherwise the device cannot know that the server has the field.
    func hasExchangedNodes(_ app: App) -> Bool {
        let onServer = history.shows(serverPlace).byIdent
        return app.hasSynced
            && app.seen.objects.values.contains { object in
                object.kind.isNode && onServer[object.ident] != nil
                    && history.isExchanged(object.ident, at: app.place)
            }
    }

    /// Forgets the server, so that everything is sent again.
    public func resetCloudFields(_ device: Int) async throws {
        let app = app(device)
        if app.hasOtherUser { return }
        app.hasSynced = false
        app.toldRefused = []
        if !wire.poisonedIdents.isEmpty { hasForgottenTheRefused = true }
        try look(app)
        try app.store.resetCloudFieldsInBackingStore()
        history.sendAgain(from: app.place)
        app.invalidate()
        try look(app)
    }

    /// Saves many times while the store syncs automatically.
    public func burst(_ device: Int, _ ident: String) async throws {
        let app = app(device)
        guard try shown(by: app).byIdent[ident] != nil else { return }
        if try await pass(app, complete: false) != nil { return }
        let store = try app.store
        let attribute = Change.root(of: ident) == .tag ? "x" : "title"
        _ = history.beginExchange(app.place)
        store.syncAutomatically = true
        for number in 0..<Budget.savesOfBurst {
            app.invalidate()
            try await set(ident, on: device, [attribute: .text("burst \(number)")])
            try await Task.sleep(nanoseconds: 40_000_000)
        }
        var quiet = 0
        for _ in 0..<400 where quiet < 3 {
            try await Task.sleep(nanoseconds: 20_000_000)
            let status = try store.syncStatus()
            quiet = status.pendingChangeCount == 0 && status.state != .syncing ? quiet + 1 : 0
        }
        store.syncAutomatically = false
        let counts = wire.takeCounts(of: app.name)
        history.attempted(app.place)
        noteVanished(app, counts)
        noteLostAnswers(app, counts)
        app.invalidate()
        try look(app)
        try await lookAtServer()
        if !counts.hadFault, counts.requests - counts.pages > Budget.requestsForBurst {
            complain("too many requests", "\(counts.requests) for \(Budget.savesOfBurst) saves")
        }
    }

    // MARK: - During a pass

    /// Schedules an event during a request of a device's next pass.
    ///
    /// - Parameter afterwards: Whether the server has executed the request by then.
    public func during(
        _ kind: RequestKind, of device: Int, afterwards: Bool, _ step: Step
    ) async throws {
        let app = app(device)
        let number = app.number
        wire.add(
            Wire.Interruption(device: app.name, kind: kind, afterwards: afterwards) {
                [weak self] in
                guard let self else { return }
                if case .sync = step { raced.insert(self.app(number).place) }
                do {
                    // The step may remove from the device what the pass has just sent.
                    try await lookAtServer()
                    try await step.perform(on: self)
                } catch {
                    failureWithin = failureWithin ?? error
                }
                interrupted.insert(number)
                self.app(number).invalidate()
            })
    }
}
