import CloudKit
import CoreData

/// A change in the outbox with the content to send for it, both read in one transaction.
///
/// A class, because it is passed on often, like ``ReceivedRecord``.
final class OutgoingChange {
    /// The content to send.
    enum Content {
        /// An object with all properties that the server has after saving it.
        case object(RecordMapping, PropertyValues)
        case link(LinkRecord)
        case deletion
    }

    let change: OutboxEntry
    let content: Content
    /// The numbers of the objects that the sent references lead to.
    let destinations: [Int64]
    /// The references that are sent later: their destinations may turn out to need another record, or
    /// still belong to another object on the server.
    let heldReferences: Set<String>
    /// Those of the held references for which nil is sent until then.
    let releasedReferences: Set<String>

    init(
        change: OutboxEntry, content: Content, destinations: [Int64] = [],
        heldReferences: Set<String> = [], releasedReferences: Set<String> = []
    ) {
        self.change = change
        self.content = content
        self.destinations = destinations
        self.heldReferences = heldReferences
        self.releasedReferences = releasedReferences
    }

    /// Whether the record is to be deleted.
    var isDeletion: Bool { change.kind == .delete }

    private var object: (mapping: RecordMapping, fields: PropertyValues)? {
        if case .object(let mapping, let fields) = content { return (mapping, fields) }
        return nil
    }

    /// Whether the server's record in a conflict error may lack values, namely files and encrypted
    /// values.
    var mayLackValuesInConflicts: Bool { object?.mapping.mayLackValuesInConflicts ?? false }

    /// The request that sends it.
    ///
    /// - Parameter token: Its token in the record's edit stamps; nil if that gets none.
    func request(token: UInt64? = nil) -> SentRequest {
        let held = heldReferences.filter {
            change.kind == .insert || change.changes.names.contains($0)
        }
        return SentRequest(
            token: token, revision: change.revision,
            held: object?.fields.limited(to: held) ?? PropertyValues(), isDeletion: isDeletion)
    }

    /// Whether the request may be carried out after the server has refused it, because a network may repeat it. What is
    /// based on a version of the record is refused again.
    var isRepeatable: Bool { change.kind == .insert && object != nil }

    /// The approximate size of the record in bytes, without its files.
    var byteCount: Int {
        object.map { mapping, fields in
            fields.byteCount + EditStamps.byteCount(fieldCount: mapping.stampedFields.count)
        } ?? 0
    }

    /// The size in bytes of the files that are uploaded with the record.
    var assetByteCount: Int {
        guard let (mapping, fields) = object, !mapping.binaryAttributes.isEmpty else { return 0 }
        let keys = keys(of: mapping)
        return mapping.binaryAttributes.reduce(0) { total, attribute in
            guard keys?.contains(attribute.column.name) ?? true else { return total }
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

    /// The error if the record is too large for CloudKit; nil if it is not.
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

    /// An error for each value that CloudKit cannot represent, and which stays on this device.
    var valuesLeftBehind: [SMStoreError] {
        guard let (mapping, fields) = object else { return [] }
        return mapping.attributes.compactMap { attribute in
            let column = attribute.column
            guard RecordMapping.mayBeLeftBehind(column.kind),
                RecordMapping.isLeftBehind(fields[column.name], column.kind),
                change.kind == .insert || change.names.contains(column.name)
            else { return nil }
            return .valueNotSynced(entity: mapping.entity.name, property: column.name)
        }
    }

    /// The properties to send; nil for all properties that have a value.
    func keys(of mapping: RecordMapping) -> Set<String>? {
        if change.kind != .insert {
            return change.names.subtracting(heldReferences).union(releasedReferences)
        }
        // An object that replaces another takes over its record, which may have values that the
        // object lacks.
        return change.systemFields == nil ? nil : mapping.propertyNames
    }

    /// The former fields that are empty once the change is carried out. A new record has none.
    var emptiedFormerFields: [String] {
        guard let (mapping, fields) = object, mapping.hasFormerFields else { return [] }
        guard let keys = keys(of: mapping) else { return mapping.formerParts.map(\.field) }
        let removed = mapping.formerProperties.filter { $0.isRemoved(by: fields, sending: keys) }
        let references = mapping.formerReferences.map(\.reference).filter {
            keys.contains($0.name)
        }
        return removed.flatMap(\.parts).map(\.field) + references.map(\.field)
    }

    /// The type of the object's record; nil for a link and a deletion.
    var recordType: String? { object?.mapping.recordType }

    /// The record to send, and what the server's version says about its edits once it has that record; nil for a
    /// deletion.
    ///
    /// - Parameters:
    ///   - zoneID: The store's zone.
    ///   - assets: The folder for the files of assets.
    ///   - request: The request, as the stamps name it; nil if the record gets none.
    func record(
        zoneID: CKRecordZone.ID, assets: AssetFolder, request: StampedRequest?
    ) throws -> (record: SMCloudRecord, edits: KnownEdits?)? {
        switch content {
        case .deletion:
            return nil
        case .link(let link):
            let record = try link.record(
                named: change.recordName, zoneID: zoneID, systemFields: change.systemFields)
            return (record, nil)
        case .object(let mapping, let fields):
            let record = try RecordWriter(mapping: mapping, zoneID: zoneID, assets: assets).record(
                named: change.recordName, systemFields: change.systemFields, fields: fields,
                previous: change.base.values.isEmpty
                    ? fields : PropertyValues(fields.values.merging(change.base.values) { $1 }),
                keys: keys(of: mapping))
            guard let request else {
                return (record, editsWithoutStamps(of: record.record, mapping, fields))
            }
            let stamps = stamps(of: record.record, mapping, fields, request)
            let edits = KnownEdits(stamps)
            record.record.change(EditStamps.field, to: edits.encodedStamps)
            return (record, edits)
        }
    }
}

/// Changes that are sent in one request.
struct OutgoingBatch {
    /// Saves and deletions are sent in separate requests.
    enum Kind {
        case saves
        case deletions
    }

    var changes: [OutgoingChange] = []
    /// The changes for which there is nothing to send.
    var obsolete: [OutboxEntry] = []
    /// The key of the last object of the batch; nil if there is none.
    var last: Int64?
}

extension StoreDatabase {
    /// The next changes to send. Must be called within one transaction, so that a change and its
    /// row match. An edit between the two reads would count as sent and be lost.
    ///
    /// - Parameters:
    ///   - kind: Whether to send saves or deletions.
    ///   - refused: Whether to return changes that the server has refused before, or only the
    ///     others.
    ///   - mappings: The store's mappings.
    ///   - pk: The last object of the previous batch.
    ///   - limits: The size limits of the batch.
    ///   - occupied: The destinations that belong to other objects on the server.
    func outgoingBatch(
        _ kind: OutgoingBatch.Kind, refused: Bool, _ mappings: RecordMappings, after pk: Int64,
        limits: BatchLimits, occupied: OccupiedDestinations
    ) throws -> OutgoingBatch {
        var batch = OutgoingBatch()
        var (size, assetSize) = (0, 0)
        let reader = OutgoingReader(database: self, mappings: mappings, occupied: occupied)
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
