import CloudKitService
import Console
import CoreData
import LocalCloud

/// A local cloud in a directory.
struct CloudDirectory {
    /// The records of a zone.
    struct Zone {
        let container: String
        let environment: RequestContext.Environment
        let database: RequestContext.DatabaseScope
        /// Whose private database it is in; nil for the public one.
        let user: String?
        let name: String
        let records: [RecordDictionary]

        /// Whether the zone exists without having been created.
        var isDefault: Bool { name == ZoneIDDictionary.defaultZoneName }
        /// The names that lead to the zone, for a table.
        var place: [String] { [container, environment.rawValue, database.rawValue, name] }
    }

    /// The identifiers of the containers.
    let containers: [String]
    /// The folder of each container. It contains a folder for each environment in use.
    private let folders: [String: URL]
    private let cloud: LocalCloud

    /// Opens a cloud.
    ///
    /// - Throws: A ``Console/Failure`` if the directory does not exist.
    init(_ path: String) throws {
        let directory = URL(fileURLWithPath: path, isDirectory: true)
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(
            atPath: directory.path, isDirectory: &isDirectory)
        guard exists, isDirectory.boolValue else {
            throw Console.Failure("There is no directory at \(path).")
        }
        var folders: [String: URL] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let folder = directory.appendingPathComponent(name, isDirectory: true)
            guard let container = name.removingPercentEncoding,
                RequestContext.Environment.allCases.contains(where: { Self.has($0, folder) })
            else { continue }
            folders[container] = folder
        }
        guard !folders.isEmpty else {
            let inner = directory.appendingPathComponent("cloud").path
            let question =
                FileManager.default.fileExists(atPath: inner) ? " Did you mean \(inner)?" : ""
            throw Console.Failure("\(path) holds no container of a local cloud.\(question)")
        }
        self.folders = folders
        containers = folders.keys.sorted()
        cloud = LocalCloud(directory: directory)
    }

    /// The container that the user named, or the only one.
    func container(_ name: String?) throws -> String {
        let known = "The containers are \(containers.joined(separator: ", "))."
        guard let name else {
            if containers.count == 1 { return containers[0] }
            throw Console.Failure("\(known) Name one with --container.")
        }
        guard folders[name] != nil else {
            let question = NearestName.question(name, among: containers)
            throw Console.Failure("There is no container \(name).\(question) \(known)")
        }
        return name
    }

    /// The schema of a container.
    func schema(of container: String) async throws -> String {
        try await cloud.exportSchema(container: container)
    }

    /// The users who have records in their private databases, with the number of these.
    func users(of container: String) async throws -> [(name: String, recordCount: Int)] {
        var counts: [String: Int] = [:]
        for place in try cloud.places() where place.container == container {
            for user in try await cloud.users(in: place) {
                let zones = try await cloud.zones(in: place, scope: .private, user: user.name)
                counts[user.name, default: 0] += zones.flatMap(\.recordCounts.values).reduce(0, +)
            }
        }
        return counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The zones of a container's databases, in both environments.
    ///
    /// - Parameter user: Whose private database is read.
    func zones(
        of container: String, in databases: [RequestContext.DatabaseScope], user: String
    ) async throws -> [Zone] {
        cloud.answer("seam3", as: user)
        var zones: [Zone] = []
        guard let folder = folders[container] else { return [] }
        for environment in RequestContext.Environment.allCases
        where Self.has(environment, folder) {
            for database in databases {
                let context = RequestContext(
                    container: container, environment: environment, database: database,
                    device: "seam3")
                let ids = try await cloud.listZones(in: context).zones.compactMap(\.item?.zoneID)
                for id in ids {
                    zones.append(
                        Zone(
                            container: container, environment: environment, database: database,
                            user: database == .public ? nil : user, name: id.zoneName,
                            records: try await records(of: id, in: context)))
                }
            }
        }
        return zones
    }

    private func records(
        of zone: ZoneIDDictionary, in context: RequestContext
    ) async throws -> [RecordDictionary] {
        if zone.zoneName != ZoneIDDictionary.defaultZoneName, context.database == .private {
            return try await feed(of: zone, in: context)
        }
        // Default zones and the public database have no feed of changes, but can be queried.
        let schema = try await cloud.exportSchema(
            container: context.container, environment: context.environment)
        var records: [RecordDictionary] = []
        for type in Self.recordTypes(in: schema) {
            records += try await matches(of: QueryDictionary(recordType: type), zone, in: context)
        }
        return records
    }

    private func feed(
        of zone: ZoneIDDictionary, in context: RequestContext
    ) async throws -> [RecordDictionary] {
        var records: [RecordDictionary] = []
        var token: String?
        while true {
            let request = ZoneChangesRequest(zones: [.init(zoneID: zone, syncToken: token)])
            let answer = try await cloud.fetchZoneChanges(request, in: context).zones.first
            guard let page = answer?.item else {
                throw Console.Failure("The zone \(zone.zoneName) cannot be read.")
            }
            records += page.records.filter { $0.deleted != true }
            guard page.moreComing else { return records }
            token = page.syncToken
        }
    }

    private func matches(
        of query: QueryDictionary, _ zone: ZoneIDDictionary, in context: RequestContext
    ) async throws -> [RecordDictionary] {
        var records: [RecordDictionary] = []
        var marker: String?
        repeat {
            let request = QueryRecordsRequest(
                zoneID: zone, query: query, continuationMarker: marker)
            let page = try await cloud.queryRecords(request, in: context)
            records += page.records.compactMap(\.item)
            marker = page.continuationMarker
        } while marker != nil
        return records
    }

    /// The names of the record types in a schema. Users' records cannot be queried.
    private static func recordTypes(in schema: String) -> [String] {
        schema.matches(of: /RECORD TYPE "?([^"( ]+)/).map { String($0.1) }
            .filter { $0 != "Users" }
    }

    private static func has(_ environment: RequestContext.Environment, _ folder: URL) -> Bool {
        FileManager.default.fileExists(
            atPath: folder.appendingPathComponent(environment.rawValue).path)
    }
}
