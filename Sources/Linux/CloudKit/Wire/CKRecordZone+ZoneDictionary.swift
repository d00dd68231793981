import CloudKitService

extension CKRecordZoneID {
    /// The ID of a zone of the given database.
    ///
    /// In Apple's client, every zone outside the shared database belongs to the current user,
    /// whatever name the server returns.
    convenience init(_ zoneID: ZoneIDDictionary, scope: CKDatabase.Scope) {
        let owner = scope == .shared ? zoneID.ownerRecordName : nil
        self.init(received: zoneID.zoneName, ownerName: owner ?? CKCurrentUserDefaultName)
    }
}

extension ZoneIDDictionary {
    init(_ zoneID: CKRecordZone.ID) {
        self.init(
            zoneName: zoneID.zoneName,
            ownerRecordName: zoneID.ownerName == CKCurrentUserDefaultName
                ? nil : zoneID.ownerName)
    }
}

extension CKRecordZone {
    convenience init(_ zone: ZoneDictionary, scope: CKDatabase.Scope) {
        let capabilities: Capabilities =
            if let bits = zone.capabilities.flatMap(UInt.init(exactly:)) {
                Capabilities(rawValue: bits)
            } else if zone.atomic == true {
                [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
            } else {
                []
            }
        self.init(
            zoneID: CKRecordZone.ID(zone.zoneID, scope: scope), capabilities: capabilities)
    }
}
