import Foundation

/// A push as Apple's push service delivers it: the dictionary for
/// `CKNotification(fromRemoteNotificationDictionary:)`.
///
/// Readers ignore keys that they do not know.
public struct PushPayload: Hashable, Sendable, Codable {
    /// What the system does with the push.
    public var aps: SystemPart
    /// CloudKit's part of the push.
    public var ck: CloudKitPart

    /// Creates a payload.
    public init(aps: SystemPart, ck: CloudKitPart) {
        self.aps = aps
        self.ck = ck
    }

    /// The `ck` dictionary. It contains exactly one of `qry`, `fet` and `met`.
    public struct CloudKitPart: Hashable, Sendable, Codable {
        /// Always 2.
        public var ce: Int
        /// The container's identifier.
        public var cid: String?
        /// The record name of the subscription's owner.
        public var ckuserid: String?
        /// Identifies the notification. All pushes of one change have the same.
        public var nid: String
        /// Whether parts were left out to stay within the size limit: 1, or absent.
        public var p: Int?
        /// A query subscription's change.
        public var qry: Change?
        /// A zone subscription's change.
        public var fet: Change?
        /// A database subscription's change.
        public var met: Change?

        /// Creates the dictionary.
        public init(
            ce: Int = 2,
            cid: String?,
            ckuserid: String?,
            nid: String,
            p: Int? = nil,
            qry: Change? = nil,
            fet: Change? = nil,
            met: Change? = nil
        ) {
            self.ce = ce
            self.cid = cid
            self.ckuserid = ckuserid
            self.nid = nid
            self.p = p
            self.qry = qry
            self.fet = fet
            self.met = met
        }
    }

    /// What changed: the `qry`, `fet` or `met` dictionary.
    public struct Change: Hashable, Sendable, Codable {
        /// The database: 1 private, 2 public, 3 shared, unlike `CKDatabase.Scope`.
        public var dbs: Int
        /// The name of the zone.
        public var zid: String?
        /// The record name of the zone's owner.
        public var zoid: String?
        /// The name of the record.
        public var rid: String?
        /// The reason: 1 created, 2 changed, 3 deleted.
        public var fo: Int?
        /// The subscription's ID.
        public var sid: String?
        /// The values of the fields that the subscription asks for.
        public var af: [String: PushValue]?

        /// Creates the dictionary.
        public init(
            dbs: Int,
            zid: String? = nil,
            zoid: String? = nil,
            rid: String? = nil,
            fo: Int? = nil,
            sid: String? = nil,
            af: [String: PushValue]? = nil
        ) {
            self.dbs = dbs
            self.zid = zid
            self.zoid = zoid
            self.rid = rid
            self.fo = fo
            self.sid = sid
            self.af = af
        }
    }
}
