import Foundation
import FoundationNetworking

/// Assets. Their bytes go from a file to the network and from the network to a file, never through
/// memory as a whole.
extension CloudKitWebService {
    /// `assets/upload`
    public func requestAssetUploads(
        _ request: AssetUploadsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetUploadsResponse {
        try check(request.tokens.count)
        return try await post(.uploadAssets, request, in: context)
    }

    /// The upload of one asset.
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
            // A file that became shorter breaks the request off.
            guard try FileState(of: file) == before else { throw Self.modified(file) }
            throw CloudKitServiceError(error, isWriting: false)
        }
        guard try FileState(of: file) == before else { throw Self.modified(file) }
        try answer.check(now: options.clock())
        do {
            return try JSONDecoder().decode(UploadedFile.self, from: answer.body).singleFile
        } catch {
            throw CloudKitServiceError(
                .networkFailure, reason: "The answer cannot be read: \(explanation(of: error))")
        }
    }

    private static func modified(_ file: URL) -> CloudKitServiceError {
        CloudKitServiceError(
            .assetFileModified, reason: "\(file.path) changed during its upload")
    }

    /// The download of one asset.
    public func downloadAsset(
        _ asset: AssetDictionary, to file: URL, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        guard let text = asset.downloadURL else {
            throw CloudKitServiceError(.badRequest, reason: "The asset has no address")
        }
        let name = file.lastPathComponent
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        var request = URLRequest(
            url: try address(text.replacingOccurrences(of: "${f}", with: name ?? "asset")))
        request.timeoutInterval = options.timeout
        let answer: HTTPAnswer
        do throws(HTTPFailure) {
            answer = try await transport.download(request, to: file)
        } catch {
            throw CloudKitServiceError(error, isWriting: false)
        }
        do throws(CloudKitServiceError) {
            try answer.check(now: options.clock())
        } catch  where [.accessDenied, .notFound, .serverRejectedRequest].contains(error.code) {
            throw CloudKitServiceError(
                .assetNotAvailable, reason: error.reason ?? "The asset is not there")
        }
        guard let size = asset.size, try FileState(of: file).size != size else { return }
        // Nobody is to take a part for the whole.
        try? FileManager.default.removeItem(at: file)
        throw CloudKitServiceError(.networkFailure, reason: "The asset did not arrive as a whole")
    }

    private func address(_ text: String) throws(CloudKitServiceError) -> URL {
        guard let url = URL(string: text), ["https", "http"].contains(url.scheme ?? "") else {
            throw CloudKitServiceError(.badRequest, reason: "The asset's address is not valid")
        }
        return url
    }

    /// By what it is noticed that a file has changed.
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
