import CoreData

/// The versions of a record's former fields that it may have without anybody having edited them.
///
/// Each contains values in the form of ``RecordMapping/formerForm(_:)``.
struct FieldVersions: Equatable {
    private(set) var versions: [PropertyValues] = []

    /// How many versions are kept.
    private static let most = 16

    init() {}

    /// Adds a version.
    mutating func add(_ version: PropertyValues) {
        versions.removeAll { $0 == version }
        versions.append(version)
        if versions.count > Self.most { versions.removeFirst() }
    }

    /// Whether a version has a value of a field.
    func contains(_ value: SQLiteValue, of field: String) -> Bool {
        versions.contains { $0.values[field] == value }
    }

    /// These versions, each changed by a closure.
    func map(_ transform: (PropertyValues) -> PropertyValues) -> FieldVersions {
        var changed = FieldVersions()
        for version in versions { changed.add(transform(version)) }
        return changed
    }

    // MARK: - Coding

    /// The encoded versions for the file; nil if there are none.
    var encoded: Data? {
        guard !versions.isEmpty else { return nil }
        var encoder = PropertyValues.Encoder()
        for (place, version) in versions.enumerated() {
            encoder.append(String(place), .blob(version.encoded))
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
