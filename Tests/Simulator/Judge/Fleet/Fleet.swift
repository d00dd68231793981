import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// What goes wrong in a schedule.
public enum Mode: String, CaseIterable, Sendable {
    /// Nothing but users.
    case clean
    /// Answers are lost, and requests fail, before and after the commit.
    case lossy
    /// Processes end before a commit of their file.
    case kill
    /// Records that the server refuses, assets that do not come.
    case poison
    /// Two versions of the model.
    case versions
    /// The account and the zone.
    case account
    /// Another client writes what we would not.
    case hostile
    /// The file has lost or damaged values.
    case damage
    /// Two processes have one file.
    case processes
    /// A device still runs Seam3 1.
    case original

    /// Whether a pass may fail only because of a fault in it.
    var explainsFailures: Bool { [.clean, .lossy, .kill, .processes].contains(self) }
}

/// What a schedule needs to be run again.
public struct Setting: Sendable {
    /// What goes wrong.
    public var mode: Mode
    /// The conflict policy of all devices.
    public var policy: SMSyncConflictResolutionPolicy
    /// How many devices there are.
    public var devices: Int
    /// How many records a page of the server's changes has.
    public var pageSize: Int
    /// The version of the model that devices begin with.
    public var version: ModelVersion
    /// What a harsh server's draws begin with; nil for a kind one.
    public var harsh: UInt64?
    /// What a harsh server does.
    public var traits: [LocalCloud.Temper.Trait]

    /// Makes a setting.
    public init(
        mode: Mode = .clean, policy: SMSyncConflictResolutionPolicy = .serverRecordWins,
        devices: Int = 2, pageSize: Int = 200, version: ModelVersion = .second,
        harsh: UInt64? = nil,
        traits: [LocalCloud.Temper.Trait] = LocalCloud.Temper.Trait.allCases
    ) {
        self.mode = mode
        self.policy = policy
        self.devices = devices
        self.pageSize = pageSize
        self.version = version
        self.harsh = harsh
        self.traits = traits
    }

    /// How the server treats the devices, and not those who look at it for the judge.
    var temper: LocalCloud.Temper {
        guard let harsh else { return .kind }
        var temper = LocalCloud.Temper.harsh(seed: harsh)
        temper.chances = temper.chances.filter { traits.contains($0.key) }
        temper.sparedDevices = [ServerReader.device]
        return temper
    }

    var swift: String {
        var text =
            "Setting(mode: .\(mode), policy: .\(policy), devices: \(devices),"
            + " pageSize: \(pageSize), version: .\(version)"
        if let harsh {
            text += ", harsh: \(harsh)"
            if traits.count < LocalCloud.Temper.Trait.allCases.count {
                text += ", traits: [\(traits.map { ".\($0)" }.joined(separator: ", "))]"
            }
        }
        return text + ")"
    }
}

/// Several devices of one user, and what is known of what their users did.
///
/// The methods are what users do and what goes wrong; ``judge()`` then says whether what became of
/// it is allowed. What is not there when a method is called is left out, so that any part of a
/// schedule is a schedule.
public final class Fleet: @unchecked Sendable {
    // Unchecked because one thing happens at a time: what happens in the midst of a pass runs while
    // the pass waits for it.

    /// What the fleet was made with.
    public let setting: Setting
    let directory: URL
    let cloud: LocalCloud
    let wire: Wire
    var apps: [App] = []
    var history: History
    var server: ServerReader
    /// The version of the model by which the server's records were last read.
    private var serverVersion: ModelVersion?
    /// The values that stay on each device, by identity.
    var local: [[String: [String: Value]]]
    /// The devices in whose passes another one's ran.
    var raced: Set<Int> = []
    /// Whether another user has been signed in on a device.
    var hasMetOtherUser = false
    /// Whether another client has written references that lead to nothing.
    var hasForeignReferences = false
    /// Whether objects have lost their photos with the names of the files.
    var hasLostPhotos = false
    /// Whether a device was told to forget the server while that refused a record: it cannot know any
    /// more that the record has never arrived.
    var hasForgottenTheRefused = false
    /// The devices of which a pass is under way, and those in the midst of whose last one something
    /// has happened.
    var passing: Set<Int> = []
    var interrupted: Set<Int> = []
    /// What failed in the midst of a pass.
    var failureWithin: (any Error)?
    /// Whether a harsh server is kind for a while, and how often it has changed that.
    var isCalm = false
    var calmCount = 0
    /// Counts the raw records.
    var rawCount = 0
    /// How many properties the promises decided.
    public internal(set) var tally = Tally()

    /// Where the devices' files are: in memory if there is such a folder, because no run needs to
    /// outlive the machine, and each commit would wait for the disk.
    public static let root: URL = {
        let usual = FileManager.default.temporaryDirectory
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        if usual.path.hasPrefix(memory.path + "/") { return usual }
        return FileManager.default.isWritableFile(atPath: memory.path) ? memory : usual
    }()

