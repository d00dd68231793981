import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// Several devices, the users to whom they belong in turn, the cloud, and the oracle that watches them.
final class World {
    let cloud: LocalCloud
    let devices: [SimulatedDevice]
    /// What is known of each user's data.
    var users: [User]
    /// What the user of each device sees.
    var tables: [Table]
    /// The records of which a change waits on each device.
    var pending: [Set<String>]
    /// Who is signed in on each device.
    var accounts: [Step.Account]
    /// Whose data each device holds; nil after it was removed, until somebody synchronises.
    var owners: [Step.Account?]
    /// The devices whose stores have had a user.
    var hasHadOwner: Set<Int> = []
    /// When each device's store is going to repeat what has failed.
    var nextAttempts: [Date?]
    private let directory: URL
    private var valueCount = 0

    /// One user: what the oracle says, and what the server has.
    struct User {
        let account: Step.Account
        var oracle: Oracle
        let server: ServerView
        /// The name of the user's record, once a device has been seen to have it.
        var recordName: String?
    }

    /// - Parameters:
    ///   - count: How many devices there are.
    ///   - policy: The policy of all devices.
    ///   - limits: What the server takes and gives in one request.
    init(
        devices count: Int, policy: SMSyncConflictResolutionPolicy, limits: LocalCloudOptions
    ) throws {
        let directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("seam3-simulate-\(UUID().uuidString)")
        self.directory = directory
        let cloud = LocalCloud.inMemory(options: limits)
        self.cloud = cloud
        users = [
            User(
                account: .first, oracle: Oracle(deviceCount: count, policy: policy),
                server: try ServerView(of: nil, on: cloud)),
            User(
                account: .second, oracle: Oracle(deviceCount: count, policy: policy),
                server: try ServerView(of: World.secondUser, on: cloud)),
        ]
        tables = Array(repeating: Table(), count: count)
        pending = Array(repeating: [], count: count)
        accounts = Array(repeating: .first, count: count)
        owners = Array(repeating: .first, count: count)
        nextAttempts = Array(repeating: nil, count: count)
        devices = try (0..<count).map {
            try SimulatedDevice(
                $0, on: cloud, in: directory, policy: policy, model: SimulatedModel.make())
        }
    }

    deinit {
        // What is left over does not matter any more.
        for device in devices { try? device.close() }
        try? FileManager.default.removeItem(at: directory)
    }

    static let secondUser = "second"

    /// Where a user is among ``users``.
    func index(of account: Step.Account) -> Int { account == .second ? 1 : 0 }

    func newText(_ field: Field) -> String {
        valueCount += 1
        return field.text(valueCount)
    }

    // MARK: - Steps

    /// Lets a step happen, and checks everything.
    func run(_ step: Step) async throws {
        switch step {
        case .save(let device, let edits, let crashes):
            try save(edits, on: device, crashes: crashes)
            try checkInvariants(device)
        case .sync(let device, let trigger, let fault):
            try await sync(device, trigger, fault)
            try checkInvariants(device)
        case .relaunch(let device, let crashes, let seconds):
            try await relaunch(device, crashes: crashes, seconds)
            try checkInvariants(device)
        case .jump(let device, let seconds):
            try devices[device].jump(seconds)
            try checkNextAttempt(of: device, after: seconds)
        case .expireTokens: try await expireTokens()
        case .loseZone(let end): try await loseZone(end)
        case .decide(let device, let response): try decide(device, response)
        case .account(let device, let account, let removesLocalData):
            try await signIn(account, on: device, removesLocalData: removesLocalData)
        }
    }

    private func relaunch(_ device: Int, crashes: Bool, _ seconds: Int) async throws {
        if crashes {
            try devices[device].captureFiles()
            try devices[device].crash(after: seconds)
        } else {
            try devices[device].relaunch(after: seconds)
        }
        try checkNextAttempt(of: device, after: seconds)
        try look(at: device)
        try await check([:])
    }

    /// Sees that a device still waits as long as the server asked it to, after its clock has jumped.
    private func checkNextAttempt(of device: Int, after seconds: Int) throws {
        let expected = nextAttempts[device]?.addingTimeInterval(TimeInterval(-seconds))
        let attempt = try devices[device].store.syncStatus().nextAttempt
        guard (attempt == nil) == (expected == nil),
            abs(attempt?.timeIntervalSince(expected ?? .distantPast) ?? 0) < 0.01
        else {
            throw SimulationError.violation(
                "after a jump of the clock device \(device) waits until"
                    + " \(attempt.map { "\($0)" } ?? "nothing"), and not"
                    + " \(expected.map { "\($0)" } ?? "nothing")")
        }
        nextAttempts[device] = attempt
    }

