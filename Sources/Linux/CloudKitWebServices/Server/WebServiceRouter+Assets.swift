import Foundation

/// `assets/…`, and the URLs for uploading and downloading assets.
///
/// The URLs need no credentials. Each one is sealed together with its purpose and its expiry date,
/// so that whoever has it may use it, and nobody can change it.
extension WebServiceRouter {
    static let uploadPath = "/assets/upload/"
    static let downloadPath = "/assets/download/"
    /// How many bytes a form may have around an asset.
    static let formSize: Int64 = 16_384

    /// The content of an upload URL.
    struct UploadAddress: Codable {
        var context: RequestContext
        var account: String
        var token: AssetUploadToken
        var expires: Date
    }

    /// The content of a download URL.
    struct DownloadAddress: Codable {
        var context: RequestContext
        var account: String
        var asset: AssetDictionary
        var expires: Date
    }

    func answerAssets(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        guard call.operation == .uploadAssets else { return try await rereferenceAssets(call) }
        let request = try call.read(AssetUploadsRequest.self)
        try check(request.tokens.count)
        var answer = try await service.requestAssetUploads(request, in: call.context)
        for (index, token) in answer.tokens.enumerated() {
            let address = UploadAddress(
                context: call.context, account: call.caller.account, token: token,
                expires: addressExpiry)
            let text = try seal.seal(address, purpose: Self.uploadPath)
            answer.tokens[index].url = baseURL.absoluteString + Self.uploadPath + text
        }
        return try response(answer)
    }

    /// Returns the assets of fields with receipts, with which they can be saved in other fields.
    private func rereferenceAssets(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let request = try call.read(RereferenceAssetsRequest.self)
        try check(request.assets.count)
        let answer = try await service.lookUpRecords(
            LookUpRecordsRequest(
                zoneID: request.zoneID,
                records: request.assets.map { .init($0.recordName, desiredKeys: [$0.fieldName]) }),
            in: call.context)
        var assets: [AssetDictionary] = []
        for (field, result) in zip(request.assets, answer.records) {
            let value = result.item?.fields[field.fieldName]?.value
            guard case .asset(var asset) = value else {
                throw CloudKitServiceError(
                    .notFound, reason: "Record '\(field.recordName)' has no such asset")
            }
            asset.downloadURL = nil
            assets.append(asset)
        }
        return try response(assets)
    }

    private var addressExpiry: Date {
        options.clock().addingTimeInterval(options.assetAddressLifetime)
    }

    // MARK: - Bytes

    /// The content of the URL of an upload.
    func uploadAddress(
        of request: WebServiceRequest
    ) throws(CloudKitServiceError) -> UploadAddress {
        guard request.method == "POST" || request.method == "PUT" else {
            throw CloudKitServiceError(.badRequest, reason: "Upload assets with POST")
        }
        let text = String(request.path.dropFirst(Self.uploadPath.count))
        let address = seal.open(UploadAddress.self, text, purpose: Self.uploadPath)
        guard let address, address.expires > options.clock() else { throw Self.invalidURL }
        return address
    }

    /// The content of the URL of a download.
    func downloadAddress(
        of request: WebServiceRequest
    ) throws(CloudKitServiceError) -> DownloadAddress {
        guard request.method == "GET" else {
            throw CloudKitServiceError(.badRequest, reason: "Download assets with GET")
        }
        let text = request.path.dropFirst(Self.downloadPath.count).prefix { $0 != "/" }
        let address = seal.open(
            DownloadAddress.self, String(text), purpose: Self.downloadPath)
        guard let address, address.expires > options.clock() else { throw Self.invalidURL }
        return address
    }

    private static let invalidURL = CloudKitServiceError(
        .accessDenied, reason: "The URL is not valid")

    func upload(
        _ request: WebServiceRequest, to address: UploadAddress
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let body = try UploadBody(
            request, directory: options.temporaryDirectory, limit: options.maximumAssetSize)
        defer { body.removeCopy() }
        let asset = try await service.uploadAsset(
            from: body.file, to: address.token, in: address.context)
        await ledger.take(bytes: asset.size ?? 0, from: address.account)
        return try response(UploadedFile(singleFile: asset))
    }

    func download(
        _ address: DownloadAddress
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let (file, size) = try await service.openAsset(address.asset, in: address.context)
        await ledger.take(bytes: size, from: address.account)
        return WebServiceResponse(
            status: 200,
            headers: [
                "Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
                "Content-Disposition": "attachment", "Cache-Control": "private, no-store",
            ], body: .file(file, size: size))
    }

    // MARK: - Records

    /// Records for the client: the URLs of their assets are this server's.
    func outgoing(
        _ records: [ItemResult<RecordDictionary>], _ call: WebServiceCall
    ) -> [ItemResult<RecordDictionary>] {
        records.map { result in
            switch result {
            case .success(let record):
                return .success(outgoing(record, call))
            case .failure(var error):
                error.serverRecord = error.serverRecord.map { outgoing($0, call) }
                return ItemResult.failure(error).explained
            }
        }
    }

    func outgoing(_ records: [RecordDictionary], _ call: WebServiceCall) -> [RecordDictionary] {
        records.map { outgoing($0, call) }
    }

    private func outgoing(_ record: RecordDictionary, _ call: WebServiceCall) -> RecordDictionary {
        var record = record
        record.mapAssets { asset in
            guard asset.downloadURL != nil else { return }
            let address = DownloadAddress(
                context: call.context, account: call.caller.account, asset: asset,
                expires: addressExpiry)
            let text = try? seal.seal(address, purpose: Self.downloadPath)
            // The client replaces the last component with a file name.
            asset.downloadURL = text.map {
                baseURL.absoluteString + Self.downloadPath + $0 + "/${f}"
            }
        }
        return record
    }
}

extension RecordDictionary {
    /// Changes each asset in the fields.
    mutating func mapAssets(_ change: (inout AssetDictionary) -> Void) {
        func changed(_ value: FieldValue) -> FieldValue {
            switch value {
            case .asset(var asset):
                change(&asset)
                return .asset(asset)
            case .list(let elements):
                return .list(elements.map(changed))
            default:
                return value
            }
        }
        for (name, field) in fields where field.value?.assets.isEmpty == false {
            fields[name]?.value = field.value.map(changed)
        }
    }
}
