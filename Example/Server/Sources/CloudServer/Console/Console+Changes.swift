import CloudKitWebServices
import Foundation
import HTTPTypes
import Hummingbird
import LocalCloud

/// The feed of a database or of a zone: the latest changes, and then each as it comes.
extension Console {
    private static let latest = 40

    func changes(_ fields: FormFields) async throws -> Content {
        let location = try await databaseLocation(fields)
        guard location.scope == .private else {
            throw CloudKitServiceError(
                .badDatabase, reason: "The public database has no feed of changes.")
        }
        let context = try reader.context(location)
        var position = FeedPosition()
        var rows: [FeedRow] = []
        // The database's token comes first: what changes in the meantime is then shown twice, not never.
        position.database = try await databaseToken(nil, context) { _ in }
        let zones = try await reader.cloud.listZones(in: context).zones.compactMap(\.item)
            .filter { isInFeed($0.zoneID, location) }
        for zone in zones {
            let page = try await page(
                .init(zoneID: zone.zoneID, resultsLimit: Self.latest, reverse: true), context)
            position.zones[zone.zoneID.zoneName] = zone.syncToken
            rows += page?.records.map { FeedRow($0, zone: zone.zoneID.zoneName) } ?? []
        }
        rows.sort { ($0.time ?? 0) > ($1.time ?? 0) }
        let feed = location.address(.changes)
        return Content(
            template: "changes", title: "Changes",
            crumbs: databaseCrumbs(location, [("Changes", nil)]),
            values: [
                "rows": try await values(Array(rows.prefix(Self.latest)), location),
                "isEmpty": rows.isEmpty, "zones": location.zone.map { [["name": $0]] } ?? [],
                "position": position.text,
                "feed": "/console/changes/rows" + feed.dropFirst(ConsolePage.changes.path.count),
            ])
    }

    /// The rows that have come since a position, and the position after them in a header.
    func newChanges(_ request: Request, _ context: ServerContext) async throws -> Response {
        let fields = FormFields(query: request)
        do {
            let location = try await databaseLocation(fields)
            guard var position = FeedPosition(fields["since"] ?? "") else {
                throw CloudKitServiceError(.badRequest, reason: "The position is not valid.")
            }
            let rows = try await rows(since: &position, location)
            var response = try library.page(
                "rows", ["rows": try await values(rows.reversed(), location), "isNew": true])
            if let name = HTTPField.Name("X-Position") { response.headers[name] = position.text }
            return response
        } catch let error as CloudKitServiceError {
            throw HTTPError(error.pageStatus, message: error.description)
        }
    }

    private func rows(
        since position: inout FeedPosition, _ location: ConsoleLocation
    ) async throws -> [FeedRow] {
        let context = try reader.context(location)
        var changed: [ZoneDictionary] = []
        position.database = try await databaseToken(position.database, context) {
            changed.append($0)
        }
        var rows: [FeedRow] = []
        for zone in changed where isInFeed(zone.zoneID, location) {
            let name = zone.zoneID.zoneName
            if zone.deleted == true {
                rows.append(FeedRow(deletedZone: zone))
                position.zones[name] = nil
                continue
            }
            if position.zones[name] == nil { rows.append(FeedRow(newZone: zone)) }
            let page = try await page(
                .init(zoneID: zone.zoneID, syncToken: position.zones[name]), context)
            position.zones[name] = page?.syncToken ?? zone.syncToken
            rows += page?.records.map { FeedRow($0, zone: name) } ?? []
        }
        return rows
    }

    /// Whether a zone's changes belong on a page. The default zone has no feed.
    private func isInFeed(_ zone: ZoneIDDictionary, _ location: ConsoleLocation) -> Bool {
        zone.zoneName != ZoneIDDictionary.defaultZoneName
            && (location.zone ?? zone.zoneName) == zone.zoneName
    }

    /// The token after the changes of the database since a token; since now if that has expired.
    private func databaseToken(
        _ token: String?, _ context: CloudContext, _ use: (ZoneDictionary) -> Void
    ) async throws -> String {
        var token = token
        while true {
            let answer: DatabaseChangesResponse
            do throws(CloudKitServiceError) {
                answer = try await reader.cloud.fetchDatabaseChanges(
                    .init(syncToken: token), in: context)
            } catch {
                guard error.code == .changeTokenExpired, token != nil else { throw error }
                return try await databaseToken(nil, context, use)
            }
            answer.zones.forEach(use)
            token = answer.syncToken
            if !answer.moreComing { return answer.syncToken }
        }
    }

    /// A page of a zone's feed; from its beginning if the token has expired, and nil if the zone is gone.
    private func page(
        _ request: ZoneChangesRequest.Zone, _ context: CloudContext
    ) async throws -> ZoneChangesResponse.Zone? {
        let answer = try await reader.cloud.fetchZoneChanges(
            .init(zones: [request]), in: context)
        guard let error = answer.zones.first?.error else { return answer.zones.first?.item }
        guard error.serverErrorCode == .changeTokenExpired, request.syncToken != nil else {
            return nil
        }
        var request = request
        (request.syncToken, request.reverse, request.resultsLimit) = (nil, true, Self.latest)
        return try await page(request, context)
    }

    private func values(
        _ rows: [FeedRow], _ location: ConsoleLocation
    ) async throws -> [[String: Any]] {
        let users = try await reader.userNames(in: location.place)
        return rows.map { row in
            var values: [String: Any] = [
                "time": row.time.map(FieldText.date) ?? FieldText.date(server.options.clock()),
                "zone": row.zone, "what": row.what, "type": row.type, "name": row.name ?? "",
                "by": row.user.map { users[$0] ?? $0 } ?? "", "device": row.device ?? "",
            ]
            if row.isThere, let name = row.name {
                values["link"] = [
                    "address": location.with(zone: row.zone, record: name).address(.record)
                ]
            }
            return values
        }
    }
}

/// A change of a record or a zone.
private struct FeedRow {
    let time: Int64?
    let zone: String
    let what: String
    var type = ""
    var name: String?
    var user: String?
    var device: String?
    var isThere = false

    init(_ record: RecordDictionary, zone: String) {
        self.zone = zone
        time = record.modified?.timestamp
        isThere = record.deleted != true
        let isNew = record.created?.timestamp == record.modified?.timestamp
        what = isThere ? (isNew ? "created" : "changed") : "deleted"
        type = record.recordType ?? ""
        name = record.recordName
        user = record.modified?.userRecordName
        device = record.modified?.deviceID
    }

    init(newZone zone: ZoneDictionary) {
        time = nil
        self.zone = zone.zoneID.zoneName
        what = "zone created"
    }

    init(deletedZone zone: ZoneDictionary) {
        time = nil
        self.zone = zone.zoneID.zoneName
        what =
            switch zone.deletionReason {
            case .purged: "zone purged"
            case .encryptedDataReset: "zone reset"
            default: "zone deleted"
            }
    }
}

/// How far a page has read the feeds of a database.
private struct FeedPosition: Codable {
    var database = ""
    var zones: [String: String] = [:]

    init() {}

    init?(_ text: String) {
        guard let data = Data(base64Encoded: text),
            let position = try? JSONDecoder().decode(FeedPosition.self, from: data)
        else { return nil }
        self = position
    }

    var text: String { ((try? JSONEncoder().encode(self)) ?? Data()).base64EncodedString() }
}
