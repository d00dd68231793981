import CloudKitService

/// The kinds of request, one for each method of `CloudKitService` that a device's requests go through.
public enum RequestKind: String, Hashable, Sendable, CaseIterable {
    /// `records/modify`
    case modifyRecords
    /// `records/lookup`
    case lookUpRecords
    /// `records/query`
    case queryRecords
    /// `changes/zone`
    case fetchZoneChanges
    /// `changes/database`
    case fetchDatabaseChanges
    /// `zones/list`
    case listZones
    /// `zones/lookup`
    case lookUpZones
    /// `zones/modify`
    case modifyZones
    /// `subscriptions/list`
    case listSubscriptions
    /// `subscriptions/lookup`
    case lookUpSubscriptions
    /// `subscriptions/modify`
    case modifySubscriptions
    /// `users/caller`
    case fetchCaller
    /// `assets/upload`
    case requestAssetUploads
    /// The upload itself.
    case uploadAsset
    /// The download of an asset.
    case downloadAsset
    /// The status of the account.
    case accountStatus

    /// Whether the answer can be interrupted after some of its items.
    var hasParts: Bool {
        switch self {
        case .modifyRecords, .lookUpRecords, .fetchZoneChanges: true
        default: false
        }
    }
}

/// The properties of a request that faults depend on.
public struct RequestSummary: Hashable, Sendable {
    /// The kind of request.
    public let kind: RequestKind
    /// The destination and the caller of the request.
    public let context: RequestContext
    /// The names of the zones in the request.
    public let zones: Set<String>
    /// The names of the records, zones or subscriptions in the request.
    public let items: Set<String>
    /// The same names in the order of the request.
    let orderedItems: [String]
    /// The names of the zones whose changes are requested since a token.
    let zonesWithToken: [String]
    /// The number of items that count for the limit of a request.
    var itemCount: Int { kind == .fetchZoneChanges ? 0 : orderedItems.count }

    /// Whether a part of the request can be carried out or reported.
    var canBeInterrupted: Bool {
        kind == .fetchZoneChanges || kind.hasParts && orderedItems.count > 1
    }

    init(
        _ kind: RequestKind, _ context: RequestContext, zones: [ZoneIDDictionary?] = [],
        items: [String] = [], zonesWithToken: [String] = []
    ) {
        self.kind = kind
        self.context = context
        self.zones = Set(zones.map { ($0 ?? ZoneIDDictionary()).zoneName })
        self.items = Set(items)
        orderedItems = items
        self.zonesWithToken = zonesWithToken
    }
}
