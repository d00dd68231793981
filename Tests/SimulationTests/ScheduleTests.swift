import LocalCloud
import Seam3
import Testing

@testable import Judge

/// Generating schedules from a seed, shortening and printing them.
@Suite("A schedule")
struct ScheduleTests {
    private static let seeds: [UInt64] = Array(0..<200)

    @Test("is the same for the same seed")
    func repeats() {
        for seed in Self.seeds {
            for isSmall in [false, true] {
                let schedules = (0..<2).map { _ in
                    Schedule(seed: seed, isSmall: isSmall).swift(seed: seed)
                }
                #expect(schedules[0] == schedules[1])
            }
        }
    }

    @Test("has pages of one record a third of the time")
    func pages() {
        let small = (UInt64(0)..<300).filter { Schedule(seed: $0).setting.pageSize == 1 }
        #expect((70...130).contains(small.count))
    }

    @Test("that is small has few steps, and loses responses in every mode but one")
    func small() {
        var modes: Set<Mode> = []
        for seed in UInt64(0)..<600 {
            let schedule = Schedule(seed: seed, isSmall: true)
            #expect(schedule.steps.count <= 50)
            let loses = schedule.steps.contains {
                if case .fail(.modifyRecords, _, _, _, true, _, _) = $0 { true } else { false }
            }
            if loses { modes.insert(schedule.setting.mode) }
        }
        #expect(modes == Set(Mode.allCases).subtracting([.clean]))
    }

    @Test(
        "has a device that changes without having synced what it has deleted, or what got no response",
        arguments: [Mode.account, .versions], [false, true])
    func interludes(mode: Mode, isSmall: Bool) {
        var (waiting, unanswered) = (0, 0)
        for seed in Self.seeds {
            let steps = Schedule(seed: seed, mode: mode, isSmall: isSmall).steps
            for (index, step) in steps.enumerated() {
                let device: Int
                switch step {
                case .resetCloudFields(let number) where mode == .account: device = number
                case .upgrade(let number, _) where mode == .versions: device = number
                default: continue
                }
                // What the device has done before, without another sync in between.
                let before = steps[..<index].reversed()
                for step in before {
                    if case .delete(_, device) = step { waiting += 1 }
                    if case .sync(device) = step { break }
                }
                let pass = before.firstIndex { if case .sync(device) = $0 { true } else { false } }
                guard let pass, let previous = before[before.index(after: pass)...].first,
                    case .fail(.modifyRecords, device, _, _, true, _, _) = previous
                else { continue }
                unanswered += 1
            }
        }
        #expect(waiting > 10 && unanswered > 10)
    }

    @Test(
        "has each mode equally often, and meets a harsh server four times out of five",
        arguments: Mode.allCases)
    func draws(mode: Mode) {
        let seeds = UInt64(0)..<300
        let drawn = seeds.map { Schedule(seed: $0).setting }.filter { $0.mode == mode }
        #expect(drawn.count == seeds.count / Mode.allCases.count)
        #expect(drawn.filter { $0.harsh != nil }.count == drawn.count * 4 / 5)
        #expect(drawn.contains { $0.stepLimit != nil } && drawn.contains { $0.stepLimit == nil })
        let forced = seeds.map { Schedule(seed: $0, mode: mode).setting }
        #expect(forced.filter { $0.harsh != nil }.count == forced.count * 4 / 5)
        #expect(forced.allSatisfy { $0.mode == mode })
    }

    @Test(
        "meets everything that a harsh server does, and the judge's own view of the server does not"
    )
    func temper() throws {
        let setting = Setting(harsh: 3)
        #expect(Set(setting.temper.chances.keys) == Set(LocalCloud.Temper.Trait.allCases))
        #expect(setting.temper.sparedDevices == [ServerReader.device])
        #expect(Setting().temper == .kind)
        let fleet = try Fleet(setting)
        defer { fleet.end() }
        #expect(fleet.cloud.temper == setting.temper)
        fleet.wire.heal()
        #expect(fleet.cloud.temper == .kind)
    }

