import CloudKitService
import Foundation

/// Uploads and downloads.
extension LocalCloud {
    /// The prefix of an asset's download URL. The receipt, a slash, and the name of the record
    /// follow.
    static let assetURLPrefix = "localcloud:asset/"
    private static let uploadURLPrefix = "localcloud:upload/"
    /// How long an uploaded asset may wait for the save of its record, in milliseconds.
    private static let unusedAssetAge: Int64 = 24 * 60 * 60 * 1000

    /// `assets/upload`
    public func requestAssetUploads(
        _ request: AssetUploadsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetUploadsResponse {
        try await perform(
            RequestSummary(
                .requestAssetUploads, context, zones: [request.zoneID],
                items: request.tokens.compactMap(\.recordName)),
            writes: true
        ) { session in
            try session.options.checkCount(request.tokens.count)
            _ = try session.zone(request.zoneID)
            return AssetUploadsResponse(
                tokens: request.tokens.map {
                    AssetUploadToken(
                        recordName: $0.recordName ?? UUID().uuidString, fieldName: $0.fieldName,
                        url: Self.uploadURLPrefix + UUID().uuidString)
                })
        }
    }

    /// Uploads one asset.
    public func uploadAsset(
        from file: URL, to token: AssetUploadToken, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetDictionary {
        let summary = RequestSummary(.uploadAsset, context, items: [token.recordName])
        guard token.url.hasPrefix(Self.uploadURLPrefix) else {
            throw CloudKitServiceError(.badRequest, reason: "This is not an address for an upload")
        }
        let receipt = String(token.url.dropFirst(Self.uploadURLPrefix.count))
        // The bytes are written before their row. Without the row they are unused space.
        let destination = try assetFile(receipt, context)
        let copy = try await onQueue { () throws(CloudKitServiceError) in
            _ = try self.authorize(context, writes: true)
            return try self.assets.copy(file, to: destination)
        }
        do {
            try checkSize(copy.size)
            let assets = assets
            let unused = try await perform(summary, writes: true) { session in
                // The upload ends here, after any delay: the file may have changed in the meantime.
                try assets.checkSource(of: copy)
                try session.insertAsset(
                    receipt: receipt, checksum: copy.checksum, bytes: copy.size)
                return try session.removeUnusedAssets(olderThan: Self.unusedAssetAge)
            }
            try removeFiles(unused, context)
        } catch {
            // After any other error the row may have been written. If it was not, the file is found
            // by a later cleanup.
            if [.assetFileModified, .assetFileNotFound, .limitExceeded].contains(error.code) {
                assets.remove([destination])
            }
            throw error
        }
        return AssetDictionary(
            fileChecksum: copy.checksum, size: copy.size, receipt: receipt)
    }

    private func checkSize(_ size: Int64) throws(CloudKitServiceError) {
        guard let limit = options.maximumAssetSize, size > limit else { return }
        throw CloudKitServiceError(
            .limitExceeded, reason: "The asset has \(size) bytes, the limit is \(limit)")
    }

    /// Downloads one asset.
    public func downloadAsset(
        _ asset: AssetDictionary, to file: URL, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        let source = try await existingFile(of: asset, in: context)
        try await onQueue { () throws(CloudKitServiceError) in
            _ = try self.assets.copy(source, to: file)
        }
    }

    /// Opens the cloud's own file with an asset's bytes.
    public func openAsset(
        _ asset: AssetDictionary, in context: RequestContext
    ) async throws(CloudKitServiceError) -> (file: FileHandle, size: Int64) {
        try FileHandle.opened(try await existingFile(of: asset, in: context))
    }

    /// The cloud's own file of an asset that the caller may read.
    private func existingFile(
        of asset: AssetDictionary, in context: RequestContext
    ) async throws(CloudKitServiceError) -> URL {
        guard let address = asset.downloadURL, address.hasPrefix(Self.assetURLPrefix) else {
            throw CloudKitServiceError(.badRequest, reason: "The asset has no URL")
        }
        // The receipt, then the record's name, by which faults distinguish assets.
        let parts = address.dropFirst(Self.assetURLPrefix.count)
            .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let receipt = parts[0]
        let exists = try await perform(
            RequestSummary(.downloadAsset, context, items: parts.reversed()), writes: false
        ) { try $0.hasAsset(receipt: receipt) }
        guard exists else {
            throw CloudKitServiceError(.assetNotAvailable, reason: "There is no such asset")
        }
        return try assetFile(receipt, context)
    }

    /// Removes assets that no record uses any longer and, after a day, files that were left behind
    /// by a process that ended during an upload.
    ///
    /// An upload removes assets that have been unused for a day.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - environment: Its environment.
    ///   - age: For how many seconds an asset must have been unused.
    /// - Returns: How many assets were removed.
    /// - Throws: `internalError` if the cloud's file cannot be written.
    @discardableResult
    public func removeUnusedAssets(
        container: String, environment: RequestContext.Environment = .development,
        olderThan age: TimeInterval = 0
    ) async throws(CloudKitServiceError) -> Int {
        let context = RequestContext(container: container, environment: environment, device: "")
        let milliseconds = Int64(min(max(age, 0) * 1000, Double(Int64.max / 2)))
        let (unused, known) = try await administer(context) { session in
            (
                try session.removeUnusedAssets(olderThan: milliseconds),
                try session.assetReceipts()
            )
        }
        try removeFiles(unused, context)
        let files = Set(known.map(ContainerStores.fileName))
        let before = options.clock().addingTimeInterval(-TimeInterval(Self.unusedAssetAge) / 1000)
        let left = try await onQueue { () throws(CloudKitServiceError) in
            try self.leftBehind(besides: files, before: before, context)
        }
        assets.remove(left)
        return unused.count + left.count
    }

    /// The files that belong to no known upload and are too old for one that is under way.
    private func leftBehind(
        besides files: Set<String>, before: Date, _ context: RequestContext
    ) throws(CloudKitServiceError) -> [URL] {
        do {
            return try assets.files(changedBefore: before, store: store(for: context))
                .filter { !files.contains($0.lastPathComponent) }
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }

    private func assetFile(
        _ receipt: String, _ context: RequestContext
    ) throws(CloudKitServiceError) -> URL {
        do {
            return try assets.file(receipt: receipt, store: store(for: context))
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }

    private func removeFiles(
        _ receipts: [String], _ context: RequestContext
    ) throws(CloudKitServiceError) {
        for receipt in receipts { assets.remove([try assetFile(receipt, context)]) }
    }

    /// Runs blocking work on a queue where it does not block Swift's concurrency.
    private func onQueue<T: Sendable>(
        _ body: @escaping @Sendable () throws(CloudKitServiceError) -> T
    ) async throws(CloudKitServiceError) -> T {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(
                    returning: Result { () throws(CloudKitServiceError) in try body() })
            }
        }
        return try result.get()
    }
}
