import Seam3

/// What the judge of edit stamps has to know.
extension Fleet {
    func watchStamps() {
        let (policy, policies) = (setting.policy, setting.entityPolicies)
        wire.lock.withLock {
            wire.stamps.policies = { policies[$0] ?? $0.parent.flatMap { policies[$0] } ?? policy }
            #if os(Linux)
            wire.stamps.isOverNetwork = setting.network != nil
            #endif
        }
        for device in 0..<setting.devices {
            wire.setModel(setting.version, of: App.name(device))
        }
    }

    /// Notes what a user's save has changed.
    func noteUsersEdits(_ app: App, _ before: Snapshot, _ after: Snapshot, isHeld: Bool) {
        wire.lock.withLock {
            wire.stamps.edits.note(app.name, before: before, after: after, isHeld: isHeld)
        }
    }

    /// Notes that a pass has ended, and what its saves have violated.
    func noteEndOfPass(_ app: App, isWhole: Bool) {
        wire.lock.withLock { wire.stamps.edits.endPass(of: app.name, isWhole: isWhole) }
        reportStamps()
    }

    func reportStamps() {
        let violations = wire.lock.withLock { wire.stamps.takeViolations() }
        for violation in violations { complain(violation.rule, violation.text) }
    }
}

extension Wire {
    func setModel(_ version: ModelVersion, of device: String) {
        lock.withLock { stamps.edits.setModel(version, of: device) }
    }

    func beginPass(of device: String) { lock.withLock { stamps.edits.beginPass(of: device) } }

    /// Notes that a device may have forgotten which versions of records it knew.
    func forgetLearned(by device: String) { lock.withLock { stamps.edits.forget(device) } }

    func noteZoneLoss() { lock.withLock { stamps.judge.noteZoneLoss() } }

    /// Notes that somebody who writes no stamps has written records.
    func noteStranger(_ names: [String]) { lock.withLock { stamps.judge.noteStranger(names) } }
}
