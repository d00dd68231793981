import ArgumentParser
import CloudKitService
import Console
import CoreData

/// Shows the records of a local cloud.
struct Records: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count the records of a local cloud, or list those of a type.",
        discussion: """
            Example: seam3 records ~/.local/share/seam/cloud --type Clock

            These are the private databases. Default zones are left out: CloudKit does not list \
            their records.
            """)

    @Argument(help: "The directory of the cloud.", completion: .directory)
    var cloud: String

    @Option(help: "Only this container.")
    var container: String?

    @Option(help: "Only this zone.")
    var zone: String?

    @Option(help: "List the records of this type, with their fields.")
    var type: String?

    func run() async throws {
        let directory = try CloudDirectory(cloud)
        let containers =
            try container.map { [try directory.container($0)] } ?? directory.containers
        var zones: [CloudDirectory.Zone] = []
        for container in containers { zones += try await directory.zones(of: container) }
        if let zone {
            let names = Set(zones.map(\.name))
            guard names.contains(zone) else { throw unknown("zone", zone, names) }
            zones.removeAll { $0.name != zone }
        }
        guard let type else { return print(Self.counts(zones)) }
        let records = zones.flatMap(\.records)
        let matches = records.filter { $0.recordType == type }
        guard !matches.isEmpty else {
            throw unknown("record type", type, Set(records.compactMap(\.recordType)))
        }
        print(Self.list(matches))
    }

    private func unknown(_ kind: String, _ name: String, _ names: Set<String>) -> Console.Failure {
        let known =
            names.isEmpty
            ? "The cloud has none." : "The cloud has \(names.sorted().joined(separator: ", "))."
        return Console.Failure(
            "There is no \(kind) \(name).\(NearestName.question(name, among: names)) \(known)")
    }

    private static func counts(_ zones: [CloudDirectory.Zone]) -> String {
        let rows = zones.flatMap { zone in
            let place = [zone.container, zone.environment.rawValue, zone.name]
            let types = Dictionary(grouping: zone.records) { $0.recordType ?? "–" }
            return types.isEmpty
                ? [place + ["–", "0"]]
                : types.sorted { $0.key < $1.key }.map { place + [$0.key, "\($0.value.count)"] }
        }
        return TextTable.lines(["Container", "Environment", "Zone", "Type", "Records"], rows)
    }

    private static func list(_ records: [RecordDictionary]) -> String {
        let fields = Set(records.flatMap(\.fields.keys)).sorted()
        let rows = records.sorted { $0.recordName < $1.recordName }.map { record in
            [record.recordName, record.recordChangeTag ?? "–"]
                + fields.map { text(record.fields[$0]?.value) }
        }
        return TextTable.lines(["Record", "Tag"] + fields, rows)
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
