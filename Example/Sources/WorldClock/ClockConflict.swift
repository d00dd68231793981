import CloudKit
import CoreData
import Seam3

/// A clock that was edited on this and on another device, with the version of each side.
public struct ClockConflict: Identifiable, Sendable {
    /// One side's version of the clock.
    public struct Version: Equatable, Sendable {
        /// What the user calls it.
        public let label: String
        /// The user's note about it.
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
    /// This device's version.
    public let mine: Version
    /// The version that the other device sent.
    public let theirs: Version
    /// The version that both sides had before.
    public let before: Version

    /// Reads a conflict's records.
    ///
    /// - Returns: nil if the records are not those of a clock.
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
    /// Lets the other device's version win, and reports each conflict, so that the user can choose
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

    /// Gives the clock this device's version after all, as an ordinary edit.
    ///
    /// - Throws: Core Data's errors. It is not an error if the clock has been deleted.
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
