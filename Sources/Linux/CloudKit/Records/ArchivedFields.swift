import CloudKitService

/// A record's fields in the form in which they are archived.
struct ArchivedFields: Codable {
    let plain: Part
    let encrypted: Part

    init(plain: RecordFields, encrypted: RecordFields) {
        self.plain = Part(plain)
        self.encrypted = Part(encrypted)
    }

    /// The plain or the encrypted fields.
    struct Part: Codable {
        let values: [String: ArchivedValue]
        let changedKeys: [String]
        let serverValues: [String: ArchivedValue]

        init(_ fields: RecordFields) {
            values = fields.values.mapValues(ArchivedValue.init)
            changedKeys = Array(fields.changedKeys)
            serverValues = fields.serverValues.mapValues(ArchivedValue.init)
        }

        var fields: RecordFields {
            RecordFields(
                values: values.mapValues(\.value), changedKeys: changedKeys,
                serverValues: serverValues.mapValues(\.value))
        }
    }
}

/// The archived form of a value: scalars only, without classes.
indirect enum ArchivedValue: Codable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case data(Data)
    case date(Date)
    case location(Location)
    case reference(Reference)
    case asset(path: String?, uploaded: AssetDictionary?)
    case list([ArchivedValue])

    struct Location: Codable {
        let latitude, longitude, altitude: Double
        let horizontalAccuracy, verticalAccuracy: Double
        let course, courseAccuracy, speed, speedAccuracy: Double
        let timestamp: Date
    }

    struct Reference: Codable {
        let recordName, zoneName, ownerName: String
        let deletesSelf: Bool
    }

    init(_ value: RecordValue) {
        switch value {
        case .string(let string): self = .string(string)
        case .integer(let integer): self = .integer(integer)
        case .double(let double): self = .double(double)
        case .data(let data): self = .data(data)
        case .date(let date): self = .date(date)
        case .location(let location): self = .location(Location(location))
        case .reference(let reference): self = .reference(Reference(reference))
        case .asset(let asset):
            self = .asset(path: asset.fileURL?.path, uploaded: asset.uploaded)
        case .list(let values): self = .list(values.map(ArchivedValue.init))
        }
    }

    var value: RecordValue {
        switch self {
        case .string(let string): .string(string)
        case .integer(let integer): .integer(integer)
        case .double(let double): .double(double)
        case .data(let data): .data(data)
        case .date(let date): .date(date)
        case .location(let location): .location(location.location)
        case .reference(let reference): .reference(reference.reference)
        case .asset(let path, let uploaded):
            .asset(
                CKAsset(fileURL: path.map { URL(fileURLWithPath: $0) }, uploaded: uploaded))
        case .list(let values): .list(values.map(\.value))
        }
    }
}

extension ArchivedValue.Location {
    init(_ location: CLLocation) {
        latitude = location.coordinate.latitude
        longitude = location.coordinate.longitude
        altitude = location.altitude
        horizontalAccuracy = location.horizontalAccuracy
        verticalAccuracy = location.verticalAccuracy
        course = location.course
        courseAccuracy = location.courseAccuracy
        speed = location.speed
        speedAccuracy = location.speedAccuracy
        timestamp = location.timestamp
    }

    var location: CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy,
            speed: speed, speedAccuracy: speedAccuracy, timestamp: timestamp)
    }
}

extension ArchivedValue.Reference {
    init(_ reference: CKRecord.Reference) {
        recordName = reference.recordID.recordName
        zoneName = reference.recordID.zoneID.zoneName
        ownerName = reference.recordID.zoneID.ownerName
        deletesSelf = reference.action == .deleteSelf
    }

    var reference: CKRecord.Reference {
        let zoneID = CKRecordZone.ID(received: zoneName, ownerName: ownerName)
        return CKRecord.Reference(
            recordID: CKRecord.ID(received: recordName, zoneID: zoneID),
            action: deletesSelf ? .deleteSelf : .none)
    }
}
