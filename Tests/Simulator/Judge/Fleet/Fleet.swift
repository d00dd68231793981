import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// The mode of a schedule, which determines what goes wrong.
public enum Mode: String, CaseIterable, Sendable {
    /// Nothing goes wrong.
    case clean
    /// Requests fail before or after the server's commit.
    case lossy
    /// Processes end before a commit of their file.
    case kill
    /// Records that the server refuses, assets that do not come.
    case poison
    /// Two versions of the model.
    case versions
    /// The account and the zone.
    case account
    /// Another client writes records that the store would not write.
    case hostile
    /// Values in the file are lost or damaged.
    case damage
    /// Two processes share a file.
    case processes
    /// One device still uses Seam3 1.
    case original
    /// A device's file is copied to another device.
    case copies
    /// A device's file is replaced by a backup of it.
    case backups
    /// The server's feed lags behind its records.
    case lag
    /// The zone is lost, and devices upload what they have.
    case uploaders
    /// The schema in production lacks the field of edit stamps.
    case schemaless

    /// Whether a pass may fail only because of a fault in it.
    var explainsFailures: Bool {
        [.clean, .lossy, .kill, .processes, .copies, .backups, .lag, .schemaless].contains(self)
    }
}

/// The setting of a schedule, with which it can be repeated.
public struct Setting: Sendable {
    /// The mode.
    public var mode: Mode
    /// The conflict policy of all devices.
    public var policy: SMSyncConflictResolutionPolicy
    /// The policies of entities that have their own.
    public var entityPolicies: [Kind: SMSyncConflictResolutionPolicy]
    /// The number of devices.
    public var devices: Int
    /// The number of records in a page of the server's changes.
    public var pageSize: Int
    /// How many changes a device takes in one transaction, and in one merge of a context; nil for the usual numbers.
    public var stepLimit: Int?
    /// The devices' initial version of the model.
    public var version: ModelVersion
    /// The seed of a harsh server; nil for a kind one.
    public var harsh: UInt64?
    /// The behavior of a harsh server.
    public var traits: [LocalCloud.Temper.Trait]
    /// The entities whose record types lack the field of edit stamps in production; if there are none, devices use the
    /// development environment.
    public var stampless: [Kind]
    /// The seed of a bad network, over which devices reach the server by HTTP; nil to stay within the
    /// process. Ignored on a Mac.
    public var network: UInt64?

    /// Creates a setting.
    public init(
        mode: Mode = .clean, policy: SMSyncConflictResolutionPolicy = .serverRecordWins,
        entityPolicies: [Kind: SMSyncConflictResolutionPolicy] = [:],
        devices: Int = 2, pageSize: Int = 200, stepLimit: Int? = nil,
        version: ModelVersion = .second,
        harsh: UInt64? = nil,
        traits: [LocalCloud.Temper.Trait] = LocalCloud.Temper.Trait.allCases,
        stampless: [Kind] = [],
        network: UInt64? = nil
    ) {
        self.mode = mode
        self.policy = policy
        self.entityPolicies = entityPolicies
        self.devices = devices
        self.pageSize = pageSize
        self.stepLimit = stepLimit
        self.version = version
        self.harsh = harsh
        self.traits = traits
        self.stampless = stampless
        self.network = network
    }

    var environment: RequestContext.Environment { stampless.isEmpty ? .development : .production }

    private var entityPoliciesSwift: String {
        if entityPolicies.isEmpty { return "" }
        let entries = entityPolicies.map { ".\($0.key): .\($0.value)" }.sorted()
        return "entityPolicies: [\(entries.joined(separator: ", "))], "
    }

    /// The server's temper for the devices. It does not apply to the judge's own requests.
    var temper: LocalCloud.Temper {
        guard let harsh else { return .kind }
        var temper = LocalCloud.Temper.harsh(seed: harsh)
        temper.chances = temper.chances.filter { traits.contains($0.key) }
        temper.sparedDevices = [ServerReader.device]
        return temper
    }

    var swift: String {
        var text =
            "Setting(mode: .\(mode), policy: .\(policy), \(entityPoliciesSwift)devices: \(devices),"
            + " pageSize: \(pageSize),\(stepLimit.map { " stepLimit: \($0)," } ?? "") version: .\(version)"
        if let harsh {
            text += ", harsh: \(harsh)"
            if traits.count < LocalCloud.Temper.Trait.allCases.count {
                text += ", traits: [\(traits.map { ".\($0)" }.joined(separator: ", "))]"
            }
        }
        if !stampless.isEmpty {
            text += ", stampless: [\(stampless.map { ".\($0)" }.joined(separator: ", "))]"
        }
        if let network { text += ", network: \(network)" }
        return text + ")"
    }
}

