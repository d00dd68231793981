import CloudKitService

extension RecordValue {
    /// The value for a request.
    ///
    /// - Parameter uploads: The uploaded assets of the value, in order; each is removed from the
    ///   front.
    func fieldValue(uploads: inout ArraySlice<AssetDictionary>) -> FieldValue {
        switch self {
        case .string(let string): .string(string)
        case .integer(let integer): .int64(integer)
        case .double(let double): .double(double)
        case .data(let data): .bytes(data)
        case .date(let date): .timestamp(date)
        case .location(let location): .location(LocationDictionary(location))
        case .reference(let reference): .reference(ReferenceDictionary(reference))
        case .asset(let asset):
            .asset(uploads.popFirst() ?? asset.uploaded ?? AssetDictionary())
        case .list(let values): .list(values.map { $0.fieldValue(uploads: &uploads) })
        }
    }

    /// The value from a response.
    ///
    /// - Parameters:
    ///   - scope: The database, which determines the owner of a zone without one.
    ///   - zoneID: The zone of the record.
    ///   - files: The downloaded files of the value's assets, in order; each is removed from the
    ///     front.
    init(
        _ fieldValue: FieldValue, scope: CKDatabase.Scope, zoneID: CKRecordZone.ID,
        files: inout ArraySlice<URL>
    ) {
        switch fieldValue {
        case .string(let string): self = .string(string)
        case .int64(let integer): self = .integer(integer)
        case .double(let double): self = .double(double)
        case .bytes(let data): self = .data(data)
        case .timestamp(let milliseconds): self = .date(Date(milliseconds: milliseconds))
        case .location(let location): self = .location(CLLocation(location))
        case .reference(let reference):
            self = .reference(CKReference(reference, scope: scope, zoneID: zoneID))
        case .asset(let asset): self = .asset(CKAsset(fileURL: files.popFirst(), uploaded: asset))
        case .list(let values):
            self = .list(
                values.map {
                    RecordValue($0, scope: scope, zoneID: zoneID, files: &files)
                })
        }
    }

    /// The assets in the value, in their order.
    var assets: [CKAsset] {
        switch self {
        case .asset(let asset): [asset]
        case .list(let values): values.flatMap(\.assets)
        default: []
        }
    }
}

extension Date {
    /// A date from the service's milliseconds since 1970.
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension CKReference {
    convenience init(
        _ reference: ReferenceDictionary, scope: CKDatabase.Scope, zoneID: CKRecordZone.ID
    ) {
        let targetZoneID = reference.zoneID.map { CKRecordZoneID($0, scope: scope) } ?? zoneID
        self.init(
            recordID: CKRecord.ID(received: reference.recordName, zoneID: targetZoneID),
            action: reference.action == .deleteSelf ? .deleteSelf : .none)
    }
}

extension ReferenceDictionary {
    init(_ reference: CKRecord.Reference) {
        self.init(
            recordName: reference.recordID.recordName,
            zoneID: ZoneIDDictionary(reference.recordID.zoneID),
            action: reference.action == .deleteSelf ? .deleteSelf : Action.none)
    }
}

extension CLLocation {
    convenience init(_ location: LocationDictionary) {
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: location.latitude, longitude: location.longitude),
            altitude: location.altitude ?? 0,
            horizontalAccuracy: location.horizontalAccuracy ?? 0,
            verticalAccuracy: location.verticalAccuracy ?? -1, course: location.course ?? -1,
            speed: location.speed ?? -1,
            timestamp: location.timestamp.map(Date.init(milliseconds:))
                ?? Date(timeIntervalSince1970: 0))
    }
}

extension LocationDictionary {
    init(_ location: CLLocation) {
        self.init(
            latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
            horizontalAccuracy: location.horizontalAccuracy,
            verticalAccuracy: location.verticalAccuracy, altitude: location.altitude,
            speed: location.speed, course: location.course,
            timestamp: location.timestamp.milliseconds)
    }
}
