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
        /// The names of the fields that belong to the object, also of those without a value.
        let names: FieldNames
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
        _ = try enqueue(root, at: nil)
        for next in 0... {
            guard next < queue.count else { break }
            do {
                try encode(next)
            } catch let error as CKCodableError {
                throw error.within(path(to: next))
            }
        }
        return order.reversed().compactMap { entries[$0] }
    }

    private func encode(_ position: Int) throws {
        let recordID = queue[position].recordID
        if let known = entries[recordID] {
            try compare(position, with: known)
        } else {
            entries[recordID] = try entry(of: position)
            order.append(recordID)
        }
    }

    /// The path from the outermost object to one in the queue.
    func path(to position: Int) -> [any CodingKey] {
        var parts: [[any CodingKey]] = []
        var next: Int? = position
        while let current = next {
            parts.append(queue[current].codingPath)
            next = queue[current].origin
        }
        return parts.reversed().flatMap { $0 }
    }

    /// Encodes a value.
    ///
    /// - Parameter names: The names of the fields, if the value encodes a whole record.
    func value(
        of value: any Encodable, at place: EncodingPlace, names: FieldNames? = nil
    ) throws -> EncodedValue {
        if let object = value as? any CKEncodable {
            return EncodedValue(.record(try enqueue(object, at: place)))
        }
        if let scalar = try ScalarValue.content(of: value, at: place.keys) {
            return EncodedValue(scalar)
        }
        let nested = EncodedValue()
        try value.encode(
            to: ValueEncoder(graph: self, value: nested, place: place, names: names))
        if nested.content == nil { nested.content = .object(names: [], values: [:]) }
        return nested
    }

    // MARK: - Objects

    private func enqueue(
        _ object: any CKEncodable, at place: EncodingPlace?
    ) throws -> CKRecord.ID {
        let name = object.cloudKitIdentifier
        let recordType = object.cloudKitRecordType
        // CloudKit would end the process instead of returning an error.
        guard CloudKitName.isIdentifier(recordType) else {
            throw CKCodableError(
                .invalidRecordType, at: place?.keys ?? [],
                reason: "\"\(recordType)\", the record type of \(type(of: object)), is not a name "
                    + "of ASCII letters, digits and underscores that begins with a letter.")
        }
        guard CloudKitName.isRecordName(name) else {
            throw CKCodableError(
                .invalidIdentifier, at: place?.keys ?? [],
                reason: "\"\(name)\" cannot name a record of type \(recordType).")
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
            Pending(
                object: object, recordID: recordID, origin: place?.object,
                codingPath: place?.keys ?? []))
        return recordID
    }

    private func entry(of position: Int) throws -> Entry {
        let object = queue[position].object
        let value = EncodedValue()
        let names = FieldNames(ignored: Set(object.ignoredProperties()))
        try object.encode(
            to: ValueEncoder(
                graph: self, value: value,
                place: EncodingPlace(graph: self, object: position, keys: []), names: names))
        let content = value.content ?? .object(names: [], values: [:])
        guard case .object(_, let values) = content else {
            throw CKCodableError(
                .typeMismatch, at: [],
                reason: "\(object.cloudKitRecordType) must encode itself with keys.")
        }
        let actions = object.cloudKitReferenceActions()
        var fields: [String: RecordField] = [:]
        for (name, value) in values {
            try check(fieldName: name)
            fields[name] = try form.field(
                of: value, action: actions[name], at: [PathKey(name)])
        }
        return Entry(
            recordID: queue[position].recordID, recordType: object.cloudKitRecordType,
            fields: fields, names: names)
    }

    private func check(fieldName name: String) throws {
        guard !CloudKitName.reservedFields.contains(name) else {
            throw CKCodableError(
                .unsupportedValue, at: [PathKey(name)],
                reason: "\"\(name)\" is a property of every record and cannot be a field.")
        }
        guard CloudKitName.isIdentifier(name) else {
            throw CKCodableError(
                .unsupportedValue, at: [PathKey(name)],
                reason: "\"\(name)\" cannot be a field: its name must begin with a letter, and "
                    + "consist of at most 255 ASCII letters, digits and underscores.")
        }
    }

    private func compare(_ position: Int, with known: Entry) throws {
        isComparing = true
        defer { isComparing = false }
        let other = try entry(of: position)
        guard other.recordType == known.recordType, other.fields == known.fields else {
            throw CKCodableError(
                .conflictingIdentifier, at: [],
                reason: "Another object has the identifier \"\(known.recordID.recordName)\".")
        }
        known.names.formUnion(other.names)
    }
}
