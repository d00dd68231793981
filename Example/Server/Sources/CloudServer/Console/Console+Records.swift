import CloudKitWebServices
import Foundation
import LocalCloud

/// The records of a type in a zone, a page at a time.
extension Console {
    private static let pageSize = 50

    func records(_ fields: FormFields) async throws -> Content {
        var location = try await databaseLocation(fields)
        let zones = try await reader.cloud.zones(
            in: location.place, scope: location.scope, user: location.user)
        guard let zone = zones.first(where: { $0.name == location.zoneID.zoneName }) else {
            throw CloudKitServiceError(.zoneNotFound, reason: "There is no such zone.")
        }
        let types = zone.recordCounts.keys.sorted()
        location.recordType = location.recordType ?? types.first
        let schema = try await reader.cloud.recordTypes(in: location.place)
            .first { $0.name == location.recordType }
        let query = RecordQuery(fields, fields: schema?.fields ?? [])
        var values: [String: Any] = [
            "types": types.map { type -> [String: Any] in
                [
                    "name": type, "count": zone.recordCounts[type] ?? 0,
                    "isShown": type == location.recordType,
                    "address": location.with(zone: zone.name, recordType: type).address(.records),
                ]
            },
            "hasTypes": !types.isEmpty, "hidden": location.hidden,
            "fields": query.fieldChoices, "comparators": query.comparatorChoices,
            "value": query.value, "hasFilter": !query.value.isEmpty,
            "all": location.address(.records),
        ]
        if location.recordType != nil {
            values.merge(try await table(location, query, schema?.fields ?? [])) { $1 }
        }
        return Content(
            template: "records", title: location.recordType ?? zone.name,
            crumbs: databaseCrumbs(location, [(zone.name, nil)]), values: values)
    }

    private func table(
        _ location: ConsoleLocation, _ query: RecordQuery, _ fields: [LocalCloud.RecordType.Field]
    ) async throws -> [String: Any] {
        let answer: QueryRecordsResponse
        do throws(CloudKitServiceError) {
            answer = try await reader.cloud.queryRecords(
                try query.request(location, limit: Self.pageSize), in: try reader.context(location))
        } catch {
            guard [.badRequest, .notFound].contains(error.code) else { throw error }
            return ["problem": ["text": error.reason ?? error.code.rawValue]]
        }
        let users = try await reader.userNames(in: location.place)
        let rows = answer.records.compactMap(\.item).map { record -> [String: Any] in
            let at = location.with(
                zone: location.zoneID.zoneName, recordType: location.recordType,
                record: record.recordName)
            return [
                "name": record.recordName, "address": at.address(.record),
                "cells": fields.map { cell($0.name, record.fields[$0.name], location) },
                "modified": record.modified.map { FieldText.date($0.timestamp) } ?? "",
                "by": record.modified?.userRecordName.map { users[$0] ?? $0 } ?? "",
            ]
        }
        var values: [String: Any] = [
            "columns": query.columns(location, fields), "rows": rows, "isTable": true,
            "count": rows.count, "isEmpty": rows.isEmpty,
        ]
        values["next"] = answer.continuationMarker.map {
            ["address": location.address(.records, query.items + [("marker", $0)])]
        }
        if query.marker != nil {
            values["first"] = ["address": location.address(.records, query.items)]
        }
        return values
    }

    private func cell(
        _ name: String, _ field: RecordFieldDictionary?, _ location: ConsoleLocation
    ) -> [String: Any] {
        var values: [String: Any] = ["label": name, "text": FieldText.line(field?.value, of: name)]
        if case .reference(let reference) = field?.value {
            values["link"] = ["address": address(of: reference, location)]
        }
        if case .int64 = field?.value { values["isNumber"] = true }
        if case .double = field?.value { values["isNumber"] = true }
        return values
    }

    /// The page of a record that another one refers to.
    func address(of reference: ReferenceDictionary, _ location: ConsoleLocation) -> String {
        location.with(
            zone: reference.zoneID?.zoneName ?? location.zoneID.zoneName,
            record: reference.recordName
        ).address(.record)
    }
}
