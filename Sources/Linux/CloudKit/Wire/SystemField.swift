/// A system field with its names in predicates and in requests.
enum SystemField: String, CaseIterable {
    case recordID
    case creationDate
    case creatorUserRecordID
    case modificationDate
    case lastModifiedUserRecordID
    case parent
    case share

    /// The field of a key in a predicate or sort descriptor, if it is a system field.
    init?(key: String) {
        let field =
            Self(rawValue: key) ?? Self.allCases.first { $0.queryName == key }
        guard let field else { return nil }
        self = field
    }

    /// The field with a name in requests.
    init?(wireName: String) {
        guard let field = Self.allCases.first(where: { $0.wireName == wireName }) else {
            return nil
        }
        self = field
    }

    /// The name in requests.
    var wireName: String {
        switch self {
        case .recordID: "recordName"
        case .creationDate: "createdTimestamp"
        case .creatorUserRecordID: "createdUserRecordName"
        case .modificationDate: "modifiedTimestamp"
        case .lastModifiedUserRecordID: "modifiedUserRecordName"
        case .parent: "parent"
        case .share: "share"
        }
    }

    /// The name in the schema language, which predicates may use as well.
    private var queryName: String? {
        switch self {
        case .recordID: "___recordID"
        case .creationDate: "___createTime"
        case .creatorUserRecordID: "___createdBy"
        case .modificationDate: "___modTime"
        case .lastModifiedUserRecordID: "___modifiedBy"
        case .parent, .share: nil
        }
    }
}
