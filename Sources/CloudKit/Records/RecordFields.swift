/// The plain or the encrypted fields of a record.
struct RecordFields: Sendable {
    /// The values by key. A field without a value is absent.
    private(set) var values: [String: RecordValue] = [:]

    /// The keys set since the record was made, fetched or saved.
    private(set) var changedKeys: Set<String> = []

    /// The values as the server last told them, which a conflict reports as the ancestor's.
    private(set) var serverValues: [String: RecordValue] = [:]

    init() {}

    /// Fields as the server told them: nothing is changed.
    init(fromServer values: [String: RecordValue]) {
        self.values = values
        serverValues = values
    }

    /// Fields out of an archive.
    init(
        values: [String: RecordValue], changedKeys: Set<String>,
        serverValues: [String: RecordValue]
    ) {
        self.values = values
        self.changedKeys = changedKeys
        self.serverValues = serverValues
    }

    subscript(key: String) -> RecordValue? {
        get { values[key] }
        set {
            values[key] = newValue
            changedKeys.insert(key)
        }
    }
}
