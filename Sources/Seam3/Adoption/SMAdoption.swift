import CoreData

/// What ``SMStore/adoptFile(at:model:configuration:user:isDryRun:)`` adopted, or would adopt.
public struct SMAdoption: Sendable {
    /// What happened to the objects of an entity, or to the values of one of their properties.
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        /// The entity's name in the file, or the table's if the file's model has no entity for it.
        public let entity: String
        /// The property's name in the file, the key path of an element of a composite attribute, or the column's
        /// name; nil for the objects themselves. A to-many relationship with a to-one inverse is counted at the
        /// inverse.
        public let property: String?
        /// How many objects, values other than nil, or destinations the file contains.
        public internal(set) var foundCount = 0
        /// How many of them are in the new file.
        public internal(set) var takenCount = 0
        /// How many of those were changed.
        public internal(set) var changedCount = 0
        /// Why some were changed or left out.
        public private(set) var reasons: [String] = []

        init(entity: String, property: String?) {
            self.entity = entity
            self.property = property
        }

        /// How many were left out.
        public var leftOutCount: Int { foundCount - takenCount }

        /// The entry as a line of a report.
        public var description: String {
            let name = entity + (property.map { ".\($0)" } ?? "")
            let counts = "\(foundCount) found, \(takenCount) adopted, \(changedCount) changed,"
            let reason = reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")
            return "\(name): \(counts) \(leftOutCount) left out\(reason)"
        }

        mutating func add(_ reason: String) {
            if !reasons.contains(reason) { reasons.append(reason) }
        }
    }

    /// Where the old file is now, in a folder with everything that belonged to it. The app may remove the
    /// folder when it no longer needs it. After a dry run, where the file would be.
    public let originalURL: URL

    /// How many objects the file contained, whether they were adopted or left out.
    public let objectCount: Int

    /// How many of them were adopted. The others, such as those of entities that the model does not have, are in
    /// ``leftOut``.
    public var adoptedObjectCount: Int {
        report.filter { $0.property == nil }.reduce(0) { $0 + $1.takenCount }
    }

    /// "Entity.attribute", or "Entity.attribute.element", for each value of external binary data whose file is missing;
    /// such values are nil.
    public let missingData: [String]

    /// What happened to everything in the file, by entity and property. Whatever was left out is listed.
    public let report: [Entry]

    /// Whether nothing was written.
    public let isDryRun: Bool

    /// The entries of which something was left out.
    public var leftOut: [Entry] { report.filter { $0.leftOutCount > 0 } }
}
