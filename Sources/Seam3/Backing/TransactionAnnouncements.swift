import CoreData

/// What the transactions of a store's connections have changed, by their numbers in the file, until the row cache drops it.
///
/// SQLite tells that another connection has written, not which. Every transaction of every process takes the next number.
/// If this store has announced all those since the last look, only the rows that these changed are outdated.
final class TransactionAnnouncements: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var rows: [Int64: Set<Int64>] = [:]
    /// The last transaction that the cache contains.
    private var known: Int64 = 0
    /// The file's last transaction at the last look.
    private var seen: Int64 = 0

    /// Begins with a file that the cache has no rows of.
    ///
    /// - Parameter number: The file's last transaction.
    func begin(after number: Int64) {
        lock.locked {
            known = number
            seen = number
            rows = [:]
        }
    }

    /// Announces a transaction that is about to be committed.
    func announce(_ number: Int64, changing changed: Set<Int64>) {
        lock.locked {
            if changed.isEmpty, known == number &- 1 {
                known = number
            } else if known >= 0 {
                rows[number] = changed
            }
        }
    }

    /// Takes back a transaction whose commit has failed.
    ///
    /// Another process may have taken its number, and somebody may have believed the announcement since, so all rows count
    /// as outdated.
    func withdraw() {
        lock.locked {
            rows = [:]
            known = -1
        }
    }

    /// The rows that the transactions since the last call have changed.
    ///
    /// - Parameter number: The file's last transaction.
    /// - Returns: The rows; nil if somebody else has written.
    func take(upTo number: Int64) -> Set<Int64>? {
        lock.locked {
            defer {
                known = number
                seen = number
                rows = rows.filter { $0.key > number }
            }
            // If no transaction has a number, somebody has written who gives none.
            guard known >= 0, known <= number, seen != number else { return nil }
            var changed: Set<Int64> = []
            while known < number {
                known += 1
                guard let announced = rows[known] else { return nil }
                changed.formUnion(announced)
            }
            return changed
        }
    }
}
