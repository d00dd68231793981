import CloudKit
import CoreData

/// The record of a link: one pair of a many-to-many relationship.
struct LinkRecord {
    /// The names of the fields, and of a link's properties in the outbox.
    static let source = "source"
    static let target = "target"
    static let sourceOrder = "sourceOrder"
    static let targetOrder = "targetOrder"

    let link: LinkSchema
    var source: String
    var target: String
    var sourceOrder: String?
    var targetOrder: String?

    /// The record to send for a link.
    ///
    /// - Parameters:
    ///   - recordName: The link's record name.
    ///   - zoneID: The store's zone.
    ///   - systemFields: The record's system fields from the server; nil for a new record.
    func record(
        named recordName: String, zoneID: CKRecordZone.ID, systemFields: Data?
    ) throws -> SMCloudRecord {
        let known = try systemFields.map { try SystemFields.record(from: $0) }
        let record =
            try known?.record
            ?? CKRecord(
                recordType: link.recordType,
                recordID: CKRecord.ID.record(named: recordName, in: zoneID))
        for (field, name) in [(Self.source, source), (Self.target, target)] {
            record[field] = CKRecord.Reference(
                recordID: try CKRecord.ID.record(named: name, in: zoneID), action: .none)
        }
        if link.target?.isOrdered == true { record.change(Self.sourceOrder, to: sourceOrder) }
        if link.source.isOrdered { record.change(Self.targetOrder, to: targetOrder) }
        return SMCloudRecord(record, changeTag: known?.changeTag)
    }
}

extension LinkRecord {
    /// The places in ordered relationships, as the outbox stores them.
    var places: PropertyValues { Self.places(sourceOrder, targetOrder) }

    /// The pair and its places, as the outbox stores them for a link that was removed with one of its ends.
    var values: PropertyValues {
        places.adding(PropertyValues([Self.source: .text(source), Self.target: .text(target)]))
    }

    /// Reads the pair of a link that was removed.
    ///
    /// - Returns: nil if the link was not removed with one of its ends.
    init?(_ values: PropertyValues, link: LinkSchema) {
        guard let source = values[Self.source].text, let target = values[Self.target].text else {
            return nil
        }
        self.init(
            link: link, source: source, target: target, sourceOrder: values[Self.sourceOrder].text,
            targetOrder: values[Self.targetOrder].text)
    }

    fileprivate static func places(
        _ sourceOrder: String?, _ targetOrder: String?
    ) -> PropertyValues {
        PropertyValues([
            Self.sourceOrder: SQLiteValue(sourceOrder), Self.targetOrder: SQLiteValue(targetOrder),
        ])
    }

    /// Reads a record from the server.
    ///
    /// - Returns: nil if an end is missing.
    init?(_ record: CKRecord, link: LinkSchema) {
        let source: CKRecord.Reference? = record[Self.source]
        let target: CKRecord.Reference? = record[Self.target]
        guard let source = source?.destinationName, let target = target?.destinationName else {
            return nil
        }
        let sourceOrder: String? = record[Self.sourceOrder]
        let targetOrder: String? = record[Self.targetOrder]
        self.init(
            link: link, source: source, target: target, sourceOrder: sourceOrder,
            targetOrder: targetOrder)
    }
}

extension StoreDatabase {
    /// The record of a link, from its row; nil if the row or an end is gone.
    func linkRecord(_ pk: Int64, _ link: LinkSchema) throws -> LinkRecord? {
        guard let row = try links.row(pk, link),
            let source = try objects.recordName(of: row.source),
            let target = try objects.recordName(of: row.target)
        else { return nil }
        return LinkRecord(
            link: link, source: source, target: target, sourceOrder: row.sourceOrder,
            targetOrder: row.targetOrder)
    }
}

extension LinkRow {
    /// The places in ordered relationships, as the outbox stores them.
    var places: PropertyValues { LinkRecord.places(sourceOrder, targetOrder) }

    /// The server's places that differ from those here, as the base of a change.
    func basePlaces(from server: LinkRecord) -> PropertyValues {
        let local = places
        return PropertyValues(server.places.values.filter { $0.value != local[$0.key] })
    }
}
