import CoreData

/// What ``SMStore/adoptFile(at:model:configuration:user:isDryRun:)`` took over, or would take over.
public struct SMAdoption: Sendable {
    /// What became of the objects of an entity, or of the values of one of their properties.
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        /// The entity's name in the file; the table's, where the file's model has none for it.
        public let entity: String
        /// The property's name in the file, or the column's; nil for the objects themselves. A to-many
        /// relationship with a to-one inverse is counted there.
        public let property: String?
        /// How many objects, values other than nil, or destinations the file has.
        public internal(set) var foundCount = 0
        /// How many of them are in the new file.
        public internal(set) var takenCount = 0
        /// How many of those are there in another form than before.
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
            let counts = "\(foundCount) found, \(takenCount) taken over, \(changedCount) changed,"
            let reason = reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")
            return "\(name): \(counts) \(leftOutCount) left out\(reason)"
        }

        mutating func add(_ reason: String) {
            if !reasons.contains(reason) { reasons.append(reason) }
        }
    }

    /// Where the old file is now, in a folder with all that belonged to it: the application may
    /// remove the folder when it no longer wants to go back. After a dry run, where it would be.
    public let originalURL: URL

    /// How many objects the file had.
    public let objectCount: Int

    /// "Entity.attribute" of binary data that the file keeps outside of itself and whose file is
    /// missing, once for each value; such a value is nil now.
    public let missingData: [String]

    /// What became of all that the file had, by entity and property. Nothing is left out that is not
    /// here.
    public let report: [Entry]

    /// Whether nothing was written.
    public let isDryRun: Bool

    /// What was left out, at least in part.
    public var leftOut: [Entry] { report.filter { $0.leftOutCount > 0 } }
}
