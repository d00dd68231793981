import Foundation
import Seam3

/// The budget of resources, in numbers that do not depend on the speed of the machine.
enum Budget {
    /// The requests of one pass without failures, not counting further pages, what is fetched after
    /// conflicts, and questions who is signed in.
    static let requests = 40
    /// The passes for one burst of saves, by a store that syncs automatically.
    static let savesOfBurst = 20
    /// The requests of these passes.
    static let requestsForBurst = 12
    /// The bytes of fields in one request with several records.
    static let batchBytes: Int64 = 1_500_000
    /// The bytes of files in one request with several records.
    static let fileBytes: Int64 = 8_000_000
    /// Characters.
    static let orderKey = 31
}

extension Fleet {
    /// Judges the requests of a pass.
    func checkBudget(_ app: App, _ counts: Wire.Counts) {
        // Each page that the server shortens costs a request.
        let requests = counts.requests - counts.pages
        if !counts.hadFault, !wasInterrupted(app), requests > Budget.requests {
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

    /// At most one change waits for each object and each link, no matter how often it was changed. A link record
    /// of another client may lead nowhere, or be a second one of its pair, and have to be deleted.
    func checkOutbox(_ app: App, waiting: Int) {
        let most =
            app.seen.objects.count + app.seen.links.count + history.byIdent.count
            + furtherDeletions(on: app) + foreignLinkCount
        if waiting > most {
            complain("outbox too long", "\(waiting) changes wait on \(app.name), of \(most) things")
        }
    }

    /// The deletions that the server may lack, not counting the first one of each identity. Each is
    /// of another object, unless the objects have a natural key, and therefore one record. Of several
    /// objects that were there at the same time, each has a key of its own.
    private func furtherDeletions(on app: App) -> Int {
        let deleted = history.edits.filter { edit in
            edit.place == app.place && edit.action == .delete && edit.arrival == nil
                && !history.isLink(edit.ident)
        }
        var keys: [String: Set<[Value]>] = [:]
        for edit in deleted where edit.isOfCopy {
            guard let kind = history.kinds[edit.ident], kind.naturalKey != nil else { continue }
            keys[edit.ident, default: []].insert(
                kind.naturalKeys.map { edit.shown[$0] ?? Value.none })
        }
        let rest = deleted.filter { history.kinds[$0.ident]?.naturalKey == nil }
        return rest.count - Set(rest.map(\.ident)).count
            + keys.values.reduce(0) { $0 + $1.count }
    }

    /// Judges the length of order keys, except those written by other clients.
    func checkOrderKeys() {
        if server.longestOrderKey > Budget.orderKey, setting.mode != .hostile {
            complain("order key too long", "\(server.longestOrderKey) characters")
        }
    }

    /// Judges the length of the lists' order keys on a device, before the server has them.
    func checkOrderKeys(in app: App) throws {
        let longest = try RawFile(app.storeURL).text("SELECT max(length(list_order)) FROM \"Node\"")
        if let longest = longest.flatMap({ Int($0) }), longest > Budget.orderKey,
            setting.mode != .hostile
        {
            complain("order key too long", "\(longest) characters on \(app.name)")
        }
    }

    /// Judges that no external data file is left without an object.
    func checkFiles(_ app: App) throws {
        let folder = app.externalData
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.hasSuffix(".data") }
        let values = try shown(by: app).objects.values.flatMap { object in
            ["photo", "scan"].filter { object.values[$0] ?? Value.none != Value.none }
        }
        if files.count > values.count {
            complain(
                "files left over", "\(files.count) files for \(values.count) on \(app.name)")
        }
    }
}
