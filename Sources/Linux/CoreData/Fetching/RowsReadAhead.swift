import FoundationGaps

/// A row that was read before the fault that will need it.
final class RowReadAhead {
    let row: Row

    /// The destinations of the prefetched relationships, by their positions.
    var destinations: [Int: [NSManagedObjectID]] = [:]

    /// The rows of these destinations. They are kept here because nothing else retains an object
    /// that only a fault refers to.
    var related: [NSManagedObjectID.Key: RowReadAhead] = [:]

    /// When the row was read, in seconds of uptime.
    let readingTime = ProcessInfo.processInfo.systemUptime

    init(_ row: Row) {
        self.row = row
    }
}

/// Some results of a fetch in batches. Their rows are read together when the first is needed.
final class FetchBatch {
    let request: NSFetchRequest<any NSFetchRequestResult>
    let objectIDs: [NSManagedObjectID]

    init(_ objectIDs: [NSManagedObjectID], of request: NSFetchRequest<any NSFetchRequestResult>) {
        self.objectIDs = objectIDs
        self.request = request
    }
}

/// The rows and batches that a context has read, or will read, before the faults that need them.
///
/// An entry is used once, by the fault of its object, and is removed with the object.
struct RowsReadAhead {
    var rows: [NSManagedObjectID.Key: RowReadAhead] = [:]
    var batches: [NSManagedObjectID.Key: FetchBatch] = [:]

    var isEmpty: Bool { rows.isEmpty && batches.isEmpty }

    /// Removes the entries of an object that is deallocated.
    mutating func remove(_ key: NSManagedObjectID.Key) {
        guard !isEmpty else { return }
        rows[key] = nil
        batches[key] = nil
    }

    /// Removes the rows but not the batches: these are read again.
    mutating func removeRows() {
        rows.removeAll()
    }

    mutating func removeAll() {
        rows.removeAll()
        batches.removeAll()
    }
}
