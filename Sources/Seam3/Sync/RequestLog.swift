import CoreData

/// For each device, its last request that changed the zone.
///
/// The zone keeps it as the client change token: each request sends the log that its device has read, with
/// its own number, and is carried out as a whole or not at all. A device whose request got no response can
/// therefore tell whether it was carried out, even after other devices have changed the zone. A request's number is
/// greater than all that its device knows, so a request is not expected to arrive after a greater number. Two
/// simultaneous requests may lose a number, though: its presence is a proof, its absence is not.
struct RequestLog: Equatable {
    // What Apple's frameworks do here is an assumption: SM-19.

    /// The numbers by device. Each rises with time.
    private(set) var numbers: [String: Int64] = [:]

    /// The number of devices in the log: those with the latest requests.
    private static let most = 32

    init() {}

    /// Adds a request of a device, unless a later one is known.
    mutating func note(_ number: Int64, of device: String) {
        numbers[device] = max(number, numbers[device] ?? .min)
        guard numbers.count > Self.most else { return }
        if let oldest = numbers.min(by: { $0.value < $1.value }) { numbers[oldest.key] = nil }
    }

    /// Adds all requests of another log.
    mutating func add(_ other: RequestLog) {
        for (device, number) in other.numbers { note(number, of: device) }
    }

    /// Whether a request of a device was carried out: false if the log has a later request of another device but not
    /// this one, nil if it has neither, or a later one of the same device.
    func hasRequest(_ number: Int64, of device: String) -> Bool? {
        let last = numbers[device] ?? .min
        if last >= number { return last == number ? true : nil }
        return numbers.values.contains { $0 > number } ? false : nil
    }

    /// Whether another log has one of the requests. It is of the same zone then: a device that makes a zone again begins
    /// with an empty log.
    func sharesRequest(with other: RequestLog) -> Bool {
        numbers.contains { other.numbers[$0.key] == $0.value }
    }

    // MARK: - Coding

    /// The log in a form for the file and the zone.
    var encoded: Data { PropertyValues(numbers.mapValues(SQLiteValue.integer)).encoded }

    /// Reads what ``encoded`` wrote. Data that another program left in the zone is ignored.
    init(encoded data: Data) {
        guard PropertyValues.isWhole(data) else { return }
        for (device, number) in PropertyValues(encoded: data).values {
            if let number = number.integer { note(number, of: device) }
        }
    }
}
