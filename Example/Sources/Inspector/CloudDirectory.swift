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
        let name: String
        let records: [RecordDictionary]
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

    /// The private zones of a container, in both environments.
    func zones(of container: String) async throws -> [Zone] {
        var zones: [Zone] = []
        guard let folder = folders[container] else { return [] }
        for environment in RequestContext.Environment.allCases
        where Self.has(environment, folder) {
            let context = RequestContext(
                container: container, environment: environment, device: "seam3")
            // The default zone has no feed of changes that would list its records.
            for id in try await cloud.listZones(in: context).zones.compactMap(\.item?.zoneID)
            where id.zoneName != ZoneIDDictionary.defaultZoneName {
                zones.append(
                    Zone(
                        container: container, environment: environment, name: id.zoneName,
                        records: try await records(of: id, in: context)))
            }
        }
        return zones
    }

    private func records(
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

    private static func has(_ environment: RequestContext.Environment, _ folder: URL) -> Bool {
        FileManager.default.fileExists(
            atPath: folder.appendingPathComponent(environment.rawValue).path)
    }
}
