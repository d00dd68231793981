/// The plain or the encrypted fields of a record.
struct RecordFields: Sendable {
    /// The values by key. A field without a value is absent.
    private(set) var values: [String: RecordValue] = [:]

    /// The last values from the server, which a conflict reports as the ancestor's.
    private(set) var serverValues: [String: RecordValue] = [:]

    /// The keys set since the record was created, fetched or saved. Each has the number of the
    /// setting, so that a save can detect which keys were set again during the save.
    private var settings: [String: Int] = [:]

    /// How many times a key was set.
    private var settingCount = 0

    init() {}

    /// Fields from the server, without changes.
    init(fromServer values: [String: RecordValue]) {
        self.values = values
        serverValues = values
    }

    /// Fields from an archive.
    init(
        values: [String: RecordValue], changedKeys: some Sequence<String>,
        serverValues: [String: RecordValue]
    ) {
        self.values = values
        self.serverValues = serverValues
        for key in changedKeys { settings[key] = 0 }
    }

    /// The keys set since the record was created, fetched or saved.
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

    /// Reserves room for the number of fields that most records have.
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

    /// Notes that the server has accepted the fields as they were in `sent`. Keys that were set
    /// afterward stay changed.
    mutating func acknowledge(_ sent: RecordFields) {
        settings =
            settingCount == sent.settingCount
            ? [:] : settings.filter { $0.value > sent.settingCount }
        serverValues = sent.values
    }
}
