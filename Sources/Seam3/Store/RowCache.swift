import CoreData

/// The rows that fetches have read, so that firing their faults costs no statement.
///
/// A row lives while a context holds its object; rows that were read ahead and that no context holds
/// yet are kept until there are too many of them. The version last vended for an object outlives
/// an invalidation of its values: a save compares with it. Used by the store under the
/// coordinator's lock and by the sync engine after its commits.
final class RowCache: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private struct Entry {
        var holders = 0
        var row: ObjectRow?
        var vendedVersion: Int64?
    }

    private let lock = NSLock()
    private var entries: [Int64: Entry] = [:]
    /// The objects with an entry that no context holds.
    private var unheld: Set<Int64> = []

    /// How many rows that no context holds outlive the reading of more.
    private static let unheldLimit = 10_000

    /// Counts one more context that holds each object.
    func hold(_ pks: [Int64]) {
        lock.locked {
            for pk in pks {
                entries[pk, default: Entry()].holders += 1
                unheld.remove(pk)
            }
        }
    }

    /// Counts one context less, and forgets the objects that none holds.
    func release(_ pks: [Int64]) {
        lock.locked {
            for pk in pks {
                guard var entry = entries[pk] else { continue }
                entry.holders -= 1
                entries[pk] = entry.holders > 0 ? entry : nil
                if entry.holders <= 0 { unheld.remove(pk) }
            }
        }
    }

    /// Keeps a row that was read.
    func keep(_ rows: [ObjectRow]) {
        lock.locked {
            // Not those of this call: a fetch keeps its rows before its objects are held.
            if unheld.count > Self.unheldLimit {
                for pk in unheld { entries[pk] = nil }
                unheld.removeAll()
            }
            for row in rows { change(row.pk) { $0.row = row } }
        }
    }

    /// The row of an object, if it was read and nothing has changed it since.
    func row(_ pk: Int64) -> ObjectRow? {
        lock.locked { entries[pk]?.row }
    }

    /// Notes the version that Core Data has been told last.
    func noteVended(_ pk: Int64, version: Int64) {
        lock.locked { change(pk) { $0.vendedVersion = version } }
    }

    private func change(_ pk: Int64, _ change: (inout Entry) -> Void) {
        var entry = entries[pk] ?? Entry()
        change(&entry)
        if entry.holders == 0 { unheld.insert(pk) }
        entries[pk] = entry
    }

    /// The version that Core Data has been told last.
    func vendedVersion(_ pk: Int64) -> Int64? {
        lock.locked { entries[pk]?.vendedVersion }
    }

    /// Drops the values of some objects, but not their vended versions.
    func invalidate(_ pks: some Sequence<Int64>) {
        lock.locked {
            for pk in pks { entries[pk]?.row = nil }
        }
    }

    /// Drops all values, but no vended version.
    func invalidateAll() {
        lock.locked {
            for pk in entries.keys { entries[pk]?.row = nil }
        }
    }
}
