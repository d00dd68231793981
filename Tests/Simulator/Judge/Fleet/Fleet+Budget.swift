import Foundation
import Seam3

/// What may be used, in numbers that do not depend on how fast a machine is.
enum Budget {
    /// Of one pass in which nothing fails, beside those for further pages.
    static let requests = 40
    /// Of one burst, by a store that syncs by itself.
    static let savesOfBurst = 20
    /// For those.
    static let requestsForBurst = 12
    /// Of the fields in one request with several records.
    static let batchBytes: Int64 = 1_500_000
    /// Of the files in one request with several records.
    static let fileBytes: Int64 = 8_000_000
    /// Characters.
    static let orderKey = 31
}

extension Fleet {
    /// What a pass has asked of the server.
    func checkBudget(_ app: App, _ counts: Wire.Counts) {
        // Each page that the server cuts takes a request.
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

    /// A change waits for each object and each link at most, however often it was changed.
    func checkOutbox(_ app: App, waiting: Int) {
        let most = app.seen.objects.count + app.seen.links.count + history.byIdent.count
        if waiting > most {
            complain("outbox too long", "\(waiting) changes wait on \(app.name), of \(most) things")
        }
    }

    /// How long order keys have become. What other clients write is their affair.
    func checkOrderKeys() {
        if server.longestOrderKey > Budget.orderKey, setting.mode != .hostile {
            complain("order key too long", "\(server.longestOrderKey) characters")
        }
    }

    /// How long the order keys of lists have become on a device, before the server has them.
    func checkOrderKeys(in app: App) throws {
        let longest = try RawFile(app.storeURL).text("SELECT max(length(list_order)) FROM \"Node\"")
        if let longest = longest.flatMap({ Int($0) }), longest > Budget.orderKey,
            setting.mode != .hostile
        {
            complain("order key too long", "\(longest) characters on \(app.name)")
        }
    }

    /// No file is left that no object needs.
    func checkFiles(_ app: App) throws {
        let folder = app.externalData
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let photos = try shown(by: app).objects.values.filter {
            $0.values["photo"] ?? Value.none != Value.none
        }
        if files.count > photos.count {
            complain(
                "files left over", "\(files.count) files for \(photos.count) on \(app.name)")
        }
    }
}
