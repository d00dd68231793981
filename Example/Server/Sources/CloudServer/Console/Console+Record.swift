import CloudKitWebServices
import Foundation
import HTTPTypes
import Hummingbird
import LocalCloud

/// One record with its fields, and the bytes of its assets.
extension Console {
    func record(_ fields: FormFields) async throws -> Content {
        let location = try await databaseLocation(fields)
        let record = try await reader.record(location)
        let users = try await reader.userNames(in: location.place)
        let type = location.with(zone: location.zoneID.zoneName, recordType: record.recordType)
        let values = record.fields.sorted { $0.key < $1.key }.map { name, field in
            row(name, field, of: record, location)
        }
        var content: [String: Any] = [
            "name": record.recordName, "type": record.recordType ?? "",
            "tag": record.recordChangeTag ?? "", "zone": location.zoneID.zoneName,
            "fields": values, "hasFields": !values.isEmpty,
            "created": stamp(record.created, users), "modified": stamp(record.modified, users),
            "hidden": location.hidden,
        ]
        content["parent"] = record.parent.map {
            [
                "name": $0.recordName,
                "address": location.with(zone: location.zoneID.zoneName, record: $0.recordName)
                    .address(.record),
            ]
        }
        return Content(
            template: "record", title: record.recordName,
            crumbs: databaseCrumbs(
                location,
                [
                    (location.zoneID.zoneName, type.with(zone: type.zone).address(.records)),
                    (record.recordType ?? "", type.address(.records)), (record.recordName, nil),
                ]), values: content)
    }

    private func stamp(
        _ stamp: RecordDictionary.RecordTimestamp?, _ users: [String: String]
    ) -> String {
        guard let stamp else { return "" }
        let user = stamp.userRecordName.map { users[$0] ?? $0 }
        return ["\(FieldText.date(stamp.timestamp)) UTC", user, stamp.deviceID].compactMap { $0 }
            .joined(separator: " · ")
    }

    private func row(
        _ name: String, _ field: RecordFieldDictionary, of record: RecordDictionary,
        _ location: ConsoleLocation
    ) -> [String: Any] {
        let items: [FieldValue] =
            if case .list(let elements) = field.value { elements } else {
                field.value.map { [$0] } ?? []
            }
        let values = items.enumerated().map { index, value -> [String: Any] in
            var item: [String: Any] = ["text": FieldText.text(value, of: name, in: record)]
            switch value {
            case .reference(let reference):
                item["link"] = [
                    "address": address(of: reference, location),
                    "action": reference.action.flatMap { $0 == .none ? nil : $0.rawValue } ?? "",
                ]
            case .asset(let asset):
                item["asset"] = [
                    "address": assetAddress(location, name, index),
                    "picture": assetAddress(location, name, index) + "&picture=1",
                    "checksum": asset.fileChecksum ?? "",
                ]
            default: break
            }
            return item
        }
        return [
            "name": name, "type": field.value?.type.rawValue ?? "",
            "isEncrypted": field.isEncrypted, "values": values,
        ]
    }

    private func assetAddress(
        _ location: ConsoleLocation, _ field: String, _ index: Int
    ) -> String {
        let address = location.address(.record, [("field", field), ("index", "\(index)")])
        return "/console/asset" + address.dropFirst(ConsolePage.record.path.count)
    }

    // MARK: - Assets

    /// The bytes of an asset: to be kept as a file, or as a picture if they are one.
    func asset(_ request: Request, _ context: ServerContext) async throws -> Response {
        let fields = FormFields(query: request)
        do {
            let location = try await databaseLocation(fields)
            let record = try await reader.record(location)
            let value = record.fields[fields["field"] ?? ""]?.value
            let assets: [FieldValue] =
                if case .list(let elements) = value { elements } else { value.map { [$0] } ?? [] }
            guard let index = Int(fields["index"] ?? "0"), assets.indices.contains(index),
                case .asset(let asset) = assets[index]
            else { throw CloudKitServiceError(.notFound, reason: "There is no such asset.") }
            let (file, size) = try await reader.cloud.openAsset(
                asset, in: try reader.context(location))
            let body = ResponseBody(file, size: size, on: context.channel)
            return try response(file, body, asPicture: fields["picture"] != nil)
        } catch let error as CloudKitServiceError {
            throw HTTPError(error.pageStatus, message: error.description)
        }
    }

    private func response(
        _ file: FileHandle, _ body: ResponseBody, asPicture: Bool
    ) throws -> Response {
        let picture = PictureType(try file.read(upToCount: 16) ?? Data())
        try file.seek(toOffset: 0)
        if asPicture, picture == nil {
            throw HTTPError(.unsupportedMediaType, message: "The asset is not a picture.")
        }
        var response = Response(status: .ok, headers: [:], body: body)
        response.headers[.contentType] =
            asPicture ? picture?.rawValue : "application/octet-stream"
        response.headers[.contentDisposition] = asPicture ? "inline" : "attachment"
        // Even if it were a page, it would be one of nobody and run nothing.
        response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        return response
    }
}

/// The pictures that are shown, known by how their bytes begin. What a client says about them does not
/// count. A format that can have scripts in it is not among them.
enum PictureType: String {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webP = "image/webp"

    init?(_ start: Data) {
        let start = [UInt8](start)
        func has(_ text: String, at offset: Int = 0) -> Bool {
            start.dropFirst(offset).starts(with: text.utf8)
        }
        if start.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if start.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webP
        } else {
            return nil
        }
    }
}
