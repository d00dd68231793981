import CloudKit
import CoreData
import Seam3

/// The end of a schedule.
extension Fleet {
    /// Ends all failures, lets all devices sync until nothing waits, and judges the result.
    ///
    /// - Throws: The first ``Violation``.
    public func judge() async throws {
        try await settleAccounts()
        if let first = violations.first { throw first }
    }

    /// Finds all violations.
    func settleAccounts() async throws {
        if let failureWithin { throw failureWithin }
        if setting.mode == .poison { try await judgeStandstill() }
        try await comeToRest()
        if let failureWithin { throw failureWithin }
        let agreed = try agreement("when all had synced")
        let before = allShown
        for app in apps {
            if let failure = try await pass(app, complete: true) {
                complain("complete sync failed", "\(app.name): \(failure)")
            }
        }
        if before != allShown { _ = try await rounds(2) }
        let final = try agreement("after complete syncs")
        if let agreed, let final,
            let difference = Difference.first(
                agreed, final, "before", "after", ignoring: lostNames)
        {
            complain("a complete sync changes something", difference)
        }
        for app in apps { try await judgeScreen(app) }
        try judgeReading(of: apps[history.edits.count % apps.count])
        try relaunchOne()
        judgeServer()
        if let final {
            judgeReferences(final)
            var oracle = oracle(for: final)
            oracle.judge()
            tally = oracle.tally
            for violation in oracle.violations { complain(violation.rule, violation.text) }
        }
        try judgeLocalValues()
        try await judgeOtherUser()
        if !hasLostPhotos { for app in apps { try checkFiles(app) } }
    }

    /// Relaunches one of the devices, because opening a file is a large part of a run's cost. Each
    /// device is chosen equally often.
    private func relaunchOne() throws {
        let number = history.edits.count % apps.count
        for app in apps {
            if app.number == number { try relaunch(app) } else { try checkFile(app) }
        }
    }

    /// The properties that objects have lost to damaged files.
    var lostNames: Set<String> { hasLostPhotos ? ["photo"] : [] }

    /// The properties of nodes that devices have stored in different fields.
    var movedNames: Set<String> { version == .titleHasAnotherField ? ["title"] : [] }

    // MARK: - Convergence

    private func comeToRest() async throws {
        wire.heal()
        calmNetwork(true)
        forgetBackups()
        for app in apps {
            app.disarm()
            if app.isKilled { try app.startAfterKill() }
            app.held = [:]
            try cloud.signIn("default", device: app.name)
            try cloud.setAccountStatus(.available, device: app.name)
        }
        if version.differsInSettings {
            // Devices whose models have different sync settings stay different until all have the
            // same model.
            for app in apps { _ = try await pass(app, complete: false) }
            for app in apps { try upgrade(app, to: version) }
        }
        // Parked changes wait longer than a few rounds take.
        if try await rounds(3) { return }
        // Parked changes are retried after a relaunch at the latest.
        for app in apps { try relaunch(app) }
        if try await rounds(6) { return }
        for app in apps {
            let failure = try await pass(app, complete: false)
            let status = try app.store.syncStatus()
            if failure != nil || status.pendingChangeCount > 0 {
                complain(
                    "waits for ever",
                    "\(status.pendingChangeCount) changes on \(app.name), with nothing wrong:"
                        + " \(failure.map { "\($0)" } ?? "no error")")
            }
        }
        complain("never at rest", "something changes with each round of passes")
    }

    private var allShown: [Snapshot] { history.places.map { history.shows($0) } }

    /// The versions of the server's records, by name.
    private var versions: [String: String?] { server.records.mapValues(\.recordChangeTag) }

    /// Syncs all devices until a round changes nothing.
    ///
    /// - Returns: Whether this was reached, and nothing waits.
    private func rounds(_ most: Int) async throws -> Bool {
        for _ in 0..<most {
            // One device may write again what another has just changed, or remove again what another has
            // just made again. Then all show the same as before, but the first has yet to get the change.
            let (before, known, sent) = (allShown, versions, modificationCount)
            var isQuiet = true
            for app in apps {
                if try await pass(app, complete: false) != nil {
                    isQuiet = false
                    try app.jump(180)
                }
            }
            guard isQuiet, sent == modificationCount, before == allShown, known == versions else {
                continue
            }
            return try apps.allSatisfy { try $0.store.syncStatus().pendingChangeCount == 0 }
        }
        return false
    }

