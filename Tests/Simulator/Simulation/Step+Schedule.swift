import SeededRandom

extension Step {
    /// The steps that follow from a seed.
    static func schedule(seed: UInt64, devices: Int, steps: Int) -> [Step] {
        var writer = ScheduleWriter(seed: seed, devices: devices)
        return writer.opening() + (0..<steps).map { _ in writer.step() }
    }
}

/// Writes a schedule. It keeps in mind roughly where the devices stand, so that few steps have nothing
/// to do.
private struct ScheduleWriter {
    private var random: SeededGenerator
    private let devices: Int
    /// The devices on which changes wait.
    private var dirty: Set<Int> = []
    /// The devices that lack what others have sent.
    private var behind: Set<Int> = []
    /// The devices on which another user is signed in, or nobody.
    private var away: Set<Int> = []
    /// What is to follow at once.
    private var next: [Step] = []

    init(seed: UInt64, devices: Int) {
        random = SeededGenerator(seed: seed)
        self.devices = devices
    }

    /// In most schedules all devices have a few objects at the beginning; the last one may end in the
    /// midst of taking them over.
    mutating func opening() -> [Step] {
        guard !random.happens(oneIn: 4) else { return [] }
        let edits: [Edit] = [
            .insert(.list, parent: nil, list: nil), .insert(.tag, parent: nil, list: nil),
            .insert(.item, parent: nil, list: 0), .insert(.item, parent: 0, list: 0),
        ]
        var steps: [Step] = [.save(device: 0, edits: edits, crashes: false)]
        steps += (0..<devices).map { .sync(device: $0, trigger: .user, fault: nil) }
        if random.happens(oneIn: 2) {
            let crash = SyncFault(
                request: .zoneChanges, occurrence: 1,
                effect: .crashAtCommit(3 + random.number(below: 6)))
            steps[devices] = .sync(device: devices - 1, trigger: .user, fault: crash)
            behind.insert(devices - 1)
        }
        return steps
    }

    mutating func step() -> Step {
        if !next.isEmpty { return next.removeFirst() }
        let device = random.number(below: devices)
        switch random.number(below: 100) {
        case 0..<36: return save(on: device)
        case 36..<47: return sync(device, Step.Trigger(&random), nil)
        case 47..<82: return faultySync()
        case 82..<86:
            return .relaunch(
                device: device, crashes: random.happens(oneIn: 2), seconds: Self.jump(&random))
        case 86..<89: return .jump(device: device, seconds: Self.jump(&random))
        case 89: return .expireTokens
        case 90: return loseZone()
        case 91..<94:
            return .decide(
                device: device, random.element(of: [nil] + Step.ZoneResponse.allCases))
        default: return signIn(device)
        }
    }

    /// By how many seconds a clock is set forward, or back.
    static func jump(_ random: inout SeededGenerator) -> Int {
        random.happens(oneIn: 3)
            ? 0 : random.number(below: 300) * (random.happens(oneIn: 4) ? -1 : 1)
    }

    private mutating func save(on device: Int) -> Step {
        dirty.insert(device)
        let count = random.happens(oneIn: 3) ? 2 + random.number(below: 3) : 1
        return .save(
            device: device, edits: (0..<count).map { _ in Edit(&random) },
            crashes: random.happens(oneIn: 20))
    }

    private mutating func sync(
        _ device: Int, _ trigger: Step.Trigger, _ fault: SyncFault?
    ) -> Step {
        if dirty.contains(device) { behind.formUnion((0..<devices).filter { $0 != device }) }
        if fault == nil {
            dirty.remove(device)
            behind.remove(device)
        }
        return .sync(device: device, trigger: trigger, fault: fault)
    }

    /// A synchronisation in which something happens, on a device that has something to do then; if there
    /// is none, a user sees to it first.
    private mutating func faultySync() -> Step {
        var fault = SyncFault(&random, devices: devices)
        var candidates = fault.request == .save ? dirty : behind
        if case .crashAtCommit = fault.effect { candidates = dirty.union(behind) }
        let ready = candidates.subtracting(away).sorted()
        let device =
            ready.isEmpty ? random.number(below: devices) : random.element(of: ready)
        if fault.request == .save, !dirty.contains(device) { next.append(save(on: device)) }
        if case .otherDevice(let other) = fault.effect {
            let other = other == device ? (device + 1) % devices : other
            fault.effect = .otherDevice(other)
            if !dirty.contains(other) { next.append(save(on: other)) }
        }
        next.append(sync(device, .user, fault))
        if case .fail(_, _?) = fault.effect, random.happens(oneIn: 2) {
            next.append(.relaunch(device: device, crashes: false, seconds: 0))
        }
        return next.removeFirst()
    }

    private mutating func loseZone() -> Step {
        for device in 0..<devices where !random.happens(oneIn: 3) {
            next.append(
                .decide(
                    device: device, random.element(of: [nil] + Step.ZoneResponse.allCases)))
        }
        return .loseZone(random.element(of: Step.ZoneEnd.allCases))
    }

