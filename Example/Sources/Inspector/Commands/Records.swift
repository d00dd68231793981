import ArgumentParser
import CloudKitService
import Console
import CoreData
import Seam3

/// Shows the records of a local cloud.
struct Records: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count the records of a local cloud, or list those of a type.",
        discussion: """
            Example: seam3 records ~/.local/share/seam/cloud --type Clock

            All zones of all databases are searched, unless --zone or --database names one. The \
            private database is that of the user "default", who is signed in unless somebody else \
            was, or of --user. A default zone without records is only shown if it is named.
            """)

    @Argument(help: "The directory of the cloud.", completion: .directory)
    var cloud: String

    @Option(help: "Only this container.")
    var container: String?

    @Option(
        help: "Only this database: private, public or shared.",
        completion: .list(RequestContext.DatabaseScope.allCases.map(\.rawValue)))
    var database: String?

    @Option(help: "The user whose private database is read, by the name that was signed in.")
    var user: String?

    @Option(help: "Only this zone, such as _defaultZone.")
    var zone: String?

    @Option(help: "List the records of this type, with their fields.")
    var type: String?

    func run() async throws {
        let directory = try CloudDirectory(cloud)
        let containers =
            try container.map { [try directory.container($0)] } ?? directory.containers
        let users = try await users(in: directory, containers)
        let zones = try await zones(in: directory, containers)
        guard let type else {
            if !zones.isEmpty || users.isEmpty { print(Self.counts(zones)) }
            return users.forEach { print($0) }
        }
        let matches = zones.map { zone in
            (zone.place, zone.records.filter { $0.recordType == type })
        }.filter { !$0.1.isEmpty }
        guard !matches.isEmpty else {
            let failure = unknown(
                "record type", type, Set(zones.flatMap(\.records).compactMap(\.recordType)))
            throw Console.Failure(([failure.description] + users).joined(separator: "\n"))
        }
        print(Self.list(matches))
    }

    /// The zones that the user asks for.
    private func zones(
        in directory: CloudDirectory, _ containers: [String]
    ) async throws -> [CloudDirectory.Zone] {
        let databases = try databases()
        var zones: [CloudDirectory.Zone] = []
        for container in containers {
            zones += try await directory.zones(
                of: container, in: databases, user: user ?? Self.defaultUser)
        }
        if let zone {
            let names = Set(zones.map(\.name))
            guard names.contains(zone) else { throw unknown("zone", zone, names) }
            zones.removeAll { $0.name != zone }
        } else if database == nil {
            zones.removeAll { $0.isDefault && $0.records.isEmpty }
        }
        return zones
    }

    /// The user who is signed in unless somebody else was.
    private static let defaultUser = "default"

    /// A line for each container in which other users have records, unless a user was named.
    private func users(in directory: CloudDirectory, _ containers: [String]) async throws
        -> [String]
    {
        var lines: [String] = []
        for container in containers {
            let users = try await directory.users(of: container)
            if let user {
                let names = users.map(\.name)
                guard !names.contains(user), containers.count == 1 else { continue }
                let known =
                    names.isEmpty
                    ? "Nobody has any." : "Users with records are \(names.joined(separator: ", "))."
                throw Console.Failure(
                    "\(user) has no records in \(container).\(NearestName.question(user, among: names)) \(known)"
                )
            }
            guard database == nil || database == "private",
                users.contains(where: { $0.name != Self.defaultUser })
            else {
                continue
            }
            let list = users.map { "\($0.name) (\($0.recordCount) records)" }.joined(
                separator: ", ")
            lines.append("Users of \(container): \(list). Show another one's with --user.")
        }
        return lines
    }

    private func databases() throws -> [RequestContext.DatabaseScope] {
        guard let database else { return [.private, .public, .shared] }
        if let scope = RequestContext.DatabaseScope(rawValue: database) { return [scope] }
        let names = RequestContext.DatabaseScope.allCases.map(\.rawValue)
        throw Console.Failure(
            "There is no database \(database).\(NearestName.question(database, among: names)) "
                + "The databases are private, public and shared.")
    }

    private func unknown(_ kind: String, _ name: String, _ names: Set<String>) -> Console.Failure {
        let place = database.map { "The \($0) database" } ?? "The cloud"
        let known =
            names.isEmpty
            ? "\(place) has none." : "\(place) has \(names.sorted().joined(separator: ", "))."
        return Console.Failure(
            "There is no \(kind) \(name).\(NearestName.question(name, among: names)) \(known)")
    }

    private static let placeTitles = ["Container", "Environment", "Database", "Zone"]

    private static func counts(_ zones: [CloudDirectory.Zone]) -> String {
        let rows = zones.flatMap { zone in
            let types = Dictionary(grouping: zone.records) { $0.recordType ?? "–" }
            return types.isEmpty
                ? [zone.place + ["–", "0"]]
                : types.sorted { $0.key < $1.key }.map {
                    zone.place + [$0.key, "\($0.value.count)"]
                }
        }
        return TextTable.lines(placeTitles + ["Type", "Records"], rows)
    }

    /// A table of records. It has a column for each part of their place that is not the same for
    /// all of them.
    private static func list(_ matches: [(place: [String], records: [RecordDictionary])]) -> String
    {
        let fields = Set(matches.flatMap(\.records).flatMap(\.fields.keys)).sorted()
        let parts = placeTitles.indices.filter { index in
            Set(matches.map { $0.place[index] }).count > 1
        }
        let rows = matches.flatMap { place, records in
            records.sorted { $0.recordName < $1.recordName }.map { record in
                parts.map { place[$0] } + [record.recordName, record.recordChangeTag ?? "–"]
                    + fields.map { text($0, of: record) }
            }
        }
        return TextTable.lines(parts.map { placeTitles[$0] } + ["Record", "Tag"] + fields, rows)
    }

    /// The value of a field; what the record says about its edits in words.
    private static func text(_ field: String, of record: RecordDictionary) -> String {
        let value = record.fields[field]?.value
        guard field == SMRecordEdits.field, case .bytes(let data)? = value,
            let edits = SMRecordEdits(data, fields: record.fields.keys)
        else { return text(value) }
        return "\(edits)"
    }

    /// A value as one short cell.
    private static func text(_ value: FieldValue?) -> String {
        let text: String
        switch value {
        case nil: return "–"
        case .string(let string): text = string.replacingOccurrences(of: "\n", with: "⏎")
        case .int64(let number): text = "\(number)"
        case .double(let number): text = "\(number)"
        case .bytes(let data): text = "\(data.count) bytes"
        case .timestamp(let milliseconds):
            text = "\(Date(timeIntervalSince1970: Double(milliseconds) / 1000))"
        case .location(let place): text = "\(place.latitude) \(place.longitude)"
        case .reference(let reference): text = "→ \(reference.recordName)"
        case .asset(let asset): text = "asset of \(asset.size ?? 0) bytes"
        case .list(let values): text = values.map { Self.text($0) }.joined(separator: ", ")
        }
        return text.count > 40 ? text.prefix(39) + "…" : text
    }
}
