import CoreData

/// An inconsistency in a store's file; see ``SMStore/checkInvariants(limit:)``.
public struct SMStoreViolation: Hashable, Sendable {
    /// What is violated.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// SQLite's own check finds no error.
        case soundFile
        /// Each row belongs to an object that the store knows, of the same entity.
        case rowHasObject
        /// Each object that the store knows, and has not deleted, has a row.
        case objectHasRow
        /// Each row is of an entity of its table that is not abstract.
        case rowHasEntity
        /// Each to-one relationship leads to an object that the store knows, of its entity.
        case referenceHasDestination
        /// The two ends of a one-to-one relationship point at each other.
        case inverseAgrees
        /// Each link has two ends that the store knows, of the relationship's entities.
        case linkHasEnds
        /// A relationship that is its own inverse keeps each link in both directions.
        case linkHasMirror
        /// Each waiting change is of an object that the store knows: of a deleted one if it is a
        /// deletion, of a living one if not.
        case changeHasObject
        /// Each deleted object has a deletion that waits for the server.
        case deletionIsPending
        /// Each member of an ordered relationship that the server has not touched has a well-formed
        /// order key.
        case memberHasOrderKey
        /// Numbers of objects and changes are below the next ones to be given.
        case sequenceIsAhead
    }

    /// What is violated.
    public let rule: Rule
    /// The entity, or the record type of the many-to-many relationship, at fault; nil if none is.
    public let entityName: String?
    /// The property at fault; nil if none is.
    public let propertyName: String?
    /// The reference object of the object at fault, as in its `NSManagedObjectID`; nil if none is.
    public let referenceObject: String?
    /// What is wrong, without users' values.
    public let reason: String

    init(
        _ rule: Rule, entity: String? = nil, property: String? = nil, key: Int64? = nil,
        _ reason: String
    ) {
        self.rule = rule
        entityName = entity
        propertyName = property
        referenceObject = key.map(String.init)
        self.reason = reason
    }
}

extension SMStoreViolation: CustomStringConvertible {
    /// The place and the reason.
    public var description: String {
        let place = [entityName, propertyName].compactMap { $0 }.joined(separator: ".")
        let object = referenceObject.map { " \($0)" } ?? ""
        return "\(rule.rawValue): \(place)\(object)\(place.isEmpty ? "" : ": ")\(reason)"
    }
}
