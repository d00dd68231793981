/// A set of named values that the server stores under an ID.
///
/// A record remembers which of its keys were set since it was created, fetched or saved, and a save
/// sends those. It may be used from several threads, but several calls are not atomic.
open class CKRecord: NSObject, NSCopying, NSSecureCoding, CKRecordKeyValueSetting,
    @unchecked Sendable
{
    // Unchecked because NSObject subclasses cannot be checked; `state` is guarded by `lock`.

    /// The name of a record's type. It can never change.
    public typealias RecordType = String

    /// The name of a field: a letter, then letters, digits and underscores; 255 at most.
    public typealias FieldKey = String

    /// The name and zone of a record.
    public typealias ID = CKRecordID

    /// A field's value that points to another record.
    public typealias Reference = CKReference

    /// What happens to a record with a reference when the reference's target is deleted.
    public enum ReferenceAction: UInt, Sendable {
        /// Nothing: the reference dangles.
        case none = 0

        /// The record with the reference is deleted, too.
        case deleteSelf = 1
    }

    private let lock = NSLock()
    private var state: State

    /// Creates a record that the server does not know yet.
    ///
    /// - Parameters:
    ///   - recordType: A letter, then letters, digits and underscores. Anything else raises an
    ///     exception, as on Apple's systems.
    ///   - recordID: The ID; by default one in the default zone with a UUID as its name.
    public init(recordType: RecordType, recordID: CKRecord.ID = CKRecord.ID()) {
        NameRules.checkRecordType(recordType)
        state = State(recordType: recordType, recordID: recordID)
    }

    /// Creates a record in a zone, with a UUID as its name.
    @available(*, deprecated, message: "use init(recordType:recordID:)")
    public convenience init(recordType: RecordType, zoneID: CKRecordZone.ID) {
        self.init(recordType: recordType, recordID: CKRecord.ID(zoneID: zoneID))
    }

    init(state: State) {
        self.state = state
    }

    // MARK: - NSSecureCoding, NSCopying

    /// Records decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a record that ``encode(with:)`` or ``encodeSystemFields(with:)`` wrote.
    ///
    /// After the latter the record has no values and no changed keys, but has the server's change
    /// tag: if you set some keys and save it, only those are sent.
    public required init?(coder: NSCoder) {
        guard let state = State(coder: coder) else { return nil }
        self.state = state
    }

    /// Returns an independent record with the same system fields, values and changed keys.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKRecord(state: withState { $0 })
    }

    /// The type, ID, tag and values.
    open override var description: String {
        let state = withState { $0 }
        let values = state.plain.values.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value.object)" }.joined(separator: ", ")
        return "<CKRecord: recordType=\(state.recordType), recordID=\(state.recordID.recordName):"
            + "(\(state.recordID.zoneID.zoneName):\(state.recordID.zoneID.ownerName)),"
            + " recordChangeTag=\(state.recordChangeTag ?? "nil"), values={\(values)}>"
    }
}

extension CKRecord {
    /// The contents of a record.
    struct State: Sendable {
        var recordType: RecordType
        var recordID: CKRecord.ID
        var recordChangeTag: String?
        var creationDate: Date?
        var creatorUserRecordID: CKRecord.ID?
        var modificationDate: Date?
        var lastModifiedUserRecordID: CKRecord.ID?
        var parent: CKRecord.Reference?
        var isParentChanged = false
        var share: CKRecord.Reference?
        var plain = RecordFields()
        var encrypted = RecordFields()

        init(recordType: RecordType, recordID: CKRecord.ID) {
            self.recordType = recordType
            self.recordID = recordID
        }
    }

    /// Reads or changes the state exclusively.
    func withState<R>(_ body: (inout State) -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }
}
