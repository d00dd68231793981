import SeededRandom

extension Step {
    /// The steps that follow from a seed.
    static func schedule(seed: UInt64, devices: Int, steps: Int) -> [Step] {
        var random = SeededGenerator(seed: seed)
        return (0..<steps).map { _ in Step(&random, devices: devices) }
    }

    private init(_ random: inout SeededGenerator, devices: Int) {
        let device = random.number(below: devices)
        switch random.number(below: 100) {
        case 0..<48:
            let count = random.happens(oneIn: 3) ? 2 + random.number(below: 3) : 1
            self = .save(
                device: device, edits: (0..<count).map { _ in Edit(&random) },
                crashes: random.happens(oneIn: 20))
        case 48..<63: self = .sync(device: device, trigger: Trigger(&random), fault: nil)
        case 63..<88:
            self = .sync(
                device: device, trigger: .user, fault: SyncFault(&random, devices: devices))
        case 88..<91:
            self = .relaunch(
                device: device, crashes: random.happens(oneIn: 2),
                seconds: random.happens(oneIn: 2) ? 0 : random.number(below: 200))
        case 91: self = .expireTokens
        case 92: self = .loseZone(random.element(of: ZoneEnd.allCases))
        case 93..<96:
            self = .decide(device: device, random.element(of: [nil] + ZoneResponse.allCases))
        default:
            self = .account(
                device: device, random.element(of: Account.allCases),
                removesLocalData: random.happens(oneIn: 3))
        }
    }
}

extension Step.Trigger {
    fileprivate init(_ random: inout SeededGenerator) {
        self =
            random.happens(oneIn: 3)
            ? random.element(of: Self.allCases) : random.happens(oneIn: 3) ? .push : .user
    }
}

extension Edit {
    fileprivate init(_ random: inout SeededGenerator) {
        let object = random.number(below: 1000)
        let other = random.happens(oneIn: 4) ? nil : random.number(below: 1000)
        let kind: Kind = random.happens(oneIn: 4) ? random.element(of: [.list, .tag]) : .item
        let field = random.element(of: Field.of(kind))
        switch random.number(below: 100) {
        case 0..<25:
            self = .insert(
                kind, parent: random.happens(oneIn: 2) ? nil : object,
                list: random.happens(oneIn: 2) ? nil : other)
        case 25..<50: self = .set(kind, object: object, field)
        case 50..<55: self = .clear(kind, object: object, field)
        case 55..<62: self = .move(item: object, parent: other)
        case 62..<75: self = .place(item: object, list: other, index: random.number(below: 1000))
        case 75..<88: self = .tag(item: object, tag: random.number(below: 1000))
        default: self = .delete(kind, object: object)
        }
    }
}

extension SyncFault {
    fileprivate init(_ random: inout SeededGenerator, devices: Int) {
        request =
            random.happens(oneIn: 2)
            ? .save : random.happens(oneIn: 2) ? .zoneChanges : random.element(of: Request.allCases)
        occurrence = random.happens(oneIn: 4) ? 2 : 1
        let item = random.number(below: 1000)
        switch random.number(below: 17) {
        case 0..<3:
            effect = .fail(
                code: random.element(of: Self.codes),
                retryAfter: random.happens(oneIn: 2) ? nil : 1 + random.number(below: 120))
        case 3: effect = .failAlways(code: random.element(of: Self.codes))
        case 4..<6: effect = .loseAnswer
        case 6: effect = .refuse(item: item, code: random.element(of: Self.itemCodes))
        case 7: effect = .refuseBatch(item: item, code: random.element(of: Self.itemCodes))
        case 8: effect = .crashBefore
        case 9: effect = .crashAfter
        case 10..<12: effect = .crashAtCommit(1 + random.number(below: 12))
        case 12: effect = .otherDevice(random.number(below: devices))
        case 13: effect = .editBefore(item: item)
        case 14: effect = .editAfter(item: item)
        case 15: effect = .signIn(random.element(of: Step.Account.allCases))
        default: effect = .fail(code: 27, retryAfter: nil)
        }
    }

    /// The codes with which a whole request can fail: all but those of which `CKError` has none, and
    /// those that tell of a lost zone, which is another step.
    private static let codes = Array(1...36).filter { ![2, 13, 26, 28].contains($0) }
    /// The codes with which one record can fail, without those that tell what is on the server: they
    /// would be lies.
    private static let itemCodes = codes.filter { ![11, 14].contains($0) }
}
