import CloudKit

/// Finds all objects of a graph that have records, and the fields of each.
///
/// Objects wait in a queue instead of on the stack, so cycles and long chains of objects are not a
/// problem.
final class RecordGraphEncoder {
    /// The record of an object.
    struct Entry {
        let recordID: CKRecord.ID
        let recordType: CKRecord.RecordType
        let fields: [String: RecordField]
    }

    private struct Pending {
        let object: any CKEncodable
        let recordID: CKRecord.ID
        /// The index in the queue of the object that first led here, and the path from there. A
        /// complete path for each object of a long chain would take too much memory.
        let origin: Int?
        let codingPath: [any CodingKey]
    }

    let userInfo: [CodingUserInfoKey: Any]
    private let zoneID: CKRecordZone.ID
    private let form: RecordField.Form
    private var queue: [Pending] = []
    /// The index in the queue of the object that is being encoded.
    private var position: Int?
    private var entries: [CKRecord.ID: Entry] = [:]
    private var order: [CKRecord.ID] = []
    private var seenInstances: Set<ObjectIdentifier> = []
    private var isComparing = false

    init(zoneID: CKRecordZone.ID, form: RecordField.Form, userInfo: [CodingUserInfoKey: Any]) {
        self.zoneID = zoneID
        self.form = form
        self.userInfo = userInfo
    }

    /// The records of an object and of all objects that it leads to. Records that others refer to
    /// come first, the object's own is last.
    func entries(of root: any CKEncodable) throws -> [Entry] {
        _ = try enqueue(root, at: [])
        for next in 0... {
            guard next < queue.count else { break }
            position = next
            do {
                try encode(queue[next])
            } catch let error as CKCodableError {
                throw error.within(path(to: next))
            }
        }
        return order.reversed().compactMap { entries[$0] }
    }

    private func encode(_ pending: Pending) throws {
        if let known = entries[pending.recordID] {
            try compare(pending, with: known)
        } else {
            entries[pending.recordID] = try entry(of: pending)
            order.append(pending.recordID)
        }
    }

    /// The path from the outermost object to one in the queue.
    private func path(to position: Int) -> [any CodingKey] {
        var parts: [[any CodingKey]] = []
        var next: Int? = position
        while let current = next {
            parts.append(queue[current].codingPath)
            next = queue[current].origin
        }
        return parts.reversed().flatMap { $0 }
    }

    /// Encodes a value.
    func value(of value: any Encodable, at path: [any CodingKey]) throws -> EncodedValue {
        if let object = value as? any CKEncodable {
            return EncodedValue(.record(try enqueue(object, at: path)))
        }
        if let scalar = try ScalarValue.content(of: value, at: path) {
            return EncodedValue(scalar)
        }
        let nested = EncodedValue()
        try value.encode(to: ValueEncoder(graph: self, value: nested, codingPath: path))
        if nested.content == nil { nested.content = .object(names: [], values: [:]) }
        return nested
    }

    // MARK: - Objects

    /// The names that are reserved in records.
    private static let reservedNames: Set<String> = [
        "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
        "creatorUserRecordID", "lastModifiedUserRecordID", "etag",
    ]

    private func enqueue(
        _ object: any CKEncodable, at path: [any CodingKey]
    ) throws -> CKRecord.ID {
        let name = object.cloudKitIdentifier
        guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy({ $0 < 128 }),
            !name.hasPrefix("_")
        else {
            throw CKCodableError(
                .invalidIdentifier, at: path,
                reason: "\"\(name)\" cannot name a record of type \(object.cloudKitRecordType).")
        }
        let recordID = CKRecord.ID(recordName: name, zoneID: zoneID)
        // While two objects with one identifier are compared, the objects that they refer to are
        // already known.
        if isComparing, entries[recordID] != nil { return recordID }
        if type(of: object) is AnyClass {
            guard seenInstances.insert(ObjectIdentifier(object as AnyObject)).inserted else {
                return recordID
            }
        }
        queue.append(
            Pending(object: object, recordID: recordID, origin: position, codingPath: path))
        return recordID
    }

    private func entry(of pending: Pending) throws -> Entry {
        let object = pending.object
        let value = EncodedValue()
        try object.encode(
            to: ValueEncoder(
                graph: self, value: value, codingPath: [],
                ignoredNames: Set(object.ignoredProperties())))
        let content = value.content ?? .object(names: [], values: [:])
        guard case .object(_, let values) = content else {
            throw CKCodableError(
                .typeMismatch, at: [],
                reason: "\(object.cloudKitRecordType) must encode itself with keys.")
        }
        let actions = object.cloudKitReferenceActions()
        var fields: [String: RecordField] = [:]
        for (name, value) in values {
            guard !Self.reservedNames.contains(name) else {
                throw CKCodableError(
                    .unsupportedValue, at: [PathKey(name)],
                    reason: "\"\(name)\" is a property of every record and cannot be a field.")
            }
            fields[name] = try form.field(
                of: value, action: actions[name], at: [PathKey(name)])
        }
        return Entry(
            recordID: pending.recordID, recordType: object.cloudKitRecordType, fields: fields)
    }

    private func compare(_ pending: Pending, with known: Entry) throws {
        isComparing = true
        defer { isComparing = false }
        let other = try entry(of: pending)
        guard other.recordType == known.recordType, other.fields == known.fields else {
            throw CKCodableError(
                .conflictingIdentifier, at: [],
                reason: "Another object has the identifier \"\(known.recordID.recordName)\".")
        }
    }
}
