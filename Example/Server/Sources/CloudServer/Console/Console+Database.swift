import CloudKitWebServices
import Foundation
import LocalCloud

/// The zones and subscriptions of a database.
extension Console {
    func database(_ fields: FormFields) async throws -> Content {
        let location = try await databaseLocation(fields).database
        let zones = try await reader.cloud.zones(
            in: location.place, scope: location.scope, user: location.user)
        let values = zones.map { zone -> [String: Any] in
            let at = location.with(zone: zone.name)
            let types = zone.recordCounts.sorted { $0.key < $1.key }.map { type, count in
                [
                    "name": type, "count": count,
                    "address": location.with(zone: zone.name, recordType: type).address(.records),
                ] as [String: Any]
            }
            var values: [String: Any] = [
                "name": zone.name, "types": types,
                "count": zone.recordCounts.values.reduce(0, +),
                "address": at.address(.records), "hidden": at.hidden,
            ]
            if location.scope == .private, zone.name != ZoneIDDictionary.defaultZoneName {
                values["custom"] = ["changes": at.address(.changes)]
            }
            return values
        }
        let subscriptions = try await subscriptions(location)
        return Content(
            template: "database", title: "\(location.databaseName) database",
            crumbs: databaseCrumbs(location, []).dropLast() + [(location.databaseName, nil)],
            values: [
                "zones": values, "hasZones": !values.isEmpty, "subscriptions": subscriptions,
                "hasSubscriptions": !subscriptions.isEmpty, "isPrivate": location.scope == .private,
                "changes": location.address(.changes), "schema": location.address(.schema),
                "hidden": location.hidden,
                "heading": location.scope == .public
                    ? "Public database" : "Private database of \(location.databaseName)",
            ])
    }

    private func subscriptions(_ location: ConsoleLocation) async throws -> [[String: Any]] {
        let answer = try await reader.cloud.listSubscriptions(in: try reader.context(location))
        return answer.subscriptions.compactMap(\.item).map { subscription in
            let filters = subscription.query?.filterBy ?? []
            return [
                "id": subscription.subscriptionID,
                "type": subscription.subscriptionType?.rawValue ?? "",
                "zone": subscription.zoneID?.zoneName ?? "all",
                "recordType": subscription.recordType ?? subscription.query?.recordType ?? "all",
                "filters": filters.map {
                    "\($0.fieldName ?? $0.systemFieldName ?? "") "
                        + "\(RecordQuery.text(of: $0.comparator)) "
                        + FieldText.line($0.fieldValue?.value)
                }.joined(separator: ", "),
                "firesOn": (subscription.firesOn ?? []).map(\.rawValue).joined(separator: ", "),
            ]
        }
    }
}
