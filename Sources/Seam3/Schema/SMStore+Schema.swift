import CloudKit
import CoreData

/// The schema on the server.
extension SMStore {
    /// The schema that a model needs on the server, in CloudKit's schema language.
    ///
    /// In development the server learns record types and fields from the records that it receives,
    /// but some fields only from certain values: the field for a decimal's digits, for example, or
    /// the field for data that is too large for a record. A field that is missing when the schema
    /// is deployed cannot be saved in production. Write the text to a file:
    ///
    ///     let schema = try SMStore.cloudKitSchema(for: model)
    ///     try schema.write(to: URL(fileURLWithPath: "schema.ckdb"), atomically: true, encoding: .utf8)
    ///
    /// and import it before you deploy:
    ///
    ///     xcrun cktool import-schema --team-id … --container-id … --environment development \
    ///         --file schema.ckdb
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - configuration: The configuration whose entities the store holds; nil for all.
    /// - Returns: All record types, with their fields. Fields of earlier versions of the model are
    ///   not included.
    /// - Throws: ``SMStoreError/unsupportedModel(_:)`` naming every property that cannot be synced.
    @nonobjc public static func cloudKitSchema(
        for model: NSManagedObjectModel, configuration: String? = nil
    ) throws -> String {
        let schema = StoreSchema(
            model: model, configuration: configuration, assignedNames: AssignedNames())
        try ModelCheck.check(schema.entities.map(\.description))
        return CloudKitSchema(RecordMappings(schema)).text
    }

    /// Creates the whole schema of the store's model on the server, in the development environment,
    /// like `initializeCloudKitSchema(options:)` of `NSPersistentCloudKitContainer`.
    ///
    /// One record of each type is saved, with a value in each field, and deleted again. The records
    /// are in a zone of their own, so that the user's other devices do not see them; the empty zone
    /// stays. Use it in development only: in production the server refuses record types and fields
    /// that are not in its schema.
    ///
    /// - Parameter options: Whether to send the records, and whether to print the schema.
    /// - Throws: ``SMStoreError/storeNotOpen``, `CKError`, or a file error for an asset that cannot
    ///   be written.
    @nonobjc public func initializeCloudKitSchema(
        options: SMSchemaInitializationOptions = []
    ) async throws {
        guard let mappings = lock.locked({ mappings }) else { throw SMStoreError.storeNotOpen }
        let schema = CloudKitSchema(mappings)
        if options.contains(.printSchema) { print(schema.text) }
        let zone = cloudContainer.zone(SchemaRecords.zoneID) { .userInitiated }
        let assets = AssetFolder()
        defer { withExtendedLifetime(assets) {} }
        let records = try SchemaRecords.all(of: schema, assets: assets)
        guard !options.contains(.dryRun) else { return }
        try await zone.createZone()
        for batch in SchemaRecords.batches(records) {
            let ids = batch.map(\.recordID)
            let answers = [
                try await zone.modify(saving: batch.map { SMCloudRecord($0) }, deleting: []),
                // The saved records are deleted even if saving some of them failed.
                try await zone.modify(saving: [], deleting: ids),
            ]
            for answer in answers { try answer.check() }
        }
    }
}

/// Records that have a value in each field of a schema.
private enum SchemaRecords {
    static let zoneID = CKRecordZone.ID(
        zoneName: "SMStore_Schema", ownerName: CKCurrentUserDefaultName)

    /// How many records are sent at once. They are small, so CloudKit accepts many.
    private static let mostInBatch = 100

    static func all(of schema: CloudKitSchema, assets: AssetFolder) throws -> [CKRecord] {
        try schema.recordTypes.map { type in
            let id = CKRecord.ID(recordName: UUID().uuidString, zoneID: zoneID)
            let record = CKRecord(recordType: type.name, recordID: id)
            for field in type.fields {
                let value = try value(of: field.type, for: id, assets: assets)
                if field.isEncrypted {
                    record.encryptedValues[field.name] = value
                } else {
                    record[field.name] = value
                }
            }
            return record
        }
    }

    static func batches(_ records: [CKRecord]) -> [[CKRecord]] {
        stride(from: 0, to: records.count, by: mostInBatch).map {
            Array(records[$0..<min($0 + mostInBatch, records.count)])
        }
    }

    private static func value(
        of type: CloudKitSchema.FieldType, for id: CKRecord.ID, assets: AssetFolder
    ) throws -> any CKRecordValueProtocol {
        switch type {
        case .integer: return Int64(1)
        case .double: return 1.5
        case .text: return "text"
        case .date: return Date()
        case .data: return Data([1])
        case .asset: return try assets.asset(Data([1]))
        case .reference: return CKRecord.Reference(recordID: id, action: .none)
        }
    }
}

extension SMCloudModifications {
    /// - Throws: The error of the request, or of its first record that failed.
    fileprivate func check() throws {
        if let failure { throw failure }
        for result in saved.values { _ = try result.get() }
        for result in deleted.values { try result.get() }
    }
}
