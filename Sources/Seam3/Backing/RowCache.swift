import CoreData

/// The rows that fetches have read, so that firing their faults needs no statement.
///
/// A row stays while a context holds its object. Rows that were read ahead and that no context
/// holds yet stay until a later fetch finds too many of them. The version that was last vended for
/// an object stays when its values are invalidated, because a save compares with it. The cache is
/// used by the store under the coordinator's lock, and by the sync engine after its commits.
final class RowCache: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private struct Entry {
        var row: CachedRow?
        /// The version that was last vended; 0 if there is none.
        var vendedVersion: Int64 = 0
        var holders: Int32 = 0
        /// The cache's age when the row was cached. A row with a different age counts as dropped.
        var age: Int32 = 0
        /// Whether the row was read by a fetch and has not been vended since.
        var isUntold = false

        /// The row, if it was cached at this age of the cache.
        func row(at age: Int32) -> CachedRow? { self.age == age ? row : nil }
    }

    /// The destination of a relationship.
    struct Member {
        let pk: Int64
        let entityNumber: Int64
    }

    private let lock = NSLock()
    private let entries = NumberTable<Entry>()
    /// The members of to-many relationships that were read ahead and not vended since, by the
    /// relationship's name and the owner.
    private var members: [String: [Int64: [Member]]] = [:]
    /// The cache's age when they were read.
    private var membersAge: Int32 = 0
    /// How many entries belong to objects that no context holds.
    private var unheldCount = 0
    private var age: Int32 = 0

    /// How many rows that no context holds survive the next fetch.
    private static let unheldLimit = 10_000

    /// Counts one more context that holds each object.
    func hold(_ pks: [Int64]) {
        lock.locked {
            for pk in pks {
                let holders = entries.change(pk, default: Entry()) { entry -> Int32 in
                    entry.holders += 1
                    return entry.holders
                }
                if holders == 1, unheldCount > 0 { unheldCount -= 1 }
            }
        }
    }

    /// Counts one context fewer, and forgets the objects that no context holds.
    func release(_ pks: [Int64]) {
        lock.locked {
            for pk in pks {
                entries.remove(pk) { entry in
                    entry.holders -= 1
                    return entry.holders <= 0
                }
            }
        }
    }

    /// Caches a row that was read or written.
    func keep(_ row: CachedRow) {
        lock.locked { enter(row, isUntold: false) }
    }

    /// Caches a row that a fetch finds, unless this version of it is cached. The first request for the row
    /// gets it as it is now.
    ///
    /// - Parameter read: Reads the row; it must not use the cache.
    /// - Returns: The row; nil if there is none to cache.
    func keepFetched(_ pk: Int64, version: Int64, read: () -> CachedRow?) -> CachedRow? {
        lock.locked {
            let age = age
            let known = entries.change(pk) { entry -> CachedRow? in
                guard let row = entry.row(at: age), row.version == version else { return nil }
                entry.isUntold = true
                return row
            }
            if let row = known ?? nil { return row }
            guard let row = read() else { return nil }
            enter(row, isUntold: true)
            return row
        }
    }

    /// Caches a row while the lock is held.
    ///
    /// - Parameter isUntold: Whether a fetch has read it.
    private func enter(_ row: CachedRow, isUntold: Bool) {
        let age = age
        let isNew = entries.change(row.pk, default: Entry()) { entry -> Bool in
            let isNew = entry.row == nil && entry.holders == 0
            entry.row = row
            entry.age = age
            entry.isUntold = isUntold
            return isNew
        }
        if isNew { unheldCount += 1 }
    }

    /// Takes over the results of a save.
    ///
    /// - Parameters:
    ///   - versions: All objects with their new versions.
    ///   - rows: The rows of the first of them. The cached rows of the others are outdated and are
    ///     dropped.
    func noteSaved(_ versions: [(pk: Int64, version: Int64)], rows: [ObjectRow]) {
        lock.locked {
            members = [:]
            if rows.count > entries.count { entries.reserve(entries.count + rows.count) }
            for row in rows { enter(.stored(row), isUntold: false) }
            for (place, (pk, version)) in versions.enumerated() {
                entries.change(pk, default: Entry()) { entry in
                    entry.vendedVersion = version
                    if place >= rows.count { entry.row = nil }
                }
            }
        }
    }

    /// Drops the rows that no context holds if there are too many of them. Called at the beginning
    /// of a fetch: the rows that this fetch reads, and reads ahead, stay until their objects are
    /// requested.
    func makeRoom() {
        lock.locked {
            guard unheldCount > max(Self.unheldLimit, entries.count / 2) else { return }
            entries.removeAll { _, entry in entry.holders <= 0 }
            unheldCount = 0
        }
    }

    /// The row of an object, if it was read and has not changed since.
    func row(_ pk: Int64) -> CachedRow? {
        lock.locked {
            let age = age
            return entries.change(pk) { $0.row(at: age) } ?? nil
        }
    }

    /// Whether the row of an object was read and has not changed since.
    func contains(_ pk: Int64) -> Bool {
        lock.locked {
            let age = age
            return entries.change(pk) { $0.row(at: age) != nil } ?? false
        }
    }

    /// The row of an object, if it was read and has not changed since; it counts as vended from now
    /// on.
    func toldRow(_ pk: Int64) -> CachedRow? { tellRow(pk) { _ in true } }

    /// The row that a fetch has read and that has not been vended since; it counts as vended from
    /// now on.
    ///
    /// Firing a fault of a fetch returns the row as the fetch found it, although the file may have
    /// changed since. A later request gets the current row of the file.
    func untoldRow(_ pk: Int64) -> CachedRow? { tellRow(pk, where: \.isUntold) }

    private func tellRow(_ pk: Int64, where isWanted: (Entry) -> Bool) -> CachedRow? {
        lock.locked {
            let age = age
            return entries.change(pk) { entry -> CachedRow? in
                guard isWanted(entry), let row = entry.row(at: age) else { return nil }
                entry.isUntold = false
                entry.vendedVersion = row.version
                return row
            } ?? nil
        }
    }

    /// Caches the members of a relationship that a fetch has read ahead for some objects.
    func keepMembers(_ found: [Int64: [Member]], ofRelationship name: String) {
        lock.locked {
            if membersAge != age { members = [:] }
            membersAge = age
            members[name] = found
        }
    }

    /// The members of a relationship that a fetch has read ahead and that have not been vended yet.
    /// A later request gets the current members from the file.
    func takeMembers(ofRelationship name: String, of pk: Int64) -> [Member]? {
        lock.locked {
            guard membersAge == age, !members.isEmpty else { return nil }
            return members[name]?.removeValue(forKey: pk)
        }
    }

    /// Notes the version that was vended.
    func noteVended(_ pk: Int64, version: Int64) {
        lock.locked {
            entries.change(pk, default: Entry()) { $0.vendedVersion = version }
        }
    }

    /// The version that was last vended.
    func vendedVersion(_ pk: Int64) -> Int64? {
        lock.locked {
            let version = entries.change(pk) { $0.vendedVersion } ?? 0
            return version == 0 ? nil : version
        }
    }

    /// Drops the values of some objects, but keeps their vended versions.
    func invalidate(_ pks: some Sequence<Int64>) {
        lock.locked {
            members = [:]
            for pk in pks { entries.change(pk) { $0.row = nil } }
        }
    }

    /// Drops all values, but keeps the vended versions.
    func invalidateAll() {
        lock.locked { age &+= 1 }
    }
}
