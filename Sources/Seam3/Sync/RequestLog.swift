import CoreData

/// The last request of each device that has changed the zone.
///
/// The zone keeps it as the client change token of the last such request: each one brings along what its device
/// has read there, with its own number. So a device whose request was not answered sees whether it has arrived,
/// also after others have changed the zone. Two requests at the same moment may lose a number: that one is there
/// says something, that it is not there does not.
struct RequestLog: Equatable {
    /// The numbers by device. Each rises with time.
    private(set) var numbers: [String: Int64] = [:]

    /// How many devices are remembered: those with the latest requests.
    private static let most = 32

    init() {}

    /// Notes a request of a device, unless a later one is known.
    mutating func note(_ number: Int64, of device: String) {
        numbers[device] = max(number, numbers[device] ?? .min)
        guard numbers.count > Self.most else { return }
        if let oldest = numbers.min(by: { $0.value < $1.value }) { numbers[oldest.key] = nil }
    }

    /// Notes all requests of another log.
    mutating func add(_ other: RequestLog) {
        for (device, number) in other.numbers { note(number, of: device) }
    }

    // MARK: - Coding

    /// The log in a form for the file and the zone.
    var encoded: Data { PropertyValues(numbers.mapValues(SQLiteValue.integer)).encoded }

    /// Reads what ``encoded`` wrote. What another program has left in the zone is no log.
    init(encoded data: Data) {
        guard PropertyValues.isWhole(data) else { return }
        for (device, number) in PropertyValues(encoded: data).values {
            if let number = number.integer { note(number, of: device) }
        }
    }
}