    /// Makes devices with nothing on them.
    public init(_ setting: Setting = Setting()) throws {
        self.setting = setting
        directory = Self.root.appendingPathComponent("Judge-\(UUID().uuidString)")
        var options = LocalCloudOptions()
        options.pageSize = setting.pageSize
        // What is slow lets others go first, and takes no time.
        options.sleep = { _ in await Task.yield() }
        cloud = LocalCloud.inMemory(options: options)
        cloud.temper = setting.temper
        wire = Wire(cloud)
        server = ServerReader(cloud)
        history = History(placeCount: setting.devices + 1)
        local = Array(repeating: [:], count: setting.devices)
        apps = try (0..<setting.devices).map {
            try App(
                $0, on: wire, in: directory, policy: setting.policy, version: setting.version)
        }
    }

    /// Ends all devices and removes their files.
    public func end() {
        for app in apps { try? app.close() }
        try? FileManager.default.removeItem(at: directory)
    }

    var serverPlace: Int { setting.devices }

    func app(_ device: Int) -> App { apps[device % apps.count] }

    // MARK: - Complaints

    /// What must never happen, and did: one for each rule.
    public private(set) var violations: [Violation] = []

    /// Notes a violation, and goes on: one defect shall not hide another.
    func complain(_ rule: String, _ text: String) {
        if violations.contains(where: { $0.rule == rule }) { return }
        violations.append(Violation(rule, text))
    }

    // MARK: - Looking

    /// What of a snapshot travels.
    func traveling(_ snapshot: Snapshot, _ version: ModelVersion) -> Snapshot {
        var result = snapshot
        for (id, object) in snapshot.objects {
            if !version.syncs("", of: object.kind), object.kind == .draft {
                result.objects[id] = nil
            } else if !version.syncs("memo", of: object.kind) {
                result.objects[id]?.values["memo"] = nil
            }
        }
        return result
    }

    /// Notes what a device shows, if that may have changed.
    func look(_ app: App) throws {
        guard app.isStale else { return }
        let snapshot = try app.read()
        history.look(at: app.number, traveling(snapshot, app.version))
        app.seen = snapshot
        if snapshot.objects.values.contains(where: { $0.values["photo"] == Value.foreignData }) {
            complain("foreign file", "\(app.name) takes another file for an object's")
        }
    }

    /// What a device shows now.
    func shown(by app: App) throws -> Snapshot {
        try look(app)
        return app.seen
    }

    func lookAtServer() async throws {
        guard try await server.read() || serverVersion != version else { return }
        serverVersion = version
        history.look(at: serverPlace, server.snapshot(version))
    }

    /// The newest version of the model on any device.
    var version: ModelVersion {
        apps.map(\.version).max { $0.rawValue < $1.rawValue } ?? setting.version
    }

    // MARK: - Saves

    /// Lets a user change something, and notes what became of it.
    ///
    /// - Parameters:
    ///   - wanted: What the objects must have after a save that succeeds.
    ///   - named: The properties that the user named of new objects.
    func save(
        on app: App, in context: NSManagedObjectContext? = nil, what: String,
        wanted: [String: [String: Value]] = [:], named: [String: Set<String>] = [:],
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        try look(app)
        let before = app.seen
        let context = try context ?? app.makeContext()
        var failure: (any Error)?
        do {
            try App.perform(context) { context in
                try body(context)
                if context.hasChanges { try context.save() }
            }
        } catch {
            failure = error
            App.rollback(context)
        }
        let wasKilled = app.isKilled
        if wasKilled { try app.startAfterKill() }
        let after = try app.read()
        if let failure, !wasKilled, before != after {
            complain("half a save", "\(what) failed with \(failure), and changed something")
        }
        if let failure, (failure as NSError).domain != NSCocoaErrorDomain {
            complain("save failed", "\(what): \(failure)")
        }
        note(app, before, after, named: named)
        guard failure == nil, !wasKilled else { return }
        for (ident, values) in wanted {
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                try check(after, ident, name, value.canonical, what)
            }
        }
    }

    private func note(
        _ app: App, _ before: Snapshot, _ after: Snapshot, named: [String: Set<String>]
    ) {
        history.save(
            at: app.number, before: traveling(before, app.version),
            after: traveling(after, app.version), named: named)
        app.seen = after
        app.screen?.isBehind = true
        for (id, object) in after.objects {
            let former = before.objects[id]
            for name in ["memo", "title"] where name == "memo" || object.kind == .draft {
                guard let value = object.values[name], former?.values[name] != value else {
                    continue
                }
                local[app.number][object.ident, default: [:]][name] = value
            }
        }
        for (id, object) in before.objects where after.objects[id] == nil {
            local[app.number][object.ident] = nil
        }
    }

    /// Whether a save has left what the user wanted.
    private func check(
        _ snapshot: Snapshot, _ ident: String, _ name: String, _ value: Value, _ what: String
    ) throws {
        guard let copies = snapshot.byIdent[ident] else { return }
        switch value {
        case .object, .objects, .ordered: return
        default: break
        }
        if copies.contains(where: { $0.values[name] == nil || $0.values[name] == value }) { return }
        complain(
            "save lost",
            "\(what) saved \(name) as \(value), and it is \(copies[0].values[name] ?? Value.none)")
    }
}

extension App {
    static func rollback(_ context: NSManagedObjectContext) {
        context.performAndWait { context.rollback() }
    }
}