    private func expireTokens() async throws {
        let user = users[0]
        try await user.server.update()
        guard user.server.hasZone else { return }
        try await cloud.expireTokens(ofZone: user.server.zoneName, in: user.server.context)
        users[0].oracle.expired = Set(devices.indices)
    }

    private func loseZone(_ end: Step.ZoneEnd) async throws {
        let server = users[0].server
        try await server.update()
        guard server.hasZone else { return }
        switch end {
        case .deleted: try await server.deleteZone()
        case .purged: try await cloud.purgeZone(server.zoneName, in: server.context)
        case .encryptedDataReset:
            try await cloud.resetEncryptedData(ofZone: server.zoneName, in: server.context)
        }
        users[0].oracle.loseZone(end)
        try await check([:])
    }

    private func decide(_ device: Int, _ response: Step.ZoneResponse?) throws {
        devices[device].zoneResponse = response
        try devices[device].tellZoneResponse()
        for index in users.indices { users[index].oracle.responses[device] = response }
    }

    // MARK: - Checks

    /// Looks at what the user of a device sees now.
    func look(at device: Int) throws {
        tables[device] = try devices[device].table()
        pending[device] = try devices[device].pendingNames()
        try checkOrder(tables[device], device)
    }

    /// Sees that all of a device's lists have their items once, by their places.
    private func checkOrder(_ table: Table, _ device: Int) throws {
        for (list, members) in table.members {
            let items = table.rows.filter { $0.value[Values.list] == list }.sorted {
                ($0.value[Values.place] ?? "", $0.key) < ($1.value[Values.place] ?? "", $1.key)
            }
            guard members == items.map(\.key) else {
                throw SimulationError.violation(
                    "device \(device) has the list \(list) in the order \(members),"
                        + " by its items' places it is \(items.map(\.key))")
            }
        }
    }

    /// Lets the oracle of each user advance, and sees whether it agrees with what is there.
    ///
    /// - Parameter transitions: What may have happened to a user's records.
    func check(_ transitions: [Step.Account: Oracle.Transition]) async throws {
        for index in users.indices {
            let account = users[index].account
            guard account == .first || accounts.contains(.second) || owners.contains(.second)
            else { continue }
            try await users[index].server.update()
            let holders = owners.map { $0 == account }
            try users[index].oracle.advance(
                transitions[account] ?? Oracle.nothing, server: users[index].server.values,
                rows: tables.indices.map { holders[$0] ? tables[$0].rows : [:] },
                pending: pending.indices.map { holders[$0] ? pending[$0] : [] })
        }
    }

    private func checkInvariants(_ device: Int) throws {
        let violations = try devices[device].store.checkInvariants()
        guard violations.isEmpty else {
            throw SimulationError.violation("device \(device) violates: \(violations)")
        }
    }

    /// Lets all devices synchronise until nothing is left, and sees that all agree.
    func settle() async throws {
        for device in devices.indices {
            try decide(device, .upload)
            try await signIn(
                owners[device] ?? .first, on: device, removesLocalData: false)
        }
        for _ in 1...2 {
            for device in devices.indices {
                // What the server has refused is sent again.
                let hasRefused = try devices[device].store.statistics().pendingChanges.values
                    .contains { $0.refused > 0 }
                try await sync(device, hasRefused ? .complete : .user, nil)
                try checkInvariants(device)
            }
        }
        for user in users {
            try checkLinks(of: user)
            for device in devices.indices where owners[device] == user.account {
                try checkEnd(device, user)
            }
        }
    }

    /// Sees that in the end the server has no link without both of its ends, unless some device has
    /// forgotten what it could have known of their deletion.
    private func checkLinks(of user: User) throws {
        guard !user.oracle.hasForgotten else { return }
        let records = user.server.values
        let lone = records.first { name, _ in
            Values.endsOfLink(name)?.contains { records[$0] == nil } ?? false
        }
        if let lone {
            throw SimulationError.violation("the server has a link without an end: \(lone.key)")
        }
    }

    private func checkEnd(_ device: Int, _ user: User) throws {
        let names = Set(user.server.values.keys)
        let expected = user.server.values.compactMapValues { $0.visible(among: names) }
        guard tables[device].rows == expected else {
            throw SimulationError.violation(
                "device \(device) and the server differ in the end:\n  device: "
                    + "\(tables[device].rows)\n  server: \(expected)")
        }
        let count = try devices[device].store.syncStatus().pendingChangeCount
        guard count == 0 else {
            throw SimulationError.violation(
                "\(count) changes wait on device \(device) in the end")
        }
    }
}
