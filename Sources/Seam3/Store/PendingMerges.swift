import CoreData

/// The changes that a context is about to merge: merges of a limited size, in the order of the commits.
///
/// When the context makes the first of them, the file has the last of them already.
struct PendingMerges {
    private var merges: [ChangedObjectIDs] = []

    /// Removes the first merge.
    mutating func takeFirst() -> ChangedObjectIDs? {
        merges.isEmpty ? nil : merges.removeFirst()
    }

    /// Adds the changes of a later commit. Its deletions come last, so that no object refers to one that is gone.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - largest: How many objects a merge may have.
    /// - Returns: How many merges have been added.
    mutating func add(_ changes: ChangedObjectIDs, largest: Int) -> Int {
        let before = merges.count
        var changes = changes
        for place in merges.indices { merges[place].giveWay(to: &changes) }
        for (objectIDs, kind) in [
            (changes.inserted, \ChangedObjectIDs.inserted),
            (changes.updated, \ChangedObjectIDs.updated),
            (changes.deleted, \ChangedObjectIDs.deleted),
        ] {
            for objectID in objectIDs {
                if merges.last.map({ $0.count < largest }) != true {
                    merges.append(ChangedObjectIDs())
                }
                merges[merges.count - 1][keyPath: kind].insert(objectID)
            }
        }
        return merges.count - before
    }
}
