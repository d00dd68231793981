import CloudKit
import CoreData
import Seam3

/// A clock that was edited here and on another device: what each side made of it.
public struct ClockConflict: Identifiable, Sendable {
    /// What a side has of the clock.
    public struct Version: Equatable, Sendable {
        /// What the user calls it.
        public let label: String
        /// What the user notes about it.
        public let note: String

        init(_ record: CKRecord) {
            let label: String? = record["label"]
            let note: String? = record["note"]
            self.label = label ?? ""
            self.note = note ?? ""
        }
    }

    /// The clock's identifier.
    public let id: UUID
    /// What this device has.
    public let mine: Version
    /// What the other device has sent.
    public let theirs: Version
    /// What both had before.
    public let before: Version

    /// Reads a conflict's records.
    ///
    /// - Returns: nil if they are not those of a clock.
    init?(server: CKRecord, client: CKRecord, ancestor: CKRecord) {
        let identifier: String? = client["identifier"]
        guard client.recordType == "Clock", let id = identifier.flatMap(UUID.init(uuidString:))
        else { return nil }
        self.id = id
        mine = Version(client)
        theirs = Version(server)
        before = Version(ancestor)
    }
}

extension CoreDataStack {
    /// Lets the other device's version win, and tells of each conflict, so that the user can choose
    /// afterward. A sync does not wait for the user.
    ///
    /// - Parameter report: Called on a background queue.
    public func reportConflicts(to report: @escaping @Sendable (ClockConflict) -> Void) {
        store.recordConflictResolutionBlock = { server, client, ancestor in
            let conflict = ClockConflict(server: server, client: client, ancestor: ancestor)
            if let conflict { report(conflict) }
            return server
        }
        store.syncConflictResolutionPolicy = .clientTellsWhichWins
    }

    /// Makes this device's version the clock's after all, as an edit like any other.
    ///
    /// - Throws: What Core Data reports. It is no error if the clock has been deleted.
    public func takeMine(_ conflict: ClockConflict) async throws {
        try await perform { context in
            let predicate = NSPredicate(format: "identifier == %@", conflict.id as CVarArg)
            guard let clock = try context.objects(Clock.self, where: predicate).first else {
                return
            }
            clock.label = conflict.mine.label
            clock.note = conflict.mine.note.isEmpty ? nil : conflict.mine.note
        }
    }
}
