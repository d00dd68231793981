/// One thing that happens on a device.
enum ScheduleStep {
    case edit(ObjectEdit, on: Int)
    /// An edit in a context that stays open, which the user saves later, or never.
    case hold(ObjectEdit, on: Int)
    case saveHeld(on: Int)
    case sync(PassTrouble, on: Int)
    /// The device forgets what it knows of the server.
    case forgetServer(on: Int)
    case relaunch(on: Int)
    case migrate([VersionJump], on: Int)
    case account(AccountTrouble, on: Int)
    case zone(ZoneTrouble)

    var device: Int {
        switch self {
        case .edit(_, let device), .hold(_, let device), .saveHeld(let device),
            .sync(_, let device), .forgetServer(let device), .relaunch(let device),
            .migrate(_, let device), .account(_, let device):
            device
        // The first device can stand for the server.
        case .zone: 0
        }
    }

    var isEdit: Bool {
        switch self {
        case .edit, .hold, .saveHeld: true
        default: false
        }
    }

    var swift: String {
        switch self {
        case .edit(let edit, let device): ".edit(\(edit.swift), on: \(device))"
        case .hold(let edit, let device): ".hold(\(edit.swift), on: \(device))"
        case .saveHeld(let device): ".saveHeld(on: \(device))"
        case .sync(let trouble, let device): ".sync(\(trouble.swift), on: \(device))"
        case .forgetServer(let device): ".forgetServer(on: \(device))"
        case .relaunch(let device): ".relaunch(on: \(device))"
        case .migrate(let jumps, let device):
            ".migrate([\(jumps.map(\.swift).joined(separator: ", "))], on: \(device))"
        case .account(let trouble, let device): ".account(.\(trouble), on: \(device))"
        case .zone(let trouble): ".zone(.\(trouble))"
        }
    }
}

/// What happens during a pass.
///
/// A migration may change how many requests a pass makes. So whatever fails, fails each time.
enum PassTrouble {
    case none
    /// Nothing goes wrong, and the pass reads the zone from its beginning.
    case readsAll
    case losesAnswers
    case cannotPush
    case cannotFetch
    /// The device reads a page of the zone's changes, and no more.
    case fetchesPage(bytes: Int)
    /// The server takes some of the records of each request.
    case pushesPart(count: Int)
    /// Another device syncs before the server commits the first records.
    case race(with: Int)
    /// The user edits before or after the server commits the first records.
    case edit(ObjectEdit, isBefore: Bool)

    var swift: String {
        switch self {
        case .edit(let edit, let isBefore): ".edit(\(edit.swift), isBefore: \(isBefore))"
        default: ".\(self)"
        }
    }
}

/// What happens to a device's account.
enum AccountTrouble { case signOut, isNotReady, signIn }

/// What happens to the zone on the server.
enum ZoneTrouble: CaseIterable {
    case isDeleted, isPurged, losesEncryptedData, expiresTokens, forgetsDeletions
}

/// A migration to a later version.
struct VersionJump {
    enum Way: String { case inPlace, mappingModel }

    /// How many versions later.
    let count: Int
    let way: Way

    init(_ count: Int, _ way: Way) {
        self.count = count
        self.way = way
    }

    var swift: String { "VersionJump(\(count), .\(way))" }
}
