import CloudKitService

/// The system fields that a query may use.
enum SystemField: String {
    case recordName
    case createdTimestamp
    case createdUserRecordName
    case modifiedTimestamp
    case modifiedUserRecordName
    case parent
    case share

    func value(in record: StoredRecord) -> FieldValue? {
        switch self {
        case .recordName: .reference(ReferenceDictionary(recordName: record.name))
        case .createdTimestamp: .timestamp(record.created.timestamp)
        case .createdUserRecordName: record.created.userRecordName.map(Self.reference)
        case .modifiedTimestamp: .timestamp(record.modified.timestamp)
        case .modifiedUserRecordName: record.modified.userRecordName.map(Self.reference)
        case .parent: record.parent.map(Self.reference)
        case .share: nil
        }
    }

    private static func reference(_ name: String) -> FieldValue {
        .reference(ReferenceDictionary(recordName: name))
    }
}
