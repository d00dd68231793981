import CloudKitService

/// The effects of a cloud's temper on its requests and pushes, and the counts of its refusals.
struct TemperState {
    private typealias Trait = LocalCloud.Temper.Trait

    let temper: LocalCloud.Temper
    private var draws: TemperDraws
    /// How often requests have failed in a row, by device and kind.
    private var failuresInRow: [String: Int] = [:]
    /// The items that are or were refused, by trait and name.
    private var culprits: [String: Culprit] = [:]
    /// How often tokens have expired, by device and zone.
    private var expirations: [String: Int] = [:]
    private(set) var poisonedItems: Set<String> = []

    /// A record or an asset that is refused.
    private struct Culprit {
        /// The choice of the error, which stays the same for an item.
        let error: UInt64
        /// The remaining refusals; nil for an item that is refused forever.
        var refusals: Int?
    }

    init(temper: LocalCloud.Temper) {
        self.temper = temper
        draws = TemperDraws(seed: temper.seed)
    }

    // MARK: - Requests

    /// The effects of the temper on a request.
    mutating func effects(on request: RequestSummary) -> [Fault.Effect] {
        guard !temper.chances.isEmpty, !temper.sparedDevices.contains(request.context.device) else {
            return []
        }
        var effects = companions(of: request)
        if let refusal = refusal(of: request) { return effects + [refusal] }
        let failures = failure(of: request)
        effects += failures.isEmpty ? itemRefusals(in: request) : failures
        return effects
    }

    /// The effects that do not make the request fail.
    private mutating func companions(of request: RequestSummary) -> [Fault.Effect] {
        var effects: [Fault.Effect] = []
        switch request.kind {
        case .uploadAsset, .downloadAsset:
            if shows(.slowAssets, request) {
                let seconds = draws.number(in: temper.assetDelay, "delay " + key(request))
                effects.append(.delay(.beforeCommit, seconds: seconds))
            }
        case .fetchZoneChanges:
            if shows(.smallPages, request) {
                let bytes = draws.number(
                    in: 1...max(1, temper.pageBytes), "bytes " + key(request))
                effects.append(.cutPages(bytes: bytes))
            }
        case .modifyRecords:
            let parts: [(Trait, Fault.ConflictPart)] = [
                (.conflictsWithoutAncestor, .ancestorRecord),
                (.conflictsWithoutServerRecord, .serverRecord),
                (.conflictsWithoutEncryptedValues, .encryptedValues),
                (.conflictsWithoutAssets, .assets),
            ]
            let omitted = parts.filter { shows($0.0, request) }.map(\.1)
            if !omitted.isEmpty { effects.append(.omitFromConflicts(Set(omitted))) }
            let relatives: [(Trait, Fault.Relative)] = [
                (.touchedParents, .parents), (.touchedTargets, .targets),
            ]
            let touched = relatives.filter { shows($0.0, request) }.map(\.1)
            if !touched.isEmpty { effects.append(.touch(Set(touched))) }
        default:
            break
        }
        return effects
    }

    /// The failure of a whole request because of one record or asset, or because of its size.
    private mutating func refusal(of request: RequestSummary) -> Fault.Effect? {
        switch request.kind {
        case .modifyRecords:
            if let (name, error) = culprit(.rejectedRequests, request.orderedItems, request) {
                let codes: [ServerErrorCode] = [
                    .serverRejectedRequest, .badRequest, .clientError,
                ]
                return .fail(
                    codes[Int(error % UInt64(codes.count))],
                    reason: "Harsh: the request was refused because of '\(name)'")
            }
        case .uploadAsset, .downloadAsset:
            let name = request.orderedItems.joined(separator: "/")
            if let (_, error) = culprit(.failingAssets, [name], request) {
                let codes: [ServerErrorCode] = [.assetNotAvailable, .networkFailure]
                return .fail(
                    codes[Int(error % UInt64(codes.count))], reason: "Harsh: '\(name)' failed")
            }
        default:
            break
        }
        let isLimited = request.kind == .modifyRecords || request.kind == .lookUpRecords
        if isLimited, request.orderedItems.count > temper.itemLimit, shows(.lowLimits, request) {
            return .fail(
                .limitExceeded, reason: "Harsh: more than \(temper.itemLimit) items")
        }
        return nil
    }

    /// The failures of single items.
    private mutating func itemRefusals(in request: RequestSummary) -> [Fault.Effect] {
        switch request.kind {
        case .modifyRecords:
            guard let (name, error) = culprit(.refusedRecords, request.orderedItems, request)
            else { return [] }
            let codes: [ServerErrorCode] = [
                .zoneBusy, .tryAgainLater, .internalError, .serverRejectedRequest,
            ]
            let code = codes[Int(error % UInt64(codes.count))]
            let isTemporary = code == .zoneBusy || code == .tryAgainLater
            return [
                .failItems(
                    [name], code, reason: "Harsh: '\(name)' was refused",
                    retryAfter: isTemporary ? retryAfter(request) : nil)
            ]
        case .fetchZoneChanges:
            let expired = request.zonesWithToken.filter { zone in
                let name = "\(request.context.device) \(zone)"
                guard expirations[name, default: 0] < temper.maximumRefusals,
                    shows(.expiredTokens, request)
                else { return false }
                expirations[name, default: 0] += 1
                return true
            }
            return expired.isEmpty
                ? []
                : [
                    .failItems(
                        Set(expired), .changeTokenExpired,
                        reason: "Harsh: server change token is not valid any more")
                ]
        default:
            return []
        }
    }

