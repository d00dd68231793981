/// Sorts records by the distance of a location field from a given location, the nearest first.
open class CKLocationSortDescriptor: NSSortDescriptor {
    /// The location from which the distance is measured.
    public let relativeLocation: CLLocation

    /// The location field.
    let locationKey: String

    /// Creates a descriptor.
    public init(key: String, relativeLocation: CLLocation) {
        self.relativeLocation = relativeLocation
        locationKey = key
        // Foundation's part only stores the direction; the comparison is overridden.
        super.init(
            keyPath: \NSObject.self, ascending: true, comparator: { _, _ in .orderedSame })
    }

    /// Descriptors cannot be decoded from archives.
    public required init?(coder: NSCoder) {
        nil
    }

    /// Compares the distances of two records; a record without the location comes last.
    open override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let first = distance(of: object1)
        let second = distance(of: object2)
        if first == second { return .orderedSame }
        return first < second ? .orderedAscending : .orderedDescending
    }

    private func distance(of object: Any) -> CLLocationDistance {
        let location: CLLocation? = (object as? CKRecord)?[locationKey]
        return location?.distance(from: relativeLocation) ?? .infinity
    }
}