/// Several devices of one user, with the history of the users' changes.
///
/// The methods are users' changes and failures. ``judge()`` then judges the result. A method does
/// nothing if the objects that it needs do not exist, so that any part of a schedule is a schedule.
public final class Fleet: @unchecked Sendable {
    // Unchecked because only one thing happens at a time: an event during a pass runs while the
    // pass waits for it.

    /// The setting of the fleet.
    public let setting: Setting
    let directory: URL
    let cloud: LocalCloud
    let wire: Wire
    #if os(Linux)
    private var network: WebNetwork?
    #endif
    var apps: [App] = []
    var history: History
    var server: ServerReader
    /// The version of the model with which the server's records were last read.
    private var serverVersion: ModelVersion?
    /// The values that stay on each device, by identity.
    var local: [[String: [String: Value]]]
    /// The places of the devices during whose passes another device's pass ran.
    var raced: Set<Int> = []
    /// Whether another user has been signed in on a device.
    var hasMetOtherUser = false
    /// Whether another client has written references without a destination.
    var hasForeignReferences = false
    /// The number of link records that another client has written.
    var foreignLinkCount = 0
    /// Whether objects have lost their photos because the file names were damaged.
    var hasLostPhotos = false
    /// Whether a device was told to forget the server while the server refused a record. The device
    /// can no longer know that the record has never arrived.
    var hasForgottenTheRefused = false
    /// The devices with a running pass, and those with an event during their last one.
    var passing: Set<Int> = []
    var interrupted: Set<Int> = []
    /// The number of requests by which passes have sent changes.
    var modificationCount = 0
    /// The error of an event during a pass.
    var failureWithin: (any Error)?
    /// Whether a harsh server is temporarily kind, and how often this has changed.
    var isCalm = false
    var calmCount = 0
    /// The seconds after which a notification of a change may still be posted.
    var announcementLimit = 10.0
    /// Whether the schema is in production.
    var hasSchema = false
    /// Counts the raw records, and the copies of files.
    var rawCount = 0
    var copyCount = 0
    /// The number of properties for which the promises allow a single value.
    public internal(set) var tally = Tally()

    /// The folder of the devices' files. It is in memory if possible, because otherwise each commit
    /// would wait for the disk, and no run has to survive the machine.
    public static let root: URL = {
        let usual = FileManager.default.temporaryDirectory
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        if usual.path.hasPrefix(memory.path + "/") { return usual }
        return FileManager.default.isWritableFile(atPath: memory.path) ? memory : usual
    }()

    /// Creates devices without data.
    public init(_ setting: Setting = Setting()) throws {
        self.setting = setting
        directory = Self.root.appendingPathComponent("Judge-\(UUID().uuidString)")
        var options = LocalCloudOptions()
        options.pageSize = setting.pageSize
        // A slow request lets others go first, but takes no time.
        options.sleep = { _ in await Task.yield() }
        cloud = LocalCloud.inMemory(options: options)
        cloud.temper = setting.temper
        wire = Wire(cloud)
        if setting.mode == .lag { wire.feedLog = FeedLog() }
        server = ServerReader(cloud, environment: setting.environment)
        history = History(placeCount: setting.devices + 1)
        for device in 0..<setting.devices {
            history.unknownNames[device] = setting.version.unknownNames
        }
        local = Array(repeating: [:], count: setting.devices)
        let service = try service()
        apps = try (0..<setting.devices).map {
            try App(
                $0, on: wire, by: service, in: directory, setting)
        }
    }

    /// The service that devices use.
    private func service() throws -> any CloudKitService {
        #if os(Linux)
        if let seed = setting.network {
            let devices = (0..<setting.devices).map(App.name)
            let network = try WebNetwork(wire, devices: devices, seed: seed)
            self.network = network
            return network.service
        }
        #endif
        return wire
    }

    /// Stops or restarts the faults of the network between the devices and the server.
    func calmNetwork(_ isCalm: Bool) {
        #if os(Linux)
        network?.calm(isCalm)
        #endif
    }

    /// Stops all devices and removes their files.
    public func end() {
        for app in apps { try? app.close() }
        try? FileManager.default.removeItem(at: directory)
    }

    var serverPlace: Int { setting.devices }

    func app(_ device: Int) -> App { apps[device % apps.count] }

    // MARK: - Violations

