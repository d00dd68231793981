import Seam3

/// The ends of a store's future syncs, one after the other.
struct SyncEnds {
    private var iterator: AsyncStream<SMSyncEvent>.Iterator

    init(_ store: SMStore) { iterator = store.events.makeAsyncIterator() }

    mutating func next() async -> SMSyncEvent? {
        while let event = await iterator.next() {
            if event.kind == .sync, event.endDate != nil { return event }
        }
        return nil
    }
}
