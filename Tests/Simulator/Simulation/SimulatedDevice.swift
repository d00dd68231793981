import CloudKit
import CoreData
import LocalCloud
import Seam3
import SeamSQLite

/// An application with its Core Data stack on a device: its process, which starts, ends and crashes.
final class SimulatedDevice {
    let number: Int
    let cloudContainer: CKContainer
    /// What the application does about a lost zone.
    var zoneResponse: Step.ZoneResponse?
    /// Whether the application has local data removed after a change of the account.
    var removesLocalData: Bool {
        get { accountDecision.removesLocalData }
        set { accountDecision.removesLocalData = newValue }
    }

    private let directory: URL
    /// Counts the crashes: each lifetime has a folder of its own, because what is left of a crashed
    /// process here may still close its files.
    private var lifetime = 0
    private let policy: SMSyncConflictResolutionPolicy
    private let model: NSManagedObjectModel
    private var container: NSPersistentContainer?
    private var commitWatch: Int?
    /// Called before each commit of the store's file.
    private let commits = CommitCounter()
    private let accountDecision = AccountDecision()

    private(set) var context: NSManagedObjectContext?
    /// A look into the file beside Core Data.
    var file: SQLiteConnection?
    /// The objects that were there when the application last looked, by record name.
    var objectIDs: [String: NSManagedObjectID] = [:]

    static let containerIdentifier = "iCloud.seam3.simulation"
    private static let files = ["Items.sqlite", "Items.sqlite-wal", ".Items_SUPPORT"]

    init(
        _ number: Int, on cloud: LocalCloud, in directory: URL,
        policy: SMSyncConflictResolutionPolicy, model: NSManagedObjectModel
    ) throws {
        self.number = number
        self.policy = policy
        self.model = model
        self.directory = directory.appendingPathComponent("device\(number)")
        cloudContainer = CKContainer(
            identifier: Self.containerIdentifier, service: cloud, device: "device\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try open()
    }

    deinit {
        if let commitWatch { CommitWatch.end(commitWatch) }
    }

    private var folder: URL { directory.appendingPathComponent("\(lifetime)") }
    private var nextFolder: URL { directory.appendingPathComponent("\(lifetime + 1)") }
    var storeURL: URL { folder.appendingPathComponent(Self.files[0]) }

    var store: SMStore {
        get throws {
            guard let store = container.flatMap(Self.store) else {
                throw SimulationError.broken("the store of device \(number) is not open")
            }
            return store
        }
    }

    // MARK: - The process

    private func open() throws {
        SMStore.registerStoreClass()
        commitWatch = CommitWatch.begin(path: storeURL.path) { [commits] in commits.note() }
        let container = try openAgain()
        self.container = container
        let context = container.newBackgroundContext()
        context.automaticallyMergesChangesFromParent = true
        self.context = context
    }

    /// Opens the file, which may be open already, as another process does.
    func openAgain() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Items", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: storeURL)
        description.type = SMStore.type
        description.setOption(cloudContainer, forKey: SMStore.SMStoreContainerOption)
        description.setOption(
            NSNumber(value: policy.rawValue),
            forKey: SMStore.SMStoreSyncConflictResolutionPolicyOption)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        if let store = Self.store(of: container) { configure(store) }
        return container
    }

    static func store(of container: NSPersistentContainer) -> SMStore? {
        container.persistentStoreCoordinator.persistentStores.first as? SMStore
    }

    static func close(_ container: NSPersistentContainer) {
        let coordinator = container.persistentStoreCoordinator
        // What is left over does not matter any more.
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// What the application tells its store at each start.
    private func configure(_ store: SMStore) {
        store.syncAutomatically = false
        store.recordConflictResolutionBlock = { server, client, _ in
            for field in RecordState.texts {
                let ours: String? = client[field.rawValue]
                let theirs: String? = server[field.rawValue]
                server[field.rawValue] = [ours, theirs].compactMap { $0 }.max()
            }
            return server
        }
        store.accountChangeHandler = { [accountDecision] change in
            if case .signIn = change { return .keepLocalData }
            return accountDecision.removesLocalData ? .removeLocalData : .keepLocalData
        }
        tellZoneResponse(to: store)
    }

    /// Tells the store what is to be done about a lost zone.
    func tellZoneResponse() throws { tellZoneResponse(to: try store) }

    private func tellZoneResponse(to store: SMStore) {
        let response: SMZoneLossResponse
        switch zoneResponse {
        case nil:
            store.zoneLossHandler = nil
            return
        case .stop: response = .stop
        case .upload: response = .upload
        case .removeLocalData: response = .removeLocalData
        }
        store.zoneLossHandler = { _ in response }
    }

    /// Ends the application.
    func close() throws {
        if let commitWatch { CommitWatch.end(commitWatch) }
        commitWatch = nil
        file = nil
        context = nil
        objectIDs = [:]
        guard let coordinator = container?.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        container = nil
    }

    /// Ends the application in good order, and starts it again.
    ///
    /// - Parameter seconds: How far the clock jumps meanwhile.
    func relaunch(after seconds: Int = 0) throws {
        try close()
        try jump(seconds)
        try open()
    }

    /// Keeps the files as they are at this moment, for ``crash(after:)``.
    func captureFiles() throws {
        try FileManager.default.createDirectory(
            at: nextFolder, withIntermediateDirectories: true)
        for name in Self.files {
            let file = folder.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.copyItem(at: file, to: nextFolder.appendingPathComponent(name))
        }
    }

    /// Starts the application as if its process had ended when the files were captured.
    ///
    /// - Parameter seconds: How far the clock jumps meanwhile.
    func crash(after seconds: Int = 0) throws {
        try close()
        lifetime += 1
        try jump(seconds)
        try open()
    }

    /// Calls a closure before the file's next commits.
    ///
    /// - Parameters:
    ///   - count: Before which of them, from 1; nil for none any more.
    ///   - body: Called on the thread that commits.
    func beforeCommit(_ count: Int?, _ body: @escaping @Sendable () -> Void = {}) {
        commits.start(count, body)
    }

    /// Sets the clock forward or back. A clock that goes on by some seconds is a file whose times all
    /// lie that much further back.
    func jump(_ seconds: Int) throws {
        guard seconds != 0 else { return }
        let connection = try SQLiteConnection(path: storeURL.path)
        try connection.execute(
            """
            UPDATE sm_sync SET retry_after = retry_after - ?1, last_success = last_success - ?1,
            lease_expiry = lease_expiry - ?1
            """, [.integer(Int64(seconds))])
    }
}

/// What an application does about a change of the account. (Apart from the device, which the store
/// would keep alive, and be kept alive by.)
private final class AccountDecision: @unchecked Sendable {
    // Unchecked because it changes only while nothing synchronises.

    var removesLocalData = false
}

/// Counts the commits of a file.
private final class CommitCounter: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var remaining = 0
    private var body: @Sendable () -> Void = {}

    func start(_ count: Int?, _ body: @escaping @Sendable () -> Void) {
        lock.withLock {
            remaining = count ?? 0
            self.body = body
        }
    }

    func note() {
        let due = lock.withLock { () -> (@Sendable () -> Void)? in
            guard remaining > 0 else { return nil }
            remaining -= 1
            return remaining == 0 ? body : nil
        }
        due?()
    }
}

/// Why a simulation ended before its time.
enum SimulationError: Error, CustomStringConvertible {
    /// The simulation itself does not work.
    case broken(String)
    /// What is seen cannot come about by the rules.
    case violation(String)

    var description: String {
        switch self {
        case .broken(let text): return "The simulation is broken: \(text)"
        case .violation(let text): return text
        }
    }
}