    // MARK: - Agreement

    /// The state that all places show.
    ///
    /// - Returns: nil if they differ.
    private func agreement(_ moment: String) throws -> Snapshot? {
        var doAgree = true
        for app in apps { try look(app) }
        let snapshots = apps.map { history.shows($0.place) }
        for (app, snapshot) in zip(apps, snapshots).dropFirst() {
            if let difference = Difference.first(
                snapshots[0], snapshot, "on \(apps[0].name)", "on \(app.name)",
                ignoring: lostNames)
            {
                doAgree = false
                complain("devices differ", "\(moment): \(difference)")
            }
        }
        // The newest version has the most properties. Order keys of pairs are not read on the
        // server.
        let newest = zip(apps, snapshots).max { $0.0.version.rawValue < $1.0.version.rawValue }
        let shown = newest?.1 ?? Snapshot()
        if let difference = Difference.first(
            shown, history.shows(serverPlace), "on devices", "on the server",
            ignoring: lostNames, ordersAreSets: ["picks", "picked"])
        {
            doAgree = false
            complain("server differs", "\(moment): \(difference)")
        }
        return doAgree ? shown : nil
    }

    // MARK: - Other checks

    private func judgeServer() {
        if !hasForeignReferences, !hasForgottenTheRefused,
            let first = server.danglingReferences.first
        {
            complain("reference to nothing", "on the server: \(first)")
        }
        checkOrderKeys()
    }

    private func judgeReferences(_ final: Snapshot) {
        judgePairs(final, "in the end")
        var owners: [String: String] = [:]
        for object in final.objects.values {
            for (name, target) in object.values {
                for other in target.names where final.byIdent[other] == nil {
                    complain(
                        "reference to nothing", "\(object.ident).\(name) leads to \(other)")
                }
            }
            guard case .object(let node)? = object.values["node"] else { continue }
            if let other = owners.updateValue(object.ident, forKey: node),
                setting.policy != .keepBoth,
                !setting.entityPolicies.values.contains(.keepBoth)
            {
                complain(
                    "one-to-one disagrees", "\(other) and \(object.ident) have \(node)")
            }
            let isMutual = final.byIdent[node]?.contains {
                $0.values["cover"] == .object(object.ident)
            }
            if isMutual != true {
                complain(
                    "one-to-one disagrees", "\(object.ident) has \(node), which does not have it")
            }
        }
    }

    /// An object's partner has it as its partner, so nobody has two.
    func judgePairs(_ state: Snapshot, _ place: String) {
        for (id, object) in state.objects.sorted(by: { $0.value.ident < $1.value.ident }) {
            guard case .object(let partner)? = object.values["partner"] else { continue }
            let back = state.destination("partner", of: id).flatMap {
                state.destination("partner", of: $0)
            }
            if back == id { continue }
            complain(
                "pair disagrees",
                "\(place), \(object.ident) has \(partner), which does not have it")
        }
    }

    /// Local values have stayed on their device.
    private func judgeLocalValues() throws {
        for app in apps {
            let shown = try self.shown(by: app).byIdent
            for (ident, values) in local[app.number].sorted(by: { $0.key < $1.key }) {
                guard let copies = shown[ident] else {
                    if ident.first == "d" {
                        complain("value lost", "\(ident), which never left \(app.name)")
                    }
                    continue
                }
                let edits = history.edits(of: ident)
                if edits.contains(where: { $0.action == .delete }) { continue }
                for (name, value) in values
                where !copies.contains(where: { $0.values[name] == value }) {
                    complain(
                        "value lost",
                        "\(ident).\(name), which never left \(app.name), is"
                            + " \(copies[0].values[name] ?? Value.none) and was \(value)")
                }
            }
        }
    }

    /// No other user has this user's data.
    private func judgeOtherUser() async throws {
        guard hasMetOtherUser else { return }
        try cloud.signIn("other", device: ServerReader.strangersDevice)
        var reader = ServerReader(
            cloud, device: ServerReader.strangersDevice, environment: setting.environment)
        _ = try await reader.read()
        if let record = reader.records.values.min(by: { $0.recordName < $1.recordName }) {
            complain("another user has it", "\(record.recordType ?? "") \(record.recordName)")
        }
    }
}
