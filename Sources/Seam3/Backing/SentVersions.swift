import CoreData

/// The versions of an object that were sent and not answered. The server may have any of them.
///
/// Each contains all synced properties in the form of ``RecordMapping/sentForm(_:)``.
struct SentVersions: Equatable {
    /// The versions, in the order in which they were sent.
    private(set) var versions: [PropertyValues] = []

    /// How many versions are kept. There are several only if the object is edited between requests
    /// of which none is answered.
    private static let most = 16

    init() {}

    var isEmpty: Bool { versions.isEmpty }

    /// Adds the version that is being sent.
    mutating func add(_ version: PropertyValues) {
        versions.removeAll { $0 == version }
        versions.append(version)
        if versions.count > Self.most { versions.removeFirst() }
    }

    /// Adds a version that was refused. It does not count as the last one: that is the one of the last request that
    /// may have been carried out.
    mutating func addRefused(_ version: PropertyValues) {
        guard !versions.contains(version), versions.count < Self.most else { return }
        versions.insert(version, at: 0)
    }

    /// Forgets all versions but the one that was sent last.
    mutating func keepLast() { versions = versions.suffix(1) }

    /// Whether a value of a property was sent.
    func contains(_ value: SQLiteValue, of name: String) -> Bool {
        versions.contains { $0.values[name] == value }
    }

    /// The version that has the most in common with the server's; the last one if there are
    /// several.
    func closest(to server: PropertyValues) -> PropertyValues? {
        versions.enumerated().max { left, right in
            (Self.agreements(left.element, server), left.offset)
                < (Self.agreements(right.element, server), right.offset)
        }?.element
    }

    private static func agreements(_ version: PropertyValues, _ server: PropertyValues) -> Int {
        version.values.reduce(0) { $0 + (server.values[$1.key] == $1.value ? 1 : 0) }
    }

    /// Whether one of the versions has reached the server, judged by the properties whose values
    /// differ from what the server had before; nil if they do not decide it.
    ///
    /// - Parameters:
    ///   - server: The server's values.
    ///   - agreed: The values that the server had before.
    ///   - names: The properties to compare.
    func hasArrived(server: PropertyValues, agreed: PropertyValues, names: Set<String>) -> Bool? {
        let telling = names.filter { name in
            versions.contains { $0.values[name].map { $0 != agreed[name] } ?? false }
        }
        if telling.contains(where: { server[$0] != agreed[$0] && contains(server[$0], of: $0) }) {
            return true
        }
        return telling.contains { server[$0] == agreed[$0] } ? false : nil
    }

    /// These versions, each changed by a closure.
    func map(_ transform: (PropertyValues) -> PropertyValues) -> SentVersions {
        var changed = SentVersions()
        for version in versions { changed.add(transform(version)) }
        return changed
    }

    // MARK: - Coding

    /// The encoded versions for the file; nil if there are none.
    var encoded: Data? {
        guard !isEmpty else { return nil }
        return Self.encoded(versions.map(\.encoded))
    }

    /// The encoding of a list of encoded versions.
    static func encoded(_ versions: [Data]) -> Data {
        var encoder = PropertyValues.Encoder()
        for (place, version) in versions.enumerated() {
            encoder.append(String(place), .blob(version))
        }
        return encoder.data
    }

    /// Reads what ``encoded`` wrote.
    init(encoded data: Data) {
        let list = PropertyValues(encoded: data)
        versions = (0..<list.values.count).compactMap { place in
            list["\(place)"].blob.map(PropertyValues.init(encoded:))
        }
    }
}
