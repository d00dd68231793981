import FoundationGaps

// Linux-only. Most stores number their rows, and use Strings of the numbers so that the URIs of IDs
// work. With these methods they need not format and parse the String for each object.

extension NSIncrementalStore {
    /// The ID of an object whose reference object is a number in decimal form: the same as
    /// `newObjectID(for:referenceObject:)` returns for `String(number)`.
    ///
    /// - Parameters:
    ///   - entity: The object's own entity, not a parent of it.
    ///   - number: The number that identifies the row.
    public final func newObjectID(
        for entity: NSEntityDescription, decimalReference number: Int64
    ) -> NSManagedObjectID {
        NSManagedObjectID(entity: entity, reference: .decimal(number), store: reference)
    }

    /// The number in an ID's reference object; nil if the reference object is not a number in
    /// decimal form, and for temporary IDs and those of other stores.
    public final func decimalReference(for objectID: NSManagedObjectID) -> Int64? {
        guard case .decimal(let key) = objectID.reference,
            objectID.storeReference?.number == number
        else { return nil }
        return key
    }
}