    /// Somebody signs in, more often where it is time to come back.
    private mutating func signIn(_ device: Int) -> Step {
        if let absent = away.sorted().first, !random.happens(oneIn: 3) {
            away.remove(absent)
            return .account(device: absent, .first, removesLocalData: false)
        }
        let account = random.element(of: Step.Account.allCases)
        if account == .first { away.remove(device) } else { away.insert(device) }
        return .account(
            device: device, account, removesLocalData: random.happens(oneIn: 3))
    }
}

extension Step.Trigger {
    fileprivate init(_ random: inout SeededGenerator) {
        self =
            random.happens(oneIn: 3)
            ? random.element(of: Self.allCases) : random.happens(oneIn: 3) ? .push : .user
    }
}

extension SeededGenerator {
    /// The number of an object: mostly one of the same few.
    fileprivate mutating func object() -> Int {
        happens(oneIn: 4) ? number(below: 1000) : number(below: 2)
    }
}

extension Edit {
    fileprivate init(_ random: inout SeededGenerator) {
        let object = random.object()
        let other = random.happens(oneIn: 4) ? nil : random.object()
        let kind: Kind = random.happens(oneIn: 4) ? random.element(of: [.list, .tag]) : .item
        let field =
            random.happens(oneIn: 2) ? .title : random.element(of: Field.of(kind))
        switch random.number(below: 100) {
        case 0..<18:
            self = .insert(
                kind, parent: random.happens(oneIn: 2) ? nil : object,
                list: random.happens(oneIn: 2) ? nil : other)
        case 18..<50: self = .set(kind, object: object, field)
        case 50..<54: self = .clear(kind, object: object, field)
        case 54..<61: self = .move(item: object, parent: other)
        case 61..<75: self = .place(item: object, list: other, index: random.object())
        case 75..<90: self = .tag(item: object, tag: random.object())
        default: self = .delete(kind, object: object)
        }
    }
}

extension SyncFault.Touch {
    fileprivate init(_ random: inout SeededGenerator) {
        switch random.number(below: 6) {
        case 0: self = .delete
        case 1: self = .clear(random.element(of: Field.allCases))
        default: self = .set(random.happens(oneIn: 2) ? .title : .note)
        }
    }
}

extension SyncFault.Meanwhile {
    fileprivate init(_ random: inout SeededGenerator, devices: Int) {
        switch random.number(below: 6) {
        case 0: self = .nothing
        case 1: self = .edit(item: random.object(), SyncFault.Touch(&random))
        case 2: self = .otherDevice(random.number(below: devices))
        case 3: self = .trigger
        default: self = .anotherProcess
        }
    }
}

extension SyncFault {
    fileprivate init(_ random: inout SeededGenerator, devices: Int) {
        effect = Effect(&random, devices: devices)
        request = Request(&random, for: effect)
        occurrence = random.happens(oneIn: 4) ? 2 : 1
    }
}

extension SyncFault.Request {
    /// The kind of request in which an effect is most worth trying, and sometimes any other.
    fileprivate init(_ random: inout SeededGenerator, for effect: SyncFault.Effect) {
        switch effect {
        case .fail, .failAlways:
            self =
                random.happens(oneIn: 2)
                ? .save
                : random.happens(oneIn: 2) ? .zoneChanges : random.element(of: Self.allCases)
        default:
            self =
                !random.happens(oneIn: 4)
                ? .save
                : random.happens(oneIn: 2) ? .zoneChanges : random.element(of: Self.allCases)
        }
    }
}

extension SyncFault.Effect {
    fileprivate init(_ random: inout SeededGenerator, devices: Int) {
        let item = random.object()
        switch random.number(below: 27) {
        case 0..<3:
            self = .fail(
                code: random.element(of: Self.codes),
                retryAfter: random.happens(oneIn: 2) ? nil : 1 + random.number(below: 120))
        case 3: self = .failAlways(code: random.element(of: Self.codes))
        case 4..<6: self = .loseAnswer
        case 6: self = .refuse(item: item, code: random.element(of: Self.itemCodes))
        case 7: self = .refuseBatch(item: item, code: random.element(of: Self.itemCodes))
        case 8: self = .crashBefore
        case 9: self = .crashAfter
        case 10..<14: self = .crashAtCommit(1 + random.number(below: 9))
        case 14..<17: self = .editBefore(item: item, SyncFault.Touch(&random))
        case 17..<20: self = .editAfter(item: item, SyncFault.Touch(&random))
        case 20: self = .signIn(random.element(of: Step.Account.allCases))
        case 21..<24:
            self = .slow(
                seconds: ScheduleWriter.jump(&random),
                SyncFault.Meanwhile(&random, devices: devices))
        case 24..<26: self = .otherDevice(random.number(below: devices))
        default: self = .fail(code: 27, retryAfter: nil)
        }
    }

    /// The codes with which a whole request can fail: all but those of which `CKError` has none, and
    /// those that tell of a lost zone, which is another step.
    private static let codes = Array(1...36).filter { ![2, 13, 26, 28].contains($0) }
    /// The codes with which one record can fail, without those that tell what is on the server: they
    /// would be lies.
    private static let itemCodes = codes.filter { ![11, 14].contains($0) }
}
