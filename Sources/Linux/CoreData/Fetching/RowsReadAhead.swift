import FoundationGaps

/// A row that was read before the fault that will ask for it.
final class RowReadAhead {
    let row: Row

    /// The destinations of the relationships that were prefetched, by their positions.
    var destinations: [Int: [NSManagedObjectID]] = [:]

    /// The rows of these destinations. They wait here because nothing else keeps an object alive
    /// that only a fault leads to.
    var related: [NSManagedObjectID.Key: RowReadAhead] = [:]

    /// When the row was read, in seconds of uptime.
    let readingTime = ProcessInfo.processInfo.systemUptime

    init(_ row: Row) {
        self.row = row
    }
}

/// Some results of a fetch in batches, whose rows are read together when the first is needed.
final class FetchBatch {
    let request: NSFetchRequest<any NSFetchRequestResult>
    let objectIDs: [NSManagedObjectID]

    init(_ objectIDs: [NSManagedObjectID], of request: NSFetchRequest<any NSFetchRequestResult>) {
        self.objectIDs = objectIDs
        self.request = request
    }
}

/// What a context has read, or will read, ahead of the faults that ask for it.
///
/// An entry is used once, by the fault of its object, and goes with the object.
struct RowsReadAhead {
    var rows: [NSManagedObjectID.Key: RowReadAhead] = [:]
    var batches: [NSManagedObjectID.Key: FetchBatch] = [:]

    var isEmpty: Bool { rows.isEmpty && batches.isEmpty }

    /// Forgets what belongs to an object that goes.
    mutating func remove(_ key: NSManagedObjectID.Key) {
        guard !isEmpty else { return }
        rows[key] = nil
        batches[key] = nil
    }

    /// Forgets the rows, but not the batches: these are read again.
    mutating func removeRows() {
        rows.removeAll()
    }

    mutating func removeAll() {
        rows.removeAll()
        batches.removeAll()
    }
}
