import CloudKit
import CoreData

/// What the store knows about the edits of the record that an object is based on.
struct KnownEdits: Equatable {
    /// What the record says; nil if it has no stamps.
    let stamps: EditStamps?
    /// The same as the record has it, so that it is encoded once.
    let encodedStamps: Data?
    /// The fields whose values were written by somebody who writes no stamps, with the digests of the values. The next
    /// save gives them stamps.
    private(set) var foreign: [UInt32: UInt32] = [:]

    /// What a save writes.
    init(_ stamps: EditStamps) {
        self.stamps = stamps
        encodedStamps = stamps.encoded
    }

    /// What a record from the server says.
    init(_ record: CKRecord, _ mapping: RecordMapping) {
        let data: Data? = record[EditStamps.field]
        stamps = data.flatMap { EditStamps($0) }
        encodedStamps = stamps == nil ? nil : data
        for field in mapping.stampedFields {
            guard let digest = field.digest(in: record) else { continue }
            let known = stamps?.stamps[field.stampKey]?.digest ?? FieldDigest.ofNothing
            if known != digest { foreign[field.stampKey] = digest }
        }
    }

    /// Whether no user has edited the record: it is default content of the app.
    var isUnedited: Bool {
        foreign.isEmpty && stamps?.stamps.values.allSatisfy { $0.edit == 0 } ?? false
    }

    /// Whether whoever made the record did not know the last version of a former one.
    func isBehind(_ former: KnownEdits?) -> Bool {
        guard let former = former?.stamps, let stamps, stamps.chain != former.chain else {
            return false
        }
        return stamps.commonVersion(with: former).map { $0 < former.version } ?? false
    }

    /// Whether the record goes on from a version of a former one, so that its edits tell what is new.
    func continues(_ former: KnownEdits?) -> Bool {
        guard let former = former?.stamps else { return false }
        return stamps?.commonVersion(with: former) != nil
    }

    /// Whether a user has edited a field, or somebody has who writes no stamps.
    ///
    /// - Parameters:
    ///   - field: The number of its stamp.
    ///   - hasValue: Whether it has a value, which somebody has written even if there is no stamp.
    func isEdited(_ field: UInt32, hasValue: Bool) -> Bool {
        foreign[field] != nil || stamps?.stamps[field].map { $0.edit > 0 } ?? hasValue
    }

    /// These edits, with what is known of the other fields of the record's former version.
    ///
    /// - Parameters:
    ///   - former: The former version; nil if there is none.
    ///   - written: The fields that were written since.
    func adding(_ former: KnownEdits?, except written: Set<UInt32>) -> KnownEdits {
        var result = self
        let stamped = (former?.stamps?.stamps ?? [:]).compactMapValues(\.digest)
        let digests = stamped.merging(former?.foreign ?? [:]) { $1 }
        for (key, digest) in digests
        where !written.contains(key) && digest != FieldDigest.ofNothing {
            result.foreign[key] = digest
        }
        return result
    }

    /// The digest of a field's value.
    func digest(_ key: UInt32) -> UInt32 {
        foreign[key] ?? stamps?.stamps[key]?.digest ?? FieldDigest.ofNothing
    }

    /// Whether a reference had a destination.
    func refers(to recordName: String, _ reference: LinkSchema.FormerReference) -> Bool {
        digest(reference.stampKey) == FieldDigest.of(referenceTo: recordName)
    }

    // MARK: - Coding

    /// What a column of the file has: the number of foreign fields, for each its number and the digest, and the stamps as
    /// in a record.
    var stored: Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10 + 8 * foreign.count + (encodedStamps?.count ?? 0))
        bytes.append(variable: UInt64(foreign.count))
        for (key, digest) in foreign.sorted(by: { $0.key < $1.key }) {
            bytes.append(number: key)
            bytes.append(number: digest)
        }
        if let encodedStamps { bytes += encodedStamps }
        return Data(bytes)
    }

    /// Reads what ``stored`` wrote.
    ///
    /// - Returns: nil if it is damaged. Then nothing is known about the record's edits.
    init?(stored data: Data) {
        var foreign: [UInt32: UInt32] = [:]
        let rest: Data? = data.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            guard let count = reader.variable() else { return nil }
            for _ in 0..<min(count, UInt64(bytes.count)) {
                guard let key: UInt32 = reader.number(), let digest: UInt32 = reader.number()
                else { return nil }
                foreign[key] = digest
            }
            return Data(reader.rest)
        }
        guard let rest else { return nil }
        self.foreign = foreign
        stamps = EditStamps(rest)
        encodedStamps = stamps == nil ? nil : rest
        if stamps == nil, !rest.isEmpty { return nil }
    }
}

/// The edits of a record since a version that somebody knows.
struct LaterEdits {
    let former: KnownEdits
    private let edits: KnownEdits
    /// The number of the last version that is known; nil if the known one belongs to another record with the name.
    private let version: UInt64?
    /// The versions that the requests have saved.
    private let saved: [UInt64]

    /// - Parameters:
    ///   - edits: The edits of the record.
    ///   - former: Those of the known version.
    ///   - requests: The requests that were to save the record since.
    init(_ edits: KnownEdits, since former: KnownEdits, _ requests: [SentRequest]) {
        (self.edits, self.former) = (edits, former)
        saved = requests.compactMap { edits.stamps?.version(savedBy: $0) }
        let known = former.stamps.flatMap { edits.stamps?.commonVersion(with: $0) }
        version = (saved + [known].compactMap { $0 }).max()
    }

    /// Whether a field was edited. What somebody has written who writes no stamps counts by its digest.
    func contains(_ key: UInt32) -> Bool {
        guard let version, edits.foreign[key] == nil, let stamp = edits.stamps?.stamps[key] else {
            return hasOtherValue(key)
        }
        return stamp.edit > version
    }

    /// Whether a field has another value than it had.
    func hasOtherValue(_ key: UInt32) -> Bool { edits.digest(key) != former.digest(key) }

    /// Whether the last edit of a field was one of the requests.
    func isSent(_ key: UInt32) -> Bool {
        guard edits.foreign[key] == nil, let stamp = edits.stamps?.stamps[key] else { return false }
        return saved.contains(stamp.edit)
    }
}
