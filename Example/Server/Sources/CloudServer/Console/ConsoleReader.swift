import CloudKitWebServices
import Foundation
import LocalCloud

/// Reads the cloud as the user of a location, on a device of the console's own.
struct ConsoleReader: Sendable {
    let cloud: LocalCloud

    /// What the names of the console's devices begin with.
    static let devicePrefix = "console/"

    /// The context in which a location's database is read and changed.
    func context(
        _ location: ConsoleLocation
    ) throws(CloudKitServiceError) -> CloudContext {
        let user = location.user?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        let device =
            Self.devicePrefix + (location.scope == .public ? "public" : "user/\(user ?? "")")
        let entries = try cloud.accountEntries()
        let isKnown = entries.contains {
            $0.device == device && $0.container == location.container
                && ($0.status == .available)
                && (location.scope == .public || $0.user == location.user)
        }
        if !isKnown {
            try cloud.signIn(
                location.user ?? "console", device: device, container: location.container)
        }
        return CloudContext(
            container: location.container, environment: location.environment,
            database: location.scope, device: device)
    }

    /// Whether the database of a location exists. A page about one that does not must not make it.
    func exists(_ location: ConsoleLocation) async throws(CloudKitServiceError) -> Bool {
        guard try cloud.places().contains(location.place) else { return false }
        guard location.scope != .public else { return true }
        return try await cloud.users(in: location.place).contains { $0.name == location.user }
    }

    /// A record of a location.
    func record(
        _ location: ConsoleLocation
    ) async throws(CloudKitServiceError) -> RecordDictionary {
        let answer = try await cloud.lookUpRecords(
            LookUpRecordsRequest(
                zoneID: location.zoneID, records: [.init(location.record ?? "")]),
            in: try context(location))
        switch answer.records.first {
        case .success(let record): return record
        case .failure(let error):
            throw CloudKitServiceError(error.serverErrorCode, reason: error.reason)
        case nil: throw CloudKitServiceError(.notFound)
        }
    }

    /// The names of users by the names of their records.
    func userNames(in place: LocalCloud.Place) async throws(CloudKitServiceError) -> [String:
        String]
    {
        let users = try await cloud.users(in: place)
        return Dictionary(
            users.map { ($0.recordName, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}
