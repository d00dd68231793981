import CloudKitService

extension CKContainer {
    /// Determines whether there is an account. A missing account is not an error.
    public func accountStatus(
        completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void
    ) {
        Task {
            do {
                completionHandler(try await accountStatus(), nil)
            } catch {
                completionHandler(.couldNotDetermine, error)
            }
        }
    }

    /// Determines whether there is an account. A missing account is not an error.
    public func accountStatus() async throws -> CKAccountStatus {
        try await CKAccountStatus(
            connection.send { (service, context) async throws(CloudKitServiceError) in
                try await service.accountStatus(in: context)
            })
    }

    /// Fetches the ID of the user's record, which differs from container to container.
    public func fetchUserRecordID(
        completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        Task {
            do {
                completionHandler(try await userRecordID(), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// Fetches the ID of the user's record, which differs from container to container.
    ///
    /// - Throws: `notAuthenticated` if nobody is signed in.
    public func userRecordID() async throws -> CKRecord.ID {
        let user = try await connection.send {
            (service, context) async throws(CloudKitServiceError) in
            try await service.fetchCaller(in: context)
        }
        return CKRecord.ID(received: user.userRecordName)
    }
}
