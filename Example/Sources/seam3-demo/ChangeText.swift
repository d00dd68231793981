import CoreData
import Seam3

/// What a sync has changed on this device, as text.
enum ChangeText {
    private static let plurals = [
        "Country": "countries", "Zone": "zones", "Folder": "folders", "Clock": "clocks",
    ]

    /// The changes by entity, as `+249 countries, +1 clock`: `+` is new, `~` changed, `-` deleted.
    ///
    /// - Returns: nil if nothing has changed.
    static func text(_ summary: SMSyncSummary) -> String? {
        // A new object counts as changed, too, if its destination arrived later.
        let changed = summary.updatedObjectIDs.subtracting(summary.insertedObjectIDs)
        let parts = [
            ("+", summary.insertedObjectIDs), ("~", changed), ("-", summary.deletedObjectIDs),
        ].flatMap { sign, objects in
            Dictionary(grouping: objects) { $0.entity.name ?? "" }
                .sorted { $0.key < $1.key }
                .map { "\(sign)\($0.value.count) \(noun($0.key, $0.value.count))" }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func noun(_ entity: String, _ count: Int) -> String {
        count == 1 ? entity.lowercased() : plurals[entity] ?? entity.lowercased()
    }
}
