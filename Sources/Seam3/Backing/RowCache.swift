import CoreData

/// The rows that fetches have read, so that firing their faults costs no statement.
///
/// A row lives while a context holds its object; rows that were read ahead and that no context holds
/// yet are kept until another fetch finds too many of them. The version last vended for an object
/// outlives an invalidation of its values: a save compares with it. Used by the store under the
/// coordinator's lock and by the sync engine after its commits.
final class RowCache: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private struct Entry {
        var row: ObjectRow?
        /// The version that Core Data has seen last; 0 if it was told none.
        var vendedVersion: Int64 = 0
        var holders: Int32 = 0
        /// The cache's age when the row was kept; another one makes the row count as dropped.
        var age: Int32 = 0
        /// Whether the row was read by a fetch and has not been asked for since.
        var isUntold = false
    }

    /// An object to which a relationship leads.
    struct Member {
        let pk: Int64
        let entityNumber: Int64
    }

    private let lock = NSLock()
    private let entries = NumberTable<Entry>()
    /// The members of to-many relationships that were read ahead and not asked for since, by the
    /// relationship's name and the owner.
    private var members: [String: [Int64: [Member]]] = [:]
    /// The cache's age when they were read.
    private var membersAge: Int32 = 0
    /// How many entries are of objects that no context holds.
    private var unheldCount = 0
    private var age: Int32 = 0

    /// How many rows that no context holds outlive the reading of more.
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

    /// Counts one context less, and forgets the objects that none holds.
    func release(_ pks: [Int64]) {
        lock.locked {
            for pk in pks {
                let isLast = entries.change(pk) { entry -> Bool in
                    entry.holders -= 1
                    return entry.holders <= 0
                }
                if isLast == true { entries.remove(pk) }
            }
        }
    }

    /// Keeps rows that were read or written.
    ///
    /// - Parameter areUntold: Whether a fetch has read them, so that the first to ask for one of them
    ///   gets it as it was then.
    func keep(_ rows: [ObjectRow], areUntold: Bool = false) {
        lock.locked {
            if rows.count > entries.count { entries.reserve(entries.count + rows.count) }
            for row in rows {
                let isNew = entries.change(row.pk, default: Entry()) { entry -> Bool in
                    let isNew = entry.row == nil && entry.holders == 0
                    entry.row = row
                    entry.age = age
                    entry.isUntold = areUntold
                    return isNew
                }
                if isNew { unheldCount += 1 }
            }
        }
    }

    /// Takes over what a save has written.
    ///
    /// - Parameters:
    ///   - versions: All objects with their new versions.
    ///   - rows: The rows of the first of them; of the others none is kept, for it is outdated.
    func noteSaved(_ versions: [(pk: Int64, version: Int64)], rows: [ObjectRow]) {
        keep(rows)
        lock.locked {
            members = [:]
            for (place, (pk, version)) in versions.enumerated() {
                entries.change(pk, default: Entry()) { entry in
                    entry.vendedVersion = version
                    if place >= rows.count { entry.row = nil }
                }
            }
        }
    }

    /// Forgets the rows that no context holds if there are too many of them. For the beginning of a
    /// fetch: what it reads, and reads ahead, stays until its objects are asked for.
    func makeRoom() {
        lock.locked {
            guard unheldCount > max(Self.unheldLimit, entries.count / 2) else { return }
            entries.removeAll { _, entry in entry.holders <= 0 }
            unheldCount = 0
        }
    }

    /// The row of an object, if it was read and nothing has changed it since.
    func row(_ pk: Int64) -> ObjectRow? {
        lock.locked {
            let age = age
            return entries.change(pk) { entry in entry.age == age ? entry.row : nil } ?? nil
        }
    }

    /// The row of an object, if it was read and nothing has changed it since; it counts as told from
    /// now on.
    func toldRow(_ pk: Int64) -> ObjectRow? { tellRow(pk) { _ in true } }

    /// The row that a fetch has read and nobody has asked for yet; it counts as told from now on.
    ///
    /// Firing the faults of a fetch gives what the fetch found, though the file may have changed
    /// meanwhile; whoever asks again gets what the file has.
    func untoldRow(_ pk: Int64) -> ObjectRow? { tellRow(pk, where: \.isUntold) }

    private func tellRow(_ pk: Int64, where isWanted: (Entry) -> Bool) -> ObjectRow? {
        lock.locked {
            let age = age
            return entries.change(pk) { entry -> ObjectRow? in
                guard isWanted(entry), entry.age == age, let row = entry.row else { return nil }
                entry.isUntold = false
                entry.vendedVersion = row.version
                return row
            } ?? nil
        }
    }

    /// Keeps the members of a relationship of some objects, which a fetch has read ahead.
    func keepMembers(_ found: [Int64: [Member]], ofRelationship name: String) {
        lock.locked {
            if membersAge != age { members = [:] }
            membersAge = age
            members[name] = found
        }
    }

    /// The members of a relationship that a fetch has read ahead and nobody has asked for yet. Whoever
    /// asks again gets what the file has.
    func takeMembers(ofRelationship name: String, of pk: Int64) -> [Member]? {
        lock.locked {
            guard membersAge == age, !members.isEmpty else { return nil }
            return members[name]?.removeValue(forKey: pk)
        }
    }

    /// Notes the version that Core Data has been told last.
    func noteVended(_ pk: Int64, version: Int64) {
        lock.locked {
            entries.change(pk, default: Entry()) { $0.vendedVersion = version }
        }
    }

    /// The version that Core Data has been told last.
    func vendedVersion(_ pk: Int64) -> Int64? {
        lock.locked {
            let version = entries.change(pk) { $0.vendedVersion } ?? 0
            return version == 0 ? nil : version
        }
    }

    /// Drops the values of some objects, but not their vended versions.
    func invalidate(_ pks: some Sequence<Int64>) {
        lock.locked {
            members = [:]
            for pk in pks { entries.change(pk) { $0.row = nil } }
        }
    }

    /// Drops all values, but no vended version.
    func invalidateAll() {
        lock.locked { age &+= 1 }
    }
}
