import Foundation
import FoundationNetworking

/// Assets. Their bytes are streamed between files and the network, and are never in memory as a
/// whole.
extension CloudKitWebService {
    /// `assets/upload`
    public func requestAssetUploads(
        _ request: AssetUploadsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetUploadsResponse {
        try check(request.tokens.count)
        return try await post(.uploadAssets, request, in: context)
    }

    /// Uploads one asset.
    public func uploadAsset(
        from file: URL, to token: AssetUploadToken, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetDictionary {
        let before = try FileState(of: file)
        var request = URLRequest(url: try address(token.url))
        request.httpMethod = "POST"
        request.timeoutInterval = options.timeout
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        let answer: HTTPAnswer
        do throws(HTTPFailure) {
            answer = try await transport.upload(request, from: file)
        } catch {
            // A file that became shorter makes the request fail.
            guard try FileState(of: file) == before else { throw Self.modified(file) }
            throw CloudKitServiceError(error, isWriting: false)
        }
        guard try FileState(of: file) == before else { throw Self.modified(file) }
        try answer.check(now: options.clock())
        do {
            return try JSONDecoder().decode(UploadedFile.self, from: answer.body).singleFile
        } catch {
            throw CloudKitServiceError(
                .networkFailure, reason: "The response is unreadable: \(explanation(of: error))")
        }
    }

    private static func modified(_ file: URL) -> CloudKitServiceError {
        CloudKitServiceError(
            .assetFileModified, reason: "\(file.path) changed during its upload")
    }

    /// Downloads one asset.
    public func downloadAsset(
        _ asset: AssetDictionary, to file: URL, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        guard let text = asset.downloadURL else {
            throw CloudKitServiceError(.badRequest, reason: "The asset has no URL")
        }
        let name = file.lastPathComponent
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        var request = URLRequest(
            url: try address(text.replacingOccurrences(of: "${f}", with: name ?? "asset")))
        request.timeoutInterval = options.timeout
        let answer: HTTPAnswer
        do throws(HTTPFailure) {
            answer = try await transport.download(
                request, to: file, limit: asset.size ?? options.maximumAssetSize)
        } catch {
            throw CloudKitServiceError(error, isWriting: false)
        }
        do throws(CloudKitServiceError) {
            try answer.check(now: options.clock())
        } catch  where [.accessDenied, .notFound, .serverRejectedRequest].contains(error.code) {
            throw CloudKitServiceError(
                .assetNotAvailable, reason: error.reason ?? "The asset does not exist")
        }
        guard let size = asset.size, try FileState(of: file).size != size else { return }
        // An incomplete file must not be mistaken for the asset.
        try? FileManager.default.removeItem(at: file)
        throw CloudKitServiceError(.networkFailure, reason: "The download is incomplete")
    }

    private func address(_ text: String) throws(CloudKitServiceError) -> URL {
        guard let url = URL(string: text), ["https", "http"].contains(url.scheme ?? "") else {
            throw CloudKitServiceError(.badRequest, reason: "The URL of the asset is not valid")
        }
        return url
    }

    /// The attributes that reveal a change of a file.
    private struct FileState: Equatable {
        let size: Int64
        let modified: Date?

        init(of file: URL) throws(CloudKitServiceError) {
            let attributes: [FileAttributeKey: Any]
            do {
                attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            } catch {
                throw CloudKitServiceError(
                    .assetFileNotFound, reason: "There is no file at \(file.path)")
            }
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                FileManager.default.isReadableFile(atPath: file.path)
            else {
                throw CloudKitServiceError(
                    .assetNotAvailable, reason: "\(file.path) cannot be read")
            }
            size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
            modified = attributes[.modificationDate] as? Date
        }
    }
}
