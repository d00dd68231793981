import LocalCloud
import Seam3

/// Feeds that lag behind the server, and the schema in production.
extension Fleet {
    /// Makes the feed answer a device's next requests with the state that the server had before its last changes.
    public func lag(_ device: Int, behind: Int, times: Int) async throws {
        await wire.followFeed()
        let name = app(device).name
        wire.lock.withLock { wire.feedLog?.lag(name, behind: behind, times: times) }
    }

    /// Objects whose deletion a device knows, and that a late answer has brought back until the feed tells of the
    /// deletion, and objects that it deletes itself without an edit that the answer has left out. The manual promises
    /// nothing of late answers, so only agreement in the end is judged.
    func noteLateObjects(_ app: App, _ before: Snapshot) {
        for edit in history.edits where edit.action == .delete && edit.place == app.place {
            history.touch(edit.ident)
        }
        let (former, now) = (before.byIdent, history.shows(app.place))
        for ident in now.byIdent.keys where former[ident] == nil {
            if history.edits(of: ident).contains(where: { $0.action == .delete }) {
                history.touch(ident)
            }
        }
        for link in now.links.subtracting(before.links)
        where history.edits(of: link).contains(where: { $0.action == .delete }) {
            for ident in link.split(separator: "|").dropFirst() { history.touch(String(ident)) }
        }
    }

    /// Deploys the schema with the fields of edit stamps.
    public func deploySchema() async throws { try await deploySchema(lacking: []) }

    /// Deploys the schema, if the devices use production.
    func deploySchema(lacking kinds: [Kind]) async throws {
        hasSchema = true
        if setting.environment == .development { return }
        let types = Set(kinds.map(\.entityName))
        var type = ""
        let schema = try SMStore.cloudKitSchema(for: setting.version.make())
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in
                let words = line.split { " (\"".contains($0) }
                if words.first == "RECORD", words.count > 2 { type = String(words[2]) }
                return words.first != "SM_edits" || !types.contains(type)
            }
        try await cloud.importSchema(
            schema.joined(separator: "\n"), container: ServerReader.container)
        try await cloud.deploySchema(container: ServerReader.container)
    }
}
