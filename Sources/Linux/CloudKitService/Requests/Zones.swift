/// The body of `zones/lookup`.
public struct LookUpZonesRequest: Hashable, Sendable, Codable {
    /// The zones.
    public var zones: [ZoneIDDictionary]

    /// Creates a request.
    public init(zones: [ZoneIDDictionary]) { self.zones = zones }
}

/// The body of `zones/modify`.
public struct ModifyZonesRequest: Hashable, Sendable, Codable {
    /// What to do.
    public var operations: [ZoneOperation]

    /// Creates a request.
    public init(operations: [ZoneOperation]) { self.operations = operations }
}

/// The creation or deletion of a zone.
public struct ZoneOperation: Hashable, Sendable, Codable {
    /// What to do with the zone.
    public var operationType: OperationType
    /// The zone. Only its ID matters.
    public var zone: ZoneDictionary

    /// Creates an operation.
    public init(_ operationType: OperationType, _ zoneID: ZoneIDDictionary) {
        self.operationType = operationType
        self.zone = ZoneDictionary(zoneID: zoneID)
    }

    /// What to do with a zone.
    public enum OperationType: String, Hashable, Sendable, Codable {
        /// Creates the zone. An existing zone is not changed.
        case create
        /// Deletes the zone and its records.
        case delete
    }
}

/// The answer to `zones/list`, `zones/lookup` and `zones/modify`.
public struct ZonesResponse: Hashable, Sendable, Codable {
    /// The zones, in the order of the request if it names them. Deleted ones are marked as such.
    public var zones: [ItemResult<ZoneDictionary>]

    /// Creates a response.
    public init(zones: [ItemResult<ZoneDictionary>]) { self.zones = zones }
}
