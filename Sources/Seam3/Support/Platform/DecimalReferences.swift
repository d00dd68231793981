import CoreData

// CoreData on Linux has these itself, and does not convert the numbers to strings.

#if canImport(ObjectiveC)
extension NSIncrementalStore {
    /// The ID of an object whose reference object is a number in decimal form.
    func newObjectID(
        for entity: NSEntityDescription, decimalReference number: Int64
    ) -> NSManagedObjectID {
        newObjectID(for: entity, referenceObject: String(number))
    }

    /// The number in an ID's reference object; nil if the reference object is not a number in
    /// decimal form, and for temporary IDs and those of other stores.
    func decimalReference(for objectID: NSManagedObjectID) -> Int64? {
        guard !objectID.isTemporaryID, objectID.persistentStore === self else { return nil }
        switch referenceObject(for: objectID) {
        case let text as String: return Int64(text)
        case let number as NSNumber: return number.int64Value
        default: return nil
        }
    }
}
#endif
