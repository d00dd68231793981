/// One thing that happens on a device.
enum ScheduleStep {
    case edit(ObjectEdit, on: Int)
    case sync(PassTrouble, on: Int)
    /// The device forgets what it knows of the server.
    case forgetServer(on: Int)
    case relaunch(on: Int)
    case migrate([VersionJump], on: Int)

    var device: Int {
        switch self {
        case .edit(_, let device), .sync(_, let device), .forgetServer(let device),
            .relaunch(let device), .migrate(_, let device):
            device
        }
    }

    var isEdit: Bool { if case .edit = self { true } else { false } }

    var swift: String {
        switch self {
        case .edit(let edit, let device): ".edit(\(edit.swift), on: \(device))"
        case .sync(let trouble, let device): ".sync(\(trouble.swift), on: \(device))"
        case .forgetServer(let device): ".forgetServer(on: \(device))"
        case .relaunch(let device): ".relaunch(on: \(device))"
        case .migrate(let jumps, let device):
            ".migrate([\(jumps.map(\.swift).joined(separator: ", "))], on: \(device))"
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
