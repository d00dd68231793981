/// The plain or the encrypted fields of a record.
struct RecordFields: Sendable {
    /// The values by key. A field without a value is absent.
    private(set) var values: [String: RecordValue] = [:]

    /// The values as the server last told them, which a conflict reports as the ancestor's.
    private(set) var serverValues: [String: RecordValue] = [:]

    /// The keys set since the record was made, fetched or saved, each with the number of the
    /// setting, so that a save can tell which were set again while it was under way.
    private var settings: [String: Int] = [:]

    /// How many times a key was set.
    private var settingCount = 0

    init() {}

    /// Fields as the server told them: nothing is changed.
    init(fromServer values: [String: RecordValue]) {
        self.values = values
        serverValues = values
    }

    /// Fields out of an archive.
    init(
        values: [String: RecordValue], changedKeys: some Sequence<String>,
        serverValues: [String: RecordValue]
    ) {
        self.values = values
        self.serverValues = serverValues
        for key in changedKeys { settings[key] = 0 }
    }

    /// The keys set since the record was made, fetched or saved.
    var changedKeys: some Collection<String> & Sendable { settings.keys }

    subscript(key: String) -> RecordValue? {
        get { values[key] }
        set {
            if !CloudKitOptions.current.equalValuesAreChanges, isValue(values[key], newValue) {
                return
            }
            if settingCount == 0 { reserveCapacity() }
            values[key] = newValue
            settingCount += 1
            settings[key] = settingCount
        }
    }

    /// Makes room for as many fields as most records have, at once.
    private mutating func reserveCapacity() {
        values.reserveCapacity(max(values.count, Self.usualCount))
        settings.reserveCapacity(Self.usualCount)
    }

    private static let usualCount = 6

    private func isValue(_ value: RecordValue?, _ other: RecordValue?) -> Bool {
        switch (value, other) {
        case (nil, nil): true
        case (let value?, let other?): value.object.isEqual(other.object)
        default: false
        }
    }

    /// Notes that the server has accepted the fields as they were in `sent`. What was set after
    /// that stays changed.
    mutating func acknowledge(_ sent: RecordFields) {
        settings = settings.filter { $0.value > sent.settingCount }
        serverValues = sent.values
    }
}
