import Foundation

/// Files that are copied to another device, or replaced by an older copy of themselves.
extension Fleet {
    /// A copy of a device's file, with what the judge knows of it.
    struct FileCopy {
        let folder: URL
        /// The copy's place in the history.
        let place: Int
        /// The edits that wait in it.
        let waiting: [Int]
        let seen: Snapshot
        let local: [String: [String: Value]]
        let hasSynced: Bool
    }

    /// Copies a device's file to another device that has nothing to lose, while neither app is running. Both go on.
    public func copyFile(of device: Int, to other: Int) async throws {
        let (source, target) = (app(device), app(other))
        guard source.number != target.number, try mayBeReplaced(target),
            let copy = try copyFile(of: source)
        else { return }
        if let backup = target.backup { history.retire(backup.place) }
        target.backup = nil
        try replaceFile(of: target, by: copy, isBackup: false)
        history.sendTwice(from: source.place, copy.waiting)
    }

    /// Keeps a copy of a device's file.
    public func backUp(_ device: Int) async throws {
        let app = app(device)
        guard let copy = try copyFile(of: app) else { return }
        if let former = app.backup { history.retire(former.place) }
        app.backup = copy
    }

    /// Replaces a device's file by its last backup, if the device has nothing to lose.
    public func restore(_ device: Int) async throws {
        let app = app(device)
        guard let backup = app.backup, try mayBeReplaced(app) else { return }
        app.backup = nil
        try replaceFile(of: app, by: backup, isBackup: true)
    }

    /// Whether everything that a device's user has edited is on the server. Nothing else survives the loss of its file.
    private func mayBeReplaced(_ app: App) throws -> Bool {
        guard !passing.contains(app.number), !app.isKilled else { return false }
        try look(app)
        return try !history.hasUnsent(app.place) && app.store.syncStatus().pendingChangeCount == 0
    }

    private func copyFile(of app: App) throws -> FileCopy? {
        guard !passing.contains(app.number), !app.isKilled else { return nil }
        try look(app)
        copyCount += 1
        let folder = app.folderOfCopy(copyCount)
        try app.copyFiles(to: folder)
        let (place, waiting) = history.copyPlace(app.place)
        return FileCopy(
            folder: folder, place: place, waiting: waiting, seen: app.seen,
            local: local[app.number], hasSynced: app.hasSynced)
    }

    private func replaceFile(of app: App, by copy: FileCopy, isBackup: Bool) throws {
        try app.replaceFiles(by: copy.folder)
        history.sendTwice(from: copy.place, copy.waiting)
        if isBackup { history.sendTwice(from: app.place, copy.waiting) }
        history.retire(app.place)
        app.place = copy.place
        local[app.number] = copy.local
        app.hasSynced = copy.hasSynced
        let after = try app.read()
        if let difference = Difference.first(copy.seen, after, "in the file", "in its copy") {
            complain("a copied file shows something else", "\(app.name): \(difference)")
        }
        app.seen = after
        try checkFile(app)
    }

    /// No backup is used any longer.
    func forgetBackups() {
        for app in apps {
            if let backup = app.backup { history.retire(backup.place) }
            app.backup = nil
        }
    }
}
