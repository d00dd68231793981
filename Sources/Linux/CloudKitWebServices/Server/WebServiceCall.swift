import Foundation

/// An authenticated request on its way through the router.
struct WebServiceCall: Sendable {
    let context: RequestContext
    let caller: WebServiceCaller
    let operation: WebServiceOperation
    let body: Data
    let options: WebServiceRouterOptions

    /// Decodes the body as the request of the operation.
    func read<Body: Decodable>(_ type: Body.Type) throws(CloudKitServiceError) -> Body {
        try BodyOutline.check(body, options)
        do {
            return try JSONDecoder().decode(type, from: body.isEmpty ? Data("{}".utf8) : body)
        } catch {
            throw CloudKitServiceError(
                .badRequest, reason: "BadRequestException: \(explanation(of: error))")
        }
    }

    /// Whether the numbers in the response are encoded as strings.
    var numbersAsStrings: Bool {
        struct Flag: Decodable { var numbersAsStrings: Bool? }
        return (try? JSONDecoder().decode(Flag.self, from: body))?.numbersAsStrings == true
    }
}

/// The operations of CloudKit Web Services.
enum WebServiceOperation: String, CaseIterable, Sendable {
    case queryRecords = "records/query"
    case modifyRecords = "records/modify"
    case lookUpRecords = "records/lookup"
    case recordChanges = "records/changes"
    case resolveRecords = "records/resolve"
    case acceptRecords = "records/accept"
    case zoneChanges = "changes/zone"
    case databaseChanges = "changes/database"
    case changedZones = "zones/changes"
    case listZones = "zones/list"
    case lookUpZones = "zones/lookup"
    case modifyZones = "zones/modify"
    case listSubscriptions = "subscriptions/list"
    case lookUpSubscriptions = "subscriptions/lookup"
    case modifySubscriptions = "subscriptions/modify"
    case caller = "users/caller"
    case currentUser = "users/current"
    case discoverUsers = "users/discover"
    case lookUpUsersByEmail = "users/lookup/email"
    case lookUpUsersByID = "users/lookup/id"
    case lookUpContacts = "users/lookup/contacts"
    case uploadAssets = "assets/upload"
    case rereferenceAssets = "assets/rereference"
    case createToken = "tokens/create"
    case registerToken = "tokens/register"

    /// Whether the operation may be requested with GET, without a body. POST is also allowed.
    var allowsGet: Bool {
        switch self {
        case .listZones, .listSubscriptions, .caller, .currentUser, .discoverUsers: true
        default: false
        }
    }

    /// Whether an app without a user may perform it in the public database.
    var isPublicRead: Bool {
        switch self {
        case .queryRecords, .lookUpRecords, .listZones, .lookUpZones, .resolveRecords: true
        default: false
        }
    }

    /// Whether it requires a user, so that a server-to-server key may not perform it in any
    /// database.
    var isForUsersOnly: Bool { rawValue.hasPrefix("users/") || rawValue.hasPrefix("tokens/") }
}
