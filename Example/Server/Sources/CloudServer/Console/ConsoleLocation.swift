import CloudKitWebServices
import Foundation
import LocalCloud

/// What a page of the console is about, as it stands in the query of its address. Names of zones, records
/// and users can be anything, so they are never a part of the path.
struct ConsoleLocation: Sendable {
    var container: String
    var environment: CloudContext.Environment
    var scope: CloudContext.DatabaseScope = .private
    var user: String?
    var zone: String?
    var recordType: String?
    var record: String?

    init(_ place: LocalCloud.Place) {
        container = place.container
        environment = place.environment
    }

    /// Reads a query or a form; nil if it names no container.
    init?(_ fields: FormFields) {
        guard let container = fields["container"],
            let environment = CloudContext.Environment(rawValue: fields["environment"] ?? "")
        else { return nil }
        self.container = container
        self.environment = environment
        scope = CloudContext.DatabaseScope(rawValue: fields["scope"] ?? "") ?? .private
        user = fields["user"]
        zone = fields["zone"]
        recordType = fields["type"]
        record = fields["record"]
    }

    var place: LocalCloud.Place {
        LocalCloud.Place(container: container, environment: environment)
    }

    /// The zone, or else the default zone.
    var zoneID: ZoneIDDictionary {
        ZoneIDDictionary(zoneName: zone ?? ZoneIDDictionary.defaultZoneName)
    }

    /// The name of the database for people.
    var databaseName: String { scope == .public ? "public" : user ?? "" }

    // MARK: - Parts

    func database(of user: String?) -> ConsoleLocation {
        var location = ConsoleLocation(place)
        location.scope = user == nil ? .public : .private
        location.user = user
        return location
    }

    var database: ConsoleLocation { database(of: scope == .public ? nil : user) }

    func with(zone: String?, recordType: String? = nil, record: String? = nil) -> ConsoleLocation {
        var location = database
        location.zone = zone
        location.recordType = recordType
        location.record = record
        return location
    }

    // MARK: - Addresses

    /// The fields of the query.
    var fields: [(name: String, value: String)] {
        let fields = [
            ("container", container), ("environment", environment.rawValue),
            ("scope", scope.rawValue), ("user", user), ("zone", zone), ("type", recordType),
            ("record", record),
        ]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The address of a page about this.
    func address(_ page: ConsolePage, _ more: [(String, String?)] = []) -> String {
        page.address(fields + more.compactMap { name, value in value.map { (name, $0) } })
    }

    /// The same as fields of a form.
    var hidden: [[String: Any]] { fields.map { ["name": $0.name, "value": $0.value] } }
}

/// The pages of the console. The raw value is the last part of the path.
enum ConsolePage: String, CaseIterable, Sendable {
    case overview, database, schema, records, record, changes, devices, faults

    var path: String { self == .overview ? "/" : "/console/\(rawValue)" }

    /// The address with a query.
    func address(_ fields: [(name: String, value: String)] = []) -> String {
        let query = fields.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private static func encoded(_ text: String) -> String {
        let allowed = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
