import Foundation

/// `users/…`
extension WebServiceRouter {
    func answerUsers(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        switch call.operation {
        case .caller, .currentUser:
            return try response(try await service.fetchCaller(in: call.context))
        case .discoverUsers where !call.body.isEmpty:
            return try await discoverUsers(call)
        case .lookUpUsersByEmail, .lookUpUsersByID:
            return try await lookUpUsers(call)
        default:
            // The user's contacts are on the device, and no longer on Apple's servers.
            throw CloudKitServiceError(
                .internalError, reason: "Users cannot be discovered from contacts")
        }
    }

    private func discoverUsers(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let request = try call.read(DiscoverUsersRequest.self)
        try check(request.lookupInfos.count)
        let caller = try await service.fetchCaller(in: call.context)
        var users: [DiscoverUsersResponse.UserIdentity] = []
        for info in request.lookupInfos {
            guard let user = await user(info, caller: caller, call) else { continue }
            users.append(
                .init(
                    userRecordName: user.userRecordName,
                    nameComponents: .init(givenName: user.firstName, familyName: user.lastName),
                    lookupInfo: info))
        }
        return try response(DiscoverUsersResponse(users: users))
    }

    private func lookUpUsers(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let request = try call.read(LookUpUsersRequest.self)
        try check(request.users.count)
        let caller = try await service.fetchCaller(in: call.context)
        var users: [ItemResult<UserDictionary>] = []
        for info in request.users {
            if let user = await user(info, caller: caller, call) {
                users.append(.success(user))
            } else {
                users.append(
                    .failure(
                        ErrorDictionary(
                            recordName: info.userRecordName, serverErrorCode: .notFound,
                            reason: "The user cannot be discovered")))
            }
        }
        return try response(LookUpUsersResponse(users: users))
    }

    private func user(
        _ info: UserLookupInfo, caller: UserDictionary, _ call: WebServiceCall
    ) async -> UserDictionary? {
        if info.userRecordName == caller.userRecordName { return caller }
        return await options.discover(info, call.context)
    }
}
