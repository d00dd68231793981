import CloudKitService
import SeamSQLite

/// The assets and the fields that use them.
extension RequestSession {
    /// Adds an uploaded asset. No field uses it yet.
    func insertAsset(receipt: String, checksum: String, bytes: Int64) throws {
        try connection.execute(
            """
            INSERT INTO asset (receipt, database_id, checksum, bytes, uses, unused_since)
            VALUES (?, ?, ?, ?, 0, ?)
            """,
            [
                .text(receipt), .integer(database.id), .text(checksum), .integer(bytes),
                .integer(now),
            ])
    }

    /// Whether an asset belongs to the caller's database.
    func hasAsset(receipt: String) throws -> Bool {
        try connection.firstRow(
            "SELECT 1 FROM asset WHERE receipt = ? AND database_id = ?",
            [.text(receipt), .integer(database.id)]
        ) { _ in true } ?? false
    }

    /// Updates the use counts of assets when a record's fields change.
    ///
    /// - Throws: ``ItemFailure`` if the new fields contain an asset that was never uploaded here.
    func exchangeAssets(
        of old: [String: RecordFieldDictionary], for new: [String: RecordFieldDictionary]
    ) throws {
        let (oldAssets, newAssets) = (Self.receipts(in: old), Self.receipts(in: new))
        guard !oldAssets.isEmpty || !newAssets.isEmpty else { return }
        for receipt in newAssets {
            guard let receipt, try hasAsset(receipt: receipt) else {
                throw ItemFailure(.badRequest, "An asset was not uploaded")
            }
            try count(receipt, by: 1)
        }
        for case let receipt? in oldAssets { try count(receipt, by: -1) }
    }

    private func count(_ receipt: String, by difference: Int64) throws {
        let old = try connection.firstRow(
            "SELECT uses, bytes FROM asset WHERE receipt = ?", [.text(receipt)]
        ) { (uses: $0.counter(at: 0), bytes: $0.counter(at: 1)) }
        guard let old else { return }
        try connection.execute(
            "UPDATE asset SET uses = uses + ?, unused_since = ? WHERE receipt = ?",
            [.integer(difference), .integer(now), .text(receipt)])
        if old.uses == 0, difference > 0 { addBytes(old.bytes) }
        if old.uses + difference == 0 { addBytes(-old.bytes) }
    }

    /// The receipts of all assets in a record's fields; nil for an asset without one.
    private static func receipts(in fields: [String: RecordFieldDictionary]) -> [String?] {
        fields.values.flatMap { $0.value?.assets ?? [] }.map(\.receipt)
    }

    /// Releases the assets of a deleted zone.
    func releaseAssets(ofZone zone: Zone) throws {
        // Few records have assets; only their fields are decoded.
        let hasAssets =
            try connection.firstRow(
                "SELECT 1 FROM asset WHERE database_id = ? AND uses > 0 LIMIT 1",
                [.integer(database.id)], { _ in true }) ?? false
        guard hasAssets else { return }
        let records = try connection.rows(
            "SELECT fields FROM record WHERE zone_id = ? AND fields IS NOT NULL",
            [.integer(zone.id)]
        ) { $0.blob(at: 0) }
        for fields in records { try exchangeAssets(of: FieldCoding.decode(fields), for: [:]) }
    }

    /// The receipts of all assets of the container.
    func assetReceipts() throws -> [String] {
        try connection.rows("SELECT receipt FROM asset") { $0.text(at: 0) }
    }

    /// Forgets the assets that no field has used for a while.
    ///
    /// - Returns: Their receipts; the files can be removed after the commit.
    func removeUnusedAssets(olderThan age: Int64) throws -> [String] {
        try connection.rows(
            "DELETE FROM asset WHERE uses = 0 AND unused_since <= ? RETURNING receipt",
            [.integer(now - age)]
        ) { $0.text(at: 0) }
    }
}

extension FieldValue {
    /// The value of a record's field with the download URL of each asset; nil if it has no assets.
    func withDownloadURL(ofRecord name: String) -> FieldValue? {
        switch self {
        case .asset(var asset):
            asset.downloadURL = asset.receipt.map { "\(LocalCloud.assetURLPrefix)\($0)/\(name)" }
            return .asset(asset)
        case .list(let elements) where elements.first?.type == .asset:
            return .list(elements.map { $0.withDownloadURL(ofRecord: name) ?? $0 })
        default:
            return nil
        }
    }
}
