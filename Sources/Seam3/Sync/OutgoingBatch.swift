import CloudKit
import CoreData

/// A change of the outbox with what is to be sent for it, as one moment of the file has them.
struct OutgoingChange {
    /// What is to be sent.
    enum Content {
        /// An object, with all its properties as the server has them once it has saved it.
        case object(RecordMapping, PropertyValues)
        case link(LinkRecord)
        case deletion
    }

    let change: OutboxEntry
    let content: Content
    /// The references that are sent later: what they lead to may turn out to need another record, or is
    /// still another object's on the server.
    var heldReferences: Set<String> = []
    /// Those of them for which nil is sent until then.
    var releasedReferences: Set<String> = []

    /// Whether the record is to be deleted.
    var isDeletion: Bool { change.kind == .delete }

    private var object: (mapping: RecordMapping, fields: PropertyValues)? {
        if case .object(let mapping, let fields) = content { return (mapping, fields) }
        return nil
    }

    /// Whether the record that comes with a conflict may lack values: files, and encrypted ones.
    var mayLackValuesInConflicts: Bool { object?.mapping.mayLackValuesInConflicts ?? false }

    /// What the server will have, in the form in which the outbox remembers it; nil for a deletion.
    var sentForm: PropertyValues? {
        switch content {
        case .object(let mapping, let fields): mapping.sentForm(fields)
        case .link(let record):
            PropertyValues([
                LinkRecord.sourceOrder: SQLiteValue(record.sourceOrder),
                LinkRecord.targetOrder: SQLiteValue(record.targetOrder),
            ])
        case .deletion: nil
        }
    }

    /// About how many bytes the record takes, without its files.
    var byteCount: Int { object?.fields.byteCount ?? 0 }

    /// How many bytes the files have that are uploaded with the record.
    var assetByteCount: Int {
        guard let (mapping, fields) = object else { return 0 }
        let keys = keys(of: mapping)
        return mapping.attributes.reduce(0) { total, attribute in
            guard attribute.column.isBinary, keys?.contains(attribute.column.name) ?? true else {
                return total
            }
            switch fields[attribute.column.name] {
            case .text(let name) where attribute.isAsset:
                let file = mapping.externalData?.file(name)
                return total + (file.flatMap(Self.size) ?? 0)
            case .blob(let data) where attribute.isAsset || data.count > mapping.inlineLimit:
                return total + data.count
            default: return total
            }
        }
    }

    private static func size(of file: URL) -> Int? {
        try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
    }

    /// The error of a record that is too large for CloudKit; nil if it is not.
    var sizeError: SMStoreError? {
        guard let (mapping, fields) = object, byteCount > RecordMapping.largestRecord else {
            return nil
        }
        let sizes = mapping.attributes.map { attribute -> (name: String, count: Int) in
            let name = attribute.column.name
            switch fields[name] {
            case .text(let text) where !attribute.isAsset: return (name, text.utf8.count)
            case .blob(let data) where data.count <= mapping.inlineLimit: return (name, data.count)
            default: return (name, 0)
            }
        }
        guard let largest = sizes.max(by: { $0.count < $1.count }),
            sizes.reduce(0, { $0 + $1.count }) > RecordMapping.largestRecord
        else { return nil }
        return .recordTooLarge(
            entity: mapping.entity.name, property: largest.name, byteCount: largest.count,
            limit: RecordMapping.largestRecord)
    }

    /// An error for each value that CloudKit has no form for: it stays on this device.
    var valuesLeftBehind: [SMStoreError] {
        guard let (mapping, fields) = object else { return [] }
        return mapping.attributes.map(\.column).filter { column in
            let isSent = change.kind == .insert || change.base.keys.contains(column.name)
            return isSent && RecordMapping.isLeftBehind(fields[column.name], column.kind)
        }.map { .valueNotSynced(entity: mapping.entity.name, property: $0.name) }
    }

    /// The properties to send; nil for all that are not nil.
    private func keys(of mapping: RecordMapping) -> Set<String>? {
        if change.kind != .insert {
            return change.base.keys.subtracting(heldReferences).union(releasedReferences)
        }
        // An object that takes another's place takes its record over, with values that it lacks.
        return change.systemFields == nil ? nil : mapping.propertyNames
    }

    /// The record to send; nil for a deletion.
    ///
    /// - Parameters:
    ///   - zoneID: The store's zone.
    ///   - assets: Where the files of assets are written.
    func record(zoneID: CKRecordZone.ID, assets: AssetFolder) throws -> SMCloudRecord? {
        switch content {
        case .deletion:
            return nil
        case .link(let link):
            return try link.record(
                named: change.recordName, zoneID: zoneID, systemFields: change.systemFields)
        case .object(let mapping, let fields):
            return try RecordWriter(mapping: mapping, zoneID: zoneID, assets: assets).record(
                named: change.recordName, systemFields: change.systemFields, fields: fields,
                previous: PropertyValues(fields.values.merging(change.base.values) { $1 }),
                keys: keys(of: mapping))
        }
    }
}

/// Changes that go to the server in one request.
struct OutgoingBatch {
    /// Saves and deletions go in requests of their own.
    enum Kind {
        case saves
        case deletions
    }

    var changes: [OutgoingChange] = []
    /// The changes for which there is nothing to send.
    var obsolete: [OutboxEntry] = []
    /// The number of the last object of the batch, nil if there is none.
    var last: Int64?
}

extension StoreDatabase {
    /// The next changes to send. To be called within one transaction, so that no edit comes
    /// between a change and the row it is about: it would count as sent and be lost.
    ///
    /// - Parameters:
    ///   - kind: Which changes.
    ///   - refused: Whether those that the server has refused before, or else the others.
    ///   - mappings: The store's mappings.
    ///   - pk: The last object of the batch before.
    ///   - limits: How much at most.
    func outgoingBatch(
        _ kind: OutgoingBatch.Kind, refused: Bool, _ mappings: RecordMappings, after pk: Int64,
        limits: BatchLimits
    ) throws -> OutgoingBatch {
        var batch = OutgoingBatch()
        var (size, assetSize) = (0, 0)
        var reader = OutgoingReader(database: self, mappings: mappings)
        for change in try outbox.unparked(
            deletions: kind == .deletions, refused: refused, after: pk, limit: limits.count)
        {
            switch try reader.step(for: change) {
            case .send(let outgoing):
                size += outgoing.byteCount
                assetSize += outgoing.assetByteCount
                let isTooLarge = size > limits.byteCount || assetSize > limits.assetByteCount
                if isTooLarge, !batch.changes.isEmpty { return batch }
                batch.changes.append(outgoing)
            case .drop: batch.obsolete.append(change)
            case .wait: break
            }
            batch.last = change.pk
        }
        return batch
    }
}
