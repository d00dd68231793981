import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

extension OwnInversePairTests {
    // MARK: - Two devices

    /// Whose change reaches the server first.
    enum First: CaseIterable, Sendable {
        case edit, pair

        func sort(_ devices: [Device]) -> [Device] {
            self == .edit ? devices : devices.reversed()
        }
    }

    @Test(
        "has the same pairs everywhere if one device edits somebody while another pairs others",
        arguments: [Change.removal, .exchange, .rotation, .chain, .handedOver, .taken],
        Policy.ofEachKind)
    func editWhilePairing(change: Change, policy: Policy) async throws {
        for (first, name) in [(First.edit, "p"), (.pair, "p"), (.edit, "x")] {
            let cloud = Self.cloud(pageSize: 3)
            let devices = try await devicesWithPairs(on: cloud, policy)
            try Self.write("edited", to: name, on: devices[0])
            try change.carryOut(on: devices[1])
            for device in first.sort(devices) { try await device.store.sync() }
            // A copy of `keepBoth` has the same name as its original.
            try await expectAgreement(devices, on: cloud, "\(first) \(name)")
        }
    }

    /// Expects the same pairs on all devices, whatever their names.
    func expectAgreement(
        _ devices: [Device], on cloud: LocalCloud, _ comment: String
    ) async throws {
        func lines(_ device: Device) throws -> [String] {
            try device.read { context in
                context.refreshAllObjects()
                return try Device.all("Person", in: context).map { person in
                    let partner = person.value(forKey: "partner") as? NSManagedObject
                    let back = partner?.value(forKey: "partner") as? NSManagedObject
                    return [
                        person.value(forKey: "name") as? String,
                        person.value(forKey: "note") as? String,
                        partner?.value(forKey: "name") as? String,
                        partner == nil || back === person ? "both" : "one end",
                    ].map { $0 ?? "-" }.joined(separator: " ")
                }.sorted()
            }
        }
        for complete in [false, true] {
            try await settle(devices, complete: complete)
            let fresh = try Device("fresh", on: cloud, model: Self.model())
            try await fresh.store.sync()
            let expected = try lines(devices[0])
            for device in devices + [fresh] {
                let shown = try lines(device)
                #expect(shown == expected, "\(device.name) \(comment)")
                #expect(!shown.contains { $0.hasSuffix("one end") }, "\(device.name) \(comment)")
                #expect(
                    try device.store.checkInvariants() == [], "\(device.name) \(comment)")
                #expect(
                    try device.store.syncStatus().pendingChangeCount == 0,
                    "\(device.name) \(comment)")
            }
        }
        try await expectServerAgrees(comment, sourceLocation: #_sourceLocation, on: cloud)
    }

    @Test(
        "competes with no edit of somebody who is in no changed pair",
        arguments: First.allCases, Policy.ofEachKind)
    func editOfBystander(first: First, policy: Policy) async throws {
        let cloud = LocalCloud.inMemory()
        let devices = try await devicesWithPairs(on: cloud, policy)
        try Self.write("edited", to: "t", on: devices[0])
        try Change.exchange.carryOut(on: devices[1])
        for device in first.sort(devices) { try await device.store.sync() }
        try await expectOneTruth(Change.exchange.partners, devices, on: cloud)
        for device in devices { #expect(try Self.note(of: "t", on: device) == "edited") }
    }

    @Test(
        "takes no edit from somebody whom a pair of others leaves single",
        arguments: First.allCases, Policy.ofEachKind)
    func editOfLeftOne(first: First, policy: Policy) async throws {
        let cloud = LocalCloud.inMemory()
        let devices = try await devicesWithPairs(on: cloud, policy)
        try Self.write("edited", to: "p", on: devices[0])
        // The user chooses x for q; that p has nobody then only follows from it.
        try Self.pair("q", "x", on: devices[1])
        for device in first.sort(devices) { try await device.store.sync() }
        try await expectOneTruth(Change.taken.partners, devices, on: cloud)
        for device in devices { #expect(try Self.note(of: "p", on: device) == "edited") }
    }

    @Test(
        "and another property keep both edits if properties are merged",
        arguments: First.allCases,
        [Policy.mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells])
    func editOfPaired(first: First, policy: Policy) async throws {
        for name in ["p", "q", "x"] {
            let cloud = LocalCloud.inMemory()
            let devices = try await devicesWithPairs(on: cloud, policy)
            try Self.write("edited", to: name, on: devices[0])
            try Change.taken.carryOut(on: devices[1])
            for device in first.sort(devices) { try await device.store.sync() }
            try await expectOneTruth(Change.taken.partners, devices, on: cloud, name)
            for device in devices {
                #expect(try Self.note(of: name, on: device) == "edited", "\(name)")
            }
        }
    }

    /// Changes on two devices that contradict each other.
    enum Contest: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case samePartner, sameFromSingles, crossing, removedAndGiven, deletedAndGiven, swapped,
            circle, deletedAndEdited, removedAndEdited

        var testDescription: String { rawValue }

        func carryOut(on a: Device, _ b: Device) throws {
            let pair = OwnInversePairTests.pair
            switch self {
            case .samePartner:
                try pair("p", "r", a)
                try pair("p", "t", b)
            case .sameFromSingles:
                try pair("x", "p", a)
                try pair("y", "p", b)
            case .crossing:
                try Change.exchange.carryOut(on: a)
                try pair("p", "s", b)
                try pair("q", "r", b)
            case .removedAndGiven:
                try pair("p", nil, a)
                try pair("q", "x", b)
            case .deletedAndGiven:
                try a.edit { $0.delete(try Device.object("Person", "p", in: $0)) }
                try pair("p", "x", b)
            case .swapped:
                try pair("x", "y", a)
                try pair("x", "p", b)
            case .circle:
                try pair("q", "r", a)
                try pair("s", "t", b)
            case .deletedAndEdited:
                try a.edit { $0.delete(try Device.object("Person", "p", in: $0)) }
                try OwnInversePairTests.write("edited", to: "p", on: b)
            case .removedAndEdited:
                try pair("p", nil, a)
                try OwnInversePairTests.write("edited", to: "p", on: b)
            }
        }
    }

    @Test(
        "has the same pairs everywhere after two devices have changed it differently",
        arguments: Contest.allCases, Policy.ofEachKind)
    func contest(contest: Contest, policy: Policy) async throws {
        for pageSize in [1, 200] {
            for isReversed in [false, true] {
                let cloud = Self.cloud(pageSize: pageSize)
                let devices = try await devicesWithPairs(on: cloud, policy)
                try contest.carryOut(on: devices[0], devices[1])
                for device in isReversed ? devices.reversed() : devices {
                    try await device.store.sync()
                }
                try await expectAgreement(devices, on: cloud, "pages of \(pageSize) \(isReversed)")
            }
        }
    }

    @Test("has the same pairs everywhere after three devices have chosen the same partner")
    func threeDevices() async throws {
        for order in Self.permutations([0, 1, 2]) {
            let cloud = Self.cloud(pageSize: 2)
            let devices = try await devicesWithPairs(3, on: cloud)
            for (device, name) in zip(devices, ["x", "r", "t"]) {
                try Self.pair(name, "p", on: device)
            }
            for index in order { try await devices[index].store.sync() }
            try await expectOneTruth(nil, devices, on: cloud, "\(order)")
            #expect(try Self.partners(on: devices[0])["p"] != "-", "\(order)")
        }
    }

    // MARK: - Random schedules

    @Test(
        "has the same pairs everywhere after a random schedule",
        arguments: ScheduleSeeds.first(10, orThoseIn: "SEAM_OWN_INVERSE_SEEDS"))
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let pageSize = [1, 2, 3, 5, 200][Int.random(in: 0..<5, using: &random)]
        let policy = Policy.allCases[Int.random(in: 0..<Policy.allCases.count, using: &random)]
        let cloud = Self.cloud(pageSize: pageSize)
        let devices = try await devicesWithPairs(
            Int.random(in: 2...3, using: &random), on: cloud, policy)
        var steps: [String] = ["pages of \(pageSize)", "\(policy)"]
        for _ in 1...25 {
            let device = devices[Int.random(in: 0..<devices.count, using: &random)]
            let kind = Int.random(in: 0..<10, using: &random)
            let people = try device.read { context in
                try Device.all("Person", in: context)
                    .compactMap { $0.value(forKey: "name") as? String }.sorted()
            }
            guard people.count > 2, kind < 7 else {
                steps.append("\(device.name) syncs")
                try await device.store.sync(complete: kind == 9)
                continue
            }
            let names = people.shuffled(using: &random)
            switch kind {
            case 0..<4:
                steps.append("\(device.name) pairs \(names[0]) and \(names[1])")
                // Copies have the name of their original, so these may be the same.
                try device.edit { context in
                    let one = try Device.object("Person", names[0], in: context)
                    let other = try Device.object("Person", names[1], in: context)
                    if one !== other { one.setValue(other, forKey: "partner") }
                }
            case 4:
                steps.append("\(device.name) separates \(names[0])")
                try Self.pair(names[0], nil, on: device)
            case 5:
                steps.append("\(device.name) edits \(names[0])")
                try Self.write("\(steps.count)", to: names[0], on: device)
            default:
                steps.append("\(device.name) deletes \(names[0])")
                try device.edit { $0.delete(try Device.object("Person", names[0], in: $0)) }
            }
        }
        try await expectAgreement(devices, on: cloud, steps.joined(separator: "; "))
    }
}