    /// The violations, at most one for each rule.
    public private(set) var violations: [Violation] = []

    /// Records a violation and continues, so that one defect does not hide another.
    func complain(_ rule: String, _ text: String) {
        if violations.contains(where: { $0.rule == rule }) { return }
        violations.append(Violation(rule, text))
    }

    // MARK: - Snapshots

    /// An oracle for a state.
    func oracle(for state: Snapshot) -> Oracle {
        var oracle = Oracle(
            history: history, policy: setting.policy, raced: raced, final: state)
        oracle.entityPolicies = setting.entityPolicies
        oracle.looseNames = lostNames
        return oracle
    }

    /// The synced part of a snapshot.
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

    /// Records a device's state, if it may have changed.
    func look(_ app: App, buries: Bool = true) throws {
        guard app.isStale else { return }
        let snapshot = try app.read()
        history.look(at: app.place, traveling(snapshot, app.version), buries: buries)
        app.seen = snapshot
        judgeContents(app)
    }

    /// Judges that data is as somebody has written it. Another client writes its own scans.
    func judgeContents(_ app: App) {
        let isForeign = app.seen.objects.values.contains { object in
            object.values["photo"] == Value.foreignData
                || object.values["blob"] == Value.foreignData
        }
        if isForeign {
            complain("foreign file", "\(app.name) takes other data for an object's")
        }
    }

    /// A device's current state.
    func shown(by app: App) throws -> Snapshot {
        try look(app)
        return app.seen
    }

    func lookAtServer() async throws {
        guard try await server.read() || serverVersion != version else { return }
        serverVersion = version
        history.inFormerFields = server.formerValues(version)
        history.keptReferences = server.keptReferences
        history.look(at: serverPlace, server.snapshot(version))
    }

    // MARK: - Saves

    /// Makes a user's change, and records its result.
    ///
    /// - Parameters:
    ///   - wanted: The values that the objects must have after a successful save.
    ///   - objects: The store's IDs of objects, which a save may give another identity.
    ///   - named: The properties that the user set in new objects.
    ///   - taken: The attributes that objects may get from other ones that become the same.
    /// - Returns: Whether it was successful, and the process has not ended.
    @discardableResult func save(
        on app: App, in context: NSManagedObjectContext? = nil, what: String,
        wanted: [String: [String: Value]] = [:], of objects: [String: String] = [:],
        named: [String: Set<String>] = [:], taken: [String: [String: Value]] = [:],
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws -> Bool {
        try look(app)
        let before = app.seen
        let isNew = context == nil
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
        // See saveHeld(_:on:).
        if isNew { try judgeContexts(of: app) }
        guard failure == nil, !wasKilled else { return false }
        judgeSaved(wanted, of: objects, in: after, what, taken: taken)
        return true
    }

    /// Judges that the user's values are there after a save. It is about the objects that were changed.
    /// Objects with the same natural key become one, so another one may have the identity afterwards.
    func judgeSaved(
        _ wanted: [String: [String: Value]], of objects: [String: String], in after: Snapshot,
        _ what: String, taken: [String: [String: Value]] = [:]
    ) {
        for (ident, values) in wanted {
            let copies = after.copies(of: ident, objects[ident])
            if copies.isEmpty { continue }
            let taken = objects[ident].flatMap { taken[$0] } ?? [:]
            for (name, value) in values.sorted(by: { $0.key < $1.key })
            where copies[0].ident == ident || copies[0].values[name] != taken[name] {
                check(copies, name, value.canonical, what)
            }
        }
    }

    private func note(
        _ app: App, _ before: Snapshot, _ after: Snapshot, named: [String: Set<String>]
    ) {
        history.save(
            at: app.place, before: traveling(before, app.version),
            after: traveling(after, app.version), named: named)
        app.seen = after
        app.screen?.isBehind = true
        for (id, object) in after.objects {
            let former = before.objects[id]
            for name in ["memo", "title"]
            where (name == "memo" || object.kind == .draft)
                && !app.version.syncs(name, of: object.kind)
            {
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

    /// What an upgrade of the model syncs no longer stays on its device.
    func forgetLocalValues(on app: App) {
        for (ident, values) in local[app.number] {
            guard let kind = Change.root(of: ident) else { continue }
            let rest = values.filter { !app.version.syncs($0.key, of: kind) }
            local[app.number][ident] = rest.isEmpty ? nil : rest
        }
    }

    private func check(
        _ copies: [Snapshot.Object], _ name: String, _ value: Value, _ what: String
    ) {
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
