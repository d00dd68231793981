/// The key for looking up a user. One of the three properties is set.
public struct UserLookupInfo: Hashable, Sendable, Codable {
    /// The email address of an iCloud account.
    public var emailAddress: String?
    /// The phone number of an iCloud account.
    public var phoneNumber: String?
    /// The name of the user's record.
    public var userRecordName: String?

    /// Creates a lookup.
    public init(
        emailAddress: String? = nil, phoneNumber: String? = nil, userRecordName: String? = nil
    ) {
        self.emailAddress = emailAddress
        self.phoneNumber = phoneNumber
        self.userRecordName = userRecordName
    }
}

/// The body of `users/discover`.
struct DiscoverUsersRequest: Codable {
    var lookupInfos: [UserLookupInfo]
}

/// The response to `users/discover`: the discoverable users.
struct DiscoverUsersResponse: Codable {
    var users: [UserIdentity]

    struct UserIdentity: Codable {
        var userRecordName: String
        var nameComponents: NameComponents?
        var lookupInfo: UserLookupInfo
    }

    struct NameComponents: Codable {
        var givenName: String?
        var familyName: String?
    }
}

/// The body of `users/lookup/email` and `users/lookup/id`.
struct LookUpUsersRequest: Codable {
    var users: [UserLookupInfo]
}

/// The response to `users/lookup/email` and `users/lookup/id`.
struct LookUpUsersResponse: Codable {
    var users: [ItemResult<UserDictionary>]
}

/// The body of `records/resolve` and `records/accept`.
struct ShortGUIDsRequest: Codable {
    var shortGUIDs: [ShortGUID]

    struct ShortGUID: Codable {
        var value: String
        var shouldFetchRootRecord: Bool?
        var rootRecordDesiredKeys: [String]?
    }
}