    @Test("is reduced to the steps, the device and the trait that make it fail")
    func shortened() async throws {
        var schedule = Schedule(seed: 7, mode: .clean, isHarsh: true)
        schedule.setting.devices = 3
        schedule.setting.pageSize = 3
        schedule.steps.insert(.insert(.node, "n900", 0, ["title": .text("a")]), at: 2)
        schedule.steps.append(.delete("n900", 0))
        let shortest = await Run.shorten(schedule) { schedule in
            let calls = schedule.steps.map(\.swift)
            return calls.contains { $0.contains("insert(.node, \"n900\"") }
                && calls.contains { $0.contains("delete(\"n900\"") }
                && schedule.setting.harsh != nil && schedule.setting.traits.contains(.lostAnswers)
        }
        #expect(shortest.steps.count == 2)
        #expect(shortest.setting.devices == 1)
        #expect(shortest.setting.pageSize == 200)
        #expect(shortest.setting.traits == [.lostAnswers])
        #expect(
            shortest.swift(seed: 7) == """
                @Test func seed7() async throws {
                    let fleet = try Fleet(\(shortest.setting.swift))
                    defer { fleet.end() }
                    try await fleet.insert(.node, "n900", on: 0, ["title": .text("a")])
                    try await fleet.delete("n900", on: 0)
                    try await fleet.judge()
                }
                """)
        #expect(shortest.setting.swift.hasSuffix("harsh: 7, traits: [.lostAnswers])"))
    }

    @Test("that also fails without a harsh server is printed with a kind one")
    func kind() async {
        let schedule = Schedule(seed: 7, mode: .clean, isHarsh: true)
        let shortest = await Run.shorten(schedule) { _ in true }
        #expect(shortest.steps.isEmpty)
        #expect(shortest.setting.harsh == nil)
        #expect(!shortest.setting.swift.contains("harsh"))
    }

    @Test("prints each of its steps as a separate call")
    func prints() {
        for mode in Mode.allCases {
            for seed in Self.seeds.prefix(60) {
                for step in Schedule(seed: seed, mode: mode).steps {
                    if case .syncAll = step { continue }
                    #expect(step.swift.hasPrefix("try await fleet."))
                    #expect(!step.swift.contains("fleet.syncAll()"), "\(step)")
                }
            }
        }
    }

    @Test("lets a device change again what it has sent, before it gets the response")
    func echoes() {
        var deletions = 0
        var links = 0
        for seed in UInt64(0)..<600 {
            let steps = Schedule(seed: seed).steps
            for (index, step) in steps.enumerated().dropLast(3) {
                guard case .fail(.modifyRecords, let device, 0, 1, true, _, nil) = step,
                    case .sync(device) = steps[index + 1]
                else { continue }
                switch steps[index + 2] {
                case .delete(_, device): deletions += 1
                case .link(_, _, _, false, device): links += 1
                default: break
                }
            }
        }
        #expect(deletions >= 5)
        #expect(links >= 5)
    }

    @Test("lets a context change an object that others have changed since it was shown")
    func heldContexts() {
        var shown = 0
        var changed = 0
        var saved = 0
        for seed in UInt64(0)..<300 {
            var holders: Set<Int> = []
            for step in Schedule(seed: seed).steps {
                switch step {
                case .hold(let holder, _, _, _, let changes):
                    let shows = changes.contains {
                        if case .show = $0.action { true } else { false }
                    }
                    guard shows else { continue }
                    holders.insert(holder)
                    shown += 1
                case .changeHeld(let holder, _, _) where holders.contains(holder): changed += 1
                case .saveHeld(let holder, _) where holders.contains(holder): saved += 1
                default: break
                }
            }
        }
        #expect(changed >= 15)
        #expect(shown >= changed)
        #expect(saved >= 15)
    }
}
