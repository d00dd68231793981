import CloudKitWebServices
import Foundation
import LocalCloud

/// The containers, and the databases and schema of each.
extension Console {
    func overview(_ fields: FormFields) async throws -> Content {
        var containers: [[String: Any]] = []
        for place in try reader.cloud.places() {
            let location = ConsoleLocation(place)
            let users = try await reader.cloud.users(in: place).map { user in
                [
                    "name": user.name, "recordName": user.recordName,
                    "size": FieldText.size(user.bytes),
                    "address": location.database(of: user.name).address(.database),
                ]
            }
            let typeCount = try await reader.cloud.recordTypes(in: place).count
            containers.append([
                "container": place.container, "environment": place.environment.rawValue,
                "users": users,
                "public": location.database(of: nil).address(.database),
                "schema": location.address(.schema),
                "typeCount": typeCount == 1 ? "1 record type" : "\(typeCount) record types",
            ])
        }
        let apps = server.settings.apiTokens.map {
            ["container": $0.container, "environment": $0.environment, "token": $0.token]
        }
        return Content(
            template: "overview", title: "Containers",
            values: [
                "containers": containers, "apps": apps, "firstApp": Array(apps.prefix(1)),
                "address": (server.openURL ?? server.options.baseURL).absoluteString,
                "folder": reader.cloud.directory?.path ?? "",
                "hasContainers": !containers.isEmpty,
            ])
    }

    func schema(_ fields: FormFields) async throws -> Content {
        let location = try location(fields)
        let types = try await reader.cloud.recordTypes(in: location.place).map { type in
            [
                "name": type.name,
                "fields": type.fields.map { field -> [String: Any] in
                    [
                        "name": field.name, "type": FieldText.name(of: field.type),
                        "isEncrypted": field.isEncrypted,
                        "indexes": field.indexes.map { $0.lowercased() }.joined(separator: " "),
                    ]
                },
            ] as [String: Any]
        }
        return Content(
            template: "schema", title: "Schema", crumbs: crumbs(location, "Schema"),
            values: [
                "types": types, "hasTypes": !types.isEmpty,
                "text": try await reader.cloud.exportSchema(
                    container: location.container, environment: location.environment),
            ])
    }

    // MARK: - What the pages share

    /// What a page is about.
    func location(_ fields: FormFields) throws(CloudKitServiceError) -> ConsoleLocation {
        guard let location = ConsoleLocation(fields),
            try reader.cloud.places().contains(location.place)
        else { throw CloudKitServiceError(.notFound, reason: "There is no such container.") }
        return location
    }

    /// The database that a page is about.
    func databaseLocation(
        _ fields: FormFields
    ) async throws(CloudKitServiceError) -> ConsoleLocation {
        let location = try location(fields)
        guard location.scope != .shared, try await reader.exists(location) else {
            throw CloudKitServiceError(.notFound, reason: "There is no such database.")
        }
        return location
    }

    /// The way to a page.
    func crumbs(
        _ location: ConsoleLocation, _ last: String
    ) -> [(text: String, address: String?)] {
        let place = "\(location.container) · \(location.environment.rawValue)"
        return [(place, ConsolePage.overview.path), (last, nil)]
    }

    /// The way to a page about a database.
    func databaseCrumbs(
        _ location: ConsoleLocation, _ last: [(text: String, address: String?)]
    ) -> [(text: String, address: String?)] {
        let database = (
            text: location.databaseName, address: location.database.address(.database) as String?
        )
        return [crumbs(location, "")[0], database] + last
    }
}