    /// The random failure of a request.
    private mutating func failure(of request: RequestSummary) -> [Fault.Effect] {
        switch request.kind {
        // Assets have their own trait, and the account's status does not depend on the network.
        case .uploadAsset, .downloadAsset, .accountStatus: return []
        default: break
        }
        let name = key(request)
        guard failuresInRow[name, default: 0] < max(1, temper.maximumRefusals),
            let effect = drawnFailure(of: request)
        else {
            failuresInRow[name] = 0
            return []
        }
        failuresInRow[name, default: 0] += 1
        return [effect]
    }

    private mutating func drawnFailure(of request: RequestSummary) -> Fault.Effect? {
        let name = "code " + key(request)
        if shows(.throttling, request) {
            let code: ServerErrorCode = draws.element(
                of: [.throttled, .zoneBusy, .tryAgainLater], name)
            return .fail(code, reason: "Harsh: try again later", retryAfter: retryAfter(request))
        }
        if shows(.brokenConnections, request) {
            let code: ServerErrorCode = draws.element(
                of: [.networkFailure, .networkUnavailable], name)
            return .fail(code, reason: "Harsh: no connection")
        }
        if shows(.lostAnswers, request) {
            return .loseAnswer(lostAnswer(request))
        }
        if request.canBeInterrupted, shows(.interruptions, request) {
            // The number of items in a page of changes is unknown; an interruption beyond its end
            // is limited to the page.
            let last = request.kind == .fetchZoneChanges ? 20 : request.orderedItems.count - 1
            return .interrupt(
                after: draws.number(in: 1...max(1, last), "part " + key(request)),
                lostAnswer(request))
        }
        return nil
    }

    private mutating func lostAnswer(_ request: RequestSummary) -> CloudKitServiceError {
        CloudKitServiceError(
            draws.element(of: [.serverResponseLost, .networkFailure], "code " + key(request)),
            reason: "Harsh: the connection was lost")
    }

    private mutating func retryAfter(_ request: RequestSummary) -> Double {
        draws.number(in: temper.retryAfter, "retry " + key(request))
    }

    /// The item because of which a request is refused, and the choice of its error.
    private mutating func culprit(
        _ trait: Trait, _ items: [String], _ request: RequestSummary
    ) -> (name: String, error: UInt64)? {
        guard temper.chances[trait] != nil else { return nil }
        if let item = items.first(where: isPoisonous) {
            return (item, culprits[name(trait, item)]?.error ?? 0)
        }
        for item in items {
            guard let known = culprits[name(trait, item)] else { continue }
            guard let refusals = known.refusals else { return (item, known.error) }
            guard refusals > 0 else { continue }
            culprits[name(trait, item)]?.refusals = refusals - 1
            return (item, known.error)
        }
        guard shows(trait, request) else { return nil }
        let innocent = items.filter { culprits[name(trait, $0)] == nil }
        guard !innocent.isEmpty else { return nil }
        let item = draws.element(of: innocent, "item \(trait) " + key(request))
        let isPoisoned =
            temper.poisonChance > 0
            && draws.share("poison \(trait) " + key(request)) < temper.poisonChance
        let refusals = draws.number(
            in: 1...max(1, temper.maximumRefusals), "count \(trait) " + key(request))
        let error = draws.next("error \(trait) " + key(request))
        culprits[name(trait, item)] = Culprit(
            error: error, refusals: isPoisoned ? nil : refusals - 1)
        if isPoisoned { poisonedItems.insert(item) }
        return (item, error)
    }

    /// Whether the test has named an item, or an asset's record, as poisonous.
    private func isPoisonous(_ item: String) -> Bool {
        guard !temper.poisonousRecords.isEmpty else { return false }
        if temper.poisonousRecords.contains(item) { return true }
        guard let slash = item.lastIndex(of: "/") else { return false }
        return temper.poisonousRecords.contains(String(item[..<slash]))
    }

    private func name(_ trait: Trait, _ item: String) -> String { "\(trait) \(item)" }

    /// Whether a trait occurs this time.
    private mutating func shows(_ trait: Trait, _ request: RequestSummary) -> Bool {
        shows(trait, "\(trait) " + key(request))
    }

    private mutating func shows(_ trait: Trait, _ name: String) -> Bool {
        guard let chance = temper.chances[trait] else { return false }
        return draws.share(name) < chance
    }

    private func key(_ request: RequestSummary) -> String {
        "\(request.context.device) \(request.kind)"
    }

    // MARK: - Pushes

    /// The effect of the temper on a push.
    mutating func delivery(toDevice device: String) -> PushDelivery {
        if shows(.lostPushes, "lost \(device)") { return .never }
        let isMerged = shows(.coalescedPushes, "coalesced \(device)")
        guard isMerged || shows(.latePushes, "late \(device)") else { return .now }
        let requests = draws.number(in: 4...16, "after \(device)")
        return isMerged ? .withNext(orAfter: requests) : .late(after: requests)
    }
}

/// When a push is delivered.
enum PushDelivery {
    case now
    /// Delivered after some further requests to the cloud.
    case late(after: Int)
    /// Replaced by the next push of the subscription, or delivered after some further requests.
    case withNext(orAfter: Int)
    case never
}
