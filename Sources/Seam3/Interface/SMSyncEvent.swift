import CoreData

/// The beginning or the end of a step of a sync. The counterpart of
/// `NSPersistentCloudKitContainer.Event`.
///
/// Each step has two events with the same ``id``, the first without an ``endDate``, the second with one:
///
///     for await event in store.events where event.kind == .sync && event.endDate != nil {
///         print(event.succeeded ? "Synced" : "Failed")
///     }
public struct SMSyncEvent: Identifiable, Sendable {
    /// What kind of step it is.
    public enum Kind: String, CaseIterable, Sendable {
        /// A sync as a whole, which the other steps are parts of.
        case sync
        /// Account, zone and subscription are checked.
        case setup
        /// The server's changes are fetched and applied.
        case `import`
        /// Local changes are sent.
        case export
    }

    /// The same for the beginning and the end of a step.
    public let id: UUID
    /// What kind of step it is.
    public let kind: Kind
    /// When the step began.
    public let startDate: Date
    /// When the step ended; nil while it runs.
    public internal(set) var endDate: Date?
    /// Why the step failed; nil if it did not.
    public internal(set) var error: (any Error)?
    /// What the step did: counts and object IDs. Empty at its beginning.
    public internal(set) var summary = SMSyncSummary()

    init(_ kind: Kind, at date: Date) {
        id = UUID()
        self.kind = kind
        startDate = date
    }

    /// Whether the step has ended without an error.
    public var succeeded: Bool { endDate != nil && error == nil }

    /// How long the step took, in seconds; nil while it runs.
    public var duration: TimeInterval? { endDate?.timeIntervalSince(startDate) }

    /// The event of the step's end.
    func ended(at date: Date, summary: SMSyncSummary, error: (any Error)? = nil) -> SMSyncEvent {
        var event = self
        event.endDate = date
        event.error = error
        event.summary = summary
        event.summary.duration = event.duration ?? 0
        return event
    }
}
