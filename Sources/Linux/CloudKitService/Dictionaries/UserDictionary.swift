/// The user who makes a request.
public struct UserDictionary: Hashable, Sendable, Codable {
    /// The name of the user's record, which differs from container to container.
    public var userRecordName: String
    /// The given name, if the user can be discovered.
    public var firstName: String?
    /// The family name, if the user can be discovered.
    public var lastName: String?
    /// The address, if the user can be discovered.
    public var emailAddress: String?

    /// Creates a user dictionary.
    public init(
        userRecordName: String,
        firstName: String? = nil,
        lastName: String? = nil,
        emailAddress: String? = nil
    ) {
        self.userRecordName = userRecordName
        self.firstName = firstName
        self.lastName = lastName
        self.emailAddress = emailAddress
    }
}

extension UserDictionary {
    private enum CodingKeys: String, CodingKey {
        case userRecordName, firstName, lastName, emailAddress
    }

    /// Decodes a user, which `users/caller` returns directly or as the only element of an array.
    public init(from decoder: any Decoder) throws {
        if var array = try? decoder.unkeyedContainer() {
            self = try array.decode(UserDictionary.self)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            userRecordName: try container.decode(String.self, forKey: .userRecordName),
            firstName: try container.decodeIfPresent(String.self, forKey: .firstName),
            lastName: try container.decodeIfPresent(String.self, forKey: .lastName),
            emailAddress: try container.decodeIfPresent(String.self, forKey: .emailAddress))
    }
}

/// Extension: the status of an account. The cases have the names of `CKAccountStatus`.
public enum AccountStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is unknown whether there is an account.
    case couldNotDetermine
    /// There is an account, and it can be used.
    case available
    /// Parental controls or device management forbid it.
    case restricted
    /// Nobody is signed in.
    case noAccount
    /// There is an account, and it cannot be used at the moment.
    case temporarilyUnavailable
}
