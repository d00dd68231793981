import FoundationGaps

// Linux-only. Most stores number their rows, and give the numbers as Strings so that the URIs of
// IDs work. Here they need not write and read the text for each object that passes.

extension NSIncrementalStore {
    /// The ID of an object whose reference object is the decimal form of a number: what
    /// `newObjectID(for:referenceObject:)` gives for `String(number)`.
    ///
    /// - Parameters:
    ///   - entity: The object's own entity, not a parent of it.
    ///   - number: The number that identifies the row.
    public final func newObjectID(
        for entity: NSEntityDescription, decimalReference number: Int64
    ) -> NSManagedObjectID {
        NSManagedObjectID(entity: entity, reference: .decimal(number), store: reference)
    }

    /// The number whose decimal form is an ID's reference object; nil if that is something else, and
    /// for temporary IDs and those of other stores.
    public final func decimalReference(for objectID: NSManagedObjectID) -> Int64? {
        guard case .decimal(let number) = objectID.reference,
            objectID.storeReference === reference
        else { return nil }
        return number
    }
}
