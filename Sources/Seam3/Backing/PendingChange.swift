import CoreData

/// A local change that the server has not acknowledged: one row of the outbox.
struct PendingChange {
    /// What happened to the object since the server last agreed.
    enum Kind: Int64 {
        case insert = 1
        case update = 2
        case delete = 3
    }

    let pk: Int64
    /// The number of the object's entity or link type.
    let entityNumber: Int64
    let recordName: String
    var kind: Kind
    /// Moves with every local change of the object.
    let revision: Int64
    /// The changed properties of an update.
    var base: FieldValues
    /// The fingerprint of the object's fields when the change was last sent, nil if it never was.
    let sent: Data?
    /// How often the change was sent.
    let attempts: Int
    /// The system fields that the server last gave, nil if it never gave any.
    let systemFields: Data?
    /// Whether the server refused the change for good; the next edit tries again.
    let isParked: Bool

    /// The mark of a link's deletion that no user has made.
    static let followingDeletion = FieldValues([LinkRecord.source: .null])

    /// Whether a link is deleted because one of its ends was. A version of the link that comes later
    /// than that takes the deletion back.
    var followsDeletionOfEnd: Bool { kind == .delete && base == Self.followingDeletion }
}
