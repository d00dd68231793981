import CloudKitService

/// The authorized caller of a request.
struct Caller: Hashable, Sendable {
    let context: RequestContext
    /// The account's name in this cloud; nil for a reader of the public database without an
    /// account.
    let user: String?

    /// The name of the user's record in the container.
    let userRecordName: String?

    init(context: RequestContext, user: String?) {
        self.context = context
        self.user = user
        userRecordName = user.map { Self.userRecordName(of: $0, container: context.container) }
    }

    /// The record name of a user. As in CloudKit, it begins with an underscore, differs between containers and is always
    /// the same in one. Unlike CloudKit's, it contains the user's name, so that a failed test can be read.
    static func userRecordName(of user: String, container: String) -> String {
        let text = container + "\u{0}" + user
        let halves = [0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142] as [UInt64]
        let readable = user.unicodeScalars.filter {
            $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
        .prefix(40).map(String.init).joined()
        return "_\(readable)_"
            + halves.map { basis in
                let hash = text.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
                let digits = String(hash, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
    }
}

extension LocalCloud {
    /// The name of a user's record in a container, as an `SMAccountChange` of the store and `CKContainer.userRecordID()`
    /// have it.
    ///
    ///     #expect(change == .signIn(currentUser: cloud.userRecordName(of: "ann", in: "iCloud.org.example.Clocks")))
    ///
    /// It is an underscore, the letters and digits of the user's name, another underscore and 32 hexadecimal digits. It is
    /// computed from the two texts, whether or not there is such a user and such a container.
    ///
    /// - Parameters:
    ///   - user: The name with which the user is signed in; `default` if nobody else was.
    ///   - container: The container's identifier.
    public func userRecordName(of user: String, in container: String) -> String {
        Caller.userRecordName(of: user, container: container)
    }

    /// Determines the caller, and refuses the request if it is not allowed.
    func authorize(
        _ context: RequestContext, writes: Bool
    ) throws(CloudKitServiceError) -> Caller {
        let account = try accounts.account(container: context.container, device: context.device)
        let isPublicRead = context.database == .public && !writes
        switch account.status {
        case .available:
            let caller = Caller(context: context, user: account.user)
            if let expected = context.user, expected != caller.userRecordName {
                throw CloudKitServiceError(
                    .authenticationFailed, reason: "Another user is signed in")
            }
            return caller
        case _ where isPublicRead:
            return Caller(context: context, user: nil)
        case .temporarilyUnavailable:
            throw CloudKitServiceError(
                .accountTemporarilyUnavailable, reason: "The account is temporarily unavailable")
        case .noAccount, .restricted, .couldNotDetermine:
            throw CloudKitServiceError(
                .authenticationRequired, reason: "This request requires an authenticated account")
        }
    }
}
