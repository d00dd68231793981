import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// Synchronising, and what an application does with its store.
extension Fleet {
    /// Synchronises a device, whether that succeeds or not.
    public func sync(_ device: Int, complete: Bool = false) async throws {
        _ = try await pass(app(device), complete: complete)
    }

    /// Synchronises all devices in turn.
    public func syncAll() async throws {
        for app in apps { _ = try await pass(app, complete: false) }
    }

    /// One pass, and a look at all that follows from it.
    ///
    /// - Returns: What it failed with.
    func pass(_ app: App, complete: Bool) async throws -> (any Error)? {
        _ = wire.takeCounts(of: app.name)
        hadInterruption = false
        let store = try app.store
        let exchange = history.beginExchange(app.number)
        var failure: (any Error)?
        do {
            try await store.sync(complete: complete)
        } catch {
            failure = error
        }
        wire.dropInterruptions(of: app.name)
        let counts = wire.takeCounts(of: app.name)
        let wasKilled = app.isKilled
        if wasKilled { try app.startAfterKill() }
        app.settle()
        try look(app)
        try await lookAtServer()
        if failure == nil { app.hasSynchronised = true }
        if failure == nil, !wasKilled, !hadInterruption, try app.hasFetchedAll {
            history.finish(exchange)
        }
        if !wasKilled { try check(app, failure, counts) }
        return failure
    }

    private func check(
        _ app: App, _ failure: (any Error)?, _ counts: Wire.Counts
    ) throws {
        let status = try app.store.syncStatus()
        if failure == nil, status.pendingChangeCount > 0, !hadInterruption {
            complain(
                "success with changes that wait",
                "\(status.pendingChangeCount) on \(app.name) after a pass that succeeded")
        }
        if let failure, setting.mode.explainsFailures, !counts.hadFault, !hadInterruption,
            !isAftermath(failure)
        {
            complain("sync failed without a fault", "\(app.name): \(failure)")
        }
        if let date = status.nextAttempt {
            complain(
                "promises a next attempt",
                "\(app.name) does not synchronise automatically, and says \(date)")
        }
        try checkFile(app)
        checkBudget(app, counts)
    }

    /// What a pass may take.
    private func checkBudget(_ app: App, _ counts: Wire.Counts) {
        // Each page that the server cuts takes a request.
        let requests = counts.requests - counts.pages
        if !counts.hadFault, !hadInterruption, requests > Budget.requests {
            complain("too many requests", "\(requests) in one pass of \(app.name)")
        }
        if counts.largestBatch > Budget.batchBytes {
            complain(
                "batch too large", "\(counts.largestBatch) bytes in one request of several records")
        }
        if counts.largestFiles > Budget.fileBytes {
            complain(
                "batch too large",
                "\(counts.largestFiles) bytes of files in one request of several records")
        }
    }

    /// Whether a pass fails because of what an earlier one has met: a record that was refused waits for
    /// its time, and one that could not be fetched is asked for again.
    private func isAftermath(_ failure: any Error) -> Bool {
        guard setting.harsh != nil || setting.mode == .lossy else { return false }
        switch failure {
        case SMStoreError.changesNotAcknowledged, SMStoreError.recordsNotFetched: return true
        default: return false
        }
    }

    /// Whether the store finds its own file sound.
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

    /// Ends the application and starts it again. It must show the same.
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

    /// The device's process ends before the file's so-manieth commit from now on.
    public func kill(_ device: Int, atCommit count: Int) async throws {
        app(device).killAtCommit(max(1, count))
    }

    /// Goes on in the device's other process.
    public func switchProcess(_ device: Int) async throws {
        let app = app(device)
        try app.switchProcess()
        try look(app)
    }

    /// Starts the application with another version of its model.
    public func upgrade(_ device: Int, to version: ModelVersion) async throws {
        let app = app(device)
        guard version.rawValue > app.version.rawValue else { return }
        try look(app)
        let former = app.version
        do {
            try app.relaunch(version)
        } catch {
            // Settings that shape the records may be refused, if it is said what.
            if version.rawValue <= 2 {
                complain("migration failed", "\(app.name) to \(version): \(error)")
            }
            return
        }
        let snapshot = try app.read()
        // What stayed on the device till now is as if written now.
        var before = travelling(snapshot, former)
        let after = travelling(snapshot, version)
        for (id, object) in before.objects where after.objects[id]?.values["memo"] != nil {
            before.objects[id]?.values["memo"] = Value.none
            _ = object
        }
        history.look(at: app.number, before)
        history.save(at: app.number, before: before, after: after)
        app.seen = snapshot
        try checkFile(app)
    }

    /// Forgets the server: all is sent again.
    public func resetCloudFields(_ device: Int) async throws {
        let app = app(device)
        if app.hasOtherUser { return }
        app.hasSynchronised = false
        try look(app)
        try app.store.resetCloudFieldsInBackingStore()
        history.sendAgain(from: app.number)
        try look(app)
    }

    /// Saves many times while the store synchronises by itself.
    public func burst(_ device: Int, _ ident: String) async throws {
        let app = app(device)
        guard try app.read().byIdent[ident] != nil else { return }
        if try await pass(app, complete: false) != nil { return }
        let store = try app.store
        store.syncAutomatically = true
        for number in 0..<20 {
            try await set(ident, on: device, ["title": .text("burst \(number)")])
            try await Task.sleep(nanoseconds: 25_000_000)
        }
        var quiet = 0
        for _ in 0..<200 where quiet < 10 {
            try await Task.sleep(nanoseconds: 25_000_000)
            let status = try store.syncStatus()
            quiet = status.pendingChangeCount == 0 && status.state != .syncing ? quiet + 1 : 0
        }
        store.syncAutomatically = false
        let counts = wire.takeCounts(of: app.name)
        try look(app)
        try await lookAtServer()
        if !counts.hadFault, counts.requests - counts.pages > Budget.requestsForBurst {
            complain("too many requests", "\(counts.requests) for 20 saves")
        }
    }

    // MARK: - In the midst of a pass

    /// Something that happens while a request of a device's next pass is under way.
    ///
    /// - Parameter afterwards: Whether the server has carried the request out by then.
    public func during(
        _ kind: RequestKind, of device: Int, afterwards: Bool, _ step: Step
    ) async throws {
        let app = app(device)
        wire.add(
            Wire.Interruption(device: app.name, kind: kind, afterwards: afterwards) {
                [weak self] in
                guard let self else { return }
                if case .sync = step { hadRace = true }
                do {
                    try await step.perform(on: self)
                } catch {
                    failureWithin = failureWithin ?? error
                }
                hadInterruption = true
            })
    }
}

/// What a pass may take.
enum Budget {
    static let requests = 40
    /// For 20 saves in two seconds, by a store that synchronises by itself.
    static let requestsForBurst = 12
    static let batchBytes: Int64 = 1_500_000
    static let fileBytes: Int64 = 8_000_000
    static let orderKey = 32
}
