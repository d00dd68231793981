import CloudKit
import CloudKitService
import Foundation
import LocalCloud

/// The network between the devices and the server: it loses responses, refuses requests,
/// disconnects when a process ends, and counts requests and bytes.
final class Wire: CloudKitService, @unchecked Sendable {
    // Unchecked because the lock guards all state.

    let cloud: LocalCloud
    let lock = NSLock()
    private var faults: [WireFault] = []
    private var cutDevices: Set<String> = []
    private var interruptions: [Interruption] = []
    /// The devices with an event during their pass, and those that wait for its end.
    private var interrupted: [String: [CheckedContinuation<Void, Never>]] = [:]
    /// The identity of each record's object, learned from the transferred records.
    private(set) var idents: [String: String] = [:]
    /// The versions of records that each device has received.
    var received: [String: ReceivedVersions] = [:]
    /// The answers with records that each device has got since it last learned who is signed in. It takes over none of
    /// them before it has asked again.
    var unconfirmed: [String: [ReceivedAnswer]] = [:]
    var counts: [String: Counts] = [:]
    private var poison: [String: Poison] = [:]
    private var failingAssets: [Int64: Bool] = [:]
    /// The feed, if answers may lag behind it.
    var feedLog: FeedLog?

    /// The requests of a device.
    struct Counts {
        var requests = 0
        var modifications = 0
        /// The number of pages of changes that were followed by another one.
        var pages = 0
        /// The maximum number of bytes of fields in one request with several records.
        var largestBatch: Int64 = 0
        /// The maximum number of bytes of files in one request with several records.
        var largestFiles: Int64 = 0
        /// Whether a fault has occurred.
        var hadFault = false
        /// Whether a fault has occurred that is unrelated to a bad record or asset.
        var hadTrouble = false
        /// Whether the server has told the device that its position in a zone's changes has expired.
        var hadExpiredToken = false
        /// Whether the server may have carried out a request whose response was lost.
        var hadLostAnswer = false
        /// Whether a request of any device, which that device has given up, has reached the server.
        var hadLateArrival = false
        /// Whether the device has got an answer that lacks some changes.
        var wasLate = false

        mutating func note(_ kind: RequestKind) {
            // A store asks who is signed in after each response.
            if kind != .fetchCaller { requests += 1 }
            if kind == .modifyRecords { modifications += 1 }
        }
    }

    /// An event during a pass.
    struct Interruption {
        let device: String
        let kind: RequestKind
        let afterwards: Bool
        let body: @Sendable () async -> Void
    }

    /// How the server refuses a record.
    enum Poison: Sendable {
        /// Each request that contains the record fails as a whole.
        case request(ServerErrorCode)
        /// The record is refused.
        case record(ServerErrorCode)
        /// The record is refused once.
        case once(ServerErrorCode)
    }

    init(_ cloud: LocalCloud) { self.cloud = cloud }

    // MARK: - Failures

    func add(_ fault: WireFault) { lock.withLock { faults.append(fault) } }
    func add(_ interruption: Interruption) { lock.withLock { interruptions.append(interruption) } }

    /// Ends all failures.
    func heal() {
        lock.withLock {
            faults = []
            interruptions = []
            poison = [:]
            failingAssets = [:]
            feedLog?.heal()
        }
        cloud.faults.removeAll()
        cloud.temper = .kind
    }

    func cut(_ device: String) { lock.withLock { _ = cutDevices.insert(device) } }
    func mend(_ device: String) { lock.withLock { _ = cutDevices.remove(device) } }
    func poison(_ ident: String, _ how: Poison) { lock.withLock { poison[ident] = how } }

    /// Makes downloads of assets of a size fail, always or once.
    func failAsset(ofSize size: Int, once: Bool) {
        lock.withLock { failingAssets[Int64(size)] = once }
    }

    var lostAssetSizes: Set<Int> { lock.withLock { Set(failingAssets.keys.map(Int.init)) } }
    var poisonedIdents: Set<String> { lock.withLock { Set(poison.keys) } }
    /// Whether the server always answers a record with a temporary error.
    var postpones: Bool {
        lock.withLock {
            poison.values.contains { how in
                guard case .record(let code) = how else { return false }
                return [.tryAgainLater, .zoneBusy].contains(code)
            }
        }
    }

    func dropInterruptions(of device: String) {
        lock.withLock { interruptions.removeAll { $0.device == device } }
    }

    /// The requests of a device since the last call.
    func takeCounts(of device: String) -> Counts {
        dropUnconfirmed(of: device)
        return lock.withLock { counts.removeValue(forKey: device) ?? Counts() }
    }

    // MARK: - Each request

    /// Executes a request, with its failures.
    func carry<T: Sendable>(
        _ kind: RequestKind, _ context: RequestContext, retry: Bool = true,
        _ body: () async throws(CloudKitServiceError) -> T
    ) async throws(CloudKitServiceError) -> T {
        let device = context.device
        let (isCut, fault) = lock.withLock { () -> (Bool, WireFault?) in
            counts[device, default: Counts()].note(kind)
            guard let index = faults.firstIndex(where: { $0.strikes(kind, device) }) else {
                return (cutDevices.contains(device), nil)
            }
            counts[device]?.hadFault = true
            counts[device]?.hadTrouble = true
            let fault = faults[index]
            faults[index].skip -= 1
            if faults[index].skip >= 0 { return (cutDevices.contains(device), nil) }
            faults[index].remaining -= 1
            if faults[index].remaining <= 0 { faults.remove(at: index) }
            return (cutDevices.contains(device), fault)
        }
        if isCut { throw CloudKitServiceError(.networkFailure, reason: "The process has ended") }
        await interrupt(kind, device, afterwards: false)
        if let fault, !fault.afterCommit { throw fault.error }
        let result: T
        do throws(CloudKitServiceError) {
            result = try await body()
        } catch {
            noteFault(of: device, isRefusal: error.reason == Self.refusal)
            if kind == .modifyRecords, error.reason != Self.refusal { noteLostAnswer(of: device) }
            throw error
        }
        await interrupt(kind, device, afterwards: true)
        let isLost = lock.withLock { cutDevices.contains(device) }
        if kind == .modifyRecords, isLost || fault != nil { noteLostAnswer(of: device) }
        if isLost {
            throw CloudKitServiceError(.networkFailure, reason: "The process has ended")
        }
        if let fault { throw fault.error }
        return result
    }

    /// Records that a fault has occurred for a device.
    ///
    /// - Parameter isRefusal: Whether a bad record is the only cause.
    func noteFault(of device: String, isRefusal: Bool = false) {
        lock.withLock {
            counts[device, default: Counts()].hadFault = true
            if !isRefusal { counts[device]?.hadTrouble = true }
        }
    }

    func noteLostAnswer(of device: String) {
        lock.withLock { counts[device, default: Counts()].hadLostAnswer = true }
    }

    /// Records for all devices that the server has received a request that was given up.
    func noteLateArrival(devices: [String]) {
        lock.withLock {
            for device in devices { counts[device, default: Counts()].hadLateArrival = true }
        }
    }

    private static let refusal = "A record is refused with its request"

    private func interrupt(_ kind: RequestKind, _ device: String, afterwards: Bool) async {
        let due = lock.withLock { () -> Interruption? in
            // Only one event happens at a time, even if the device has several requests in
            // progress.
            guard interrupted[device] == nil,
                let index = interruptions.firstIndex(where: {
                    $0.kind == kind && $0.device == device && $0.afterwards == afterwards
                })
            else { return nil }
            interrupted[device] = []
            return interruptions.remove(at: index)
        }
        guard let due else { return }
        await due.body()
        let waiting = lock.withLock { interrupted.removeValue(forKey: device) ?? [] }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until there is no event during a device's pass.
    ///
    /// A pass that abandons a request does not wait for an event during that request.
    func interruptionsEnd(of device: String) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isQuiet = lock.withLock { () -> Bool in
                guard interrupted[device] != nil else { return true }
                interrupted[device]?.append(continuation)
                return false
            }
            if isQuiet { continuation.resume() }
        }
    }

    // MARK: - Records

    /// Records which objects these records belong to.
    func learn(_ records: [RecordDictionary]) {
        lock.withLock {
            for record in records {
                if case .string(let ident)? = record.fields["ident"]?.value {
                    idents[record.recordName] = ident
                }
            }
        }
    }

    /// Records the contents of a request, and makes the server refuse its bad records.
    ///
    /// - Returns: The names of the bad records.
    private func prepare(
        _ request: ModifyRecordsRequest, _ context: RequestContext
    ) throws(CloudKitServiceError) -> Set<String> {
        learn(request.operations.map(\.record))
        let refused = lock.withLock {
            () -> (request: ServerErrorCode?, records: [(String, ServerErrorCode)]) in
            var records: [(String, ServerErrorCode)] = []
            if request.operations.count > 1 {
                var counts = counts[context.device] ?? Counts()
                let records = request.operations.map(\.record)
                counts.largestBatch = max(
                    counts.largestBatch, records.reduce(0) { $0 + $1.byteCount })
                counts.largestFiles = max(
                    counts.largestFiles, records.reduce(0) { $0 + $1.fileByteCount })
                self.counts[context.device] = counts
            }
            for operation in request.operations {
                let name = operation.record.recordName
                guard let ident = idents[name], let how = poison[ident] else { continue }
                counts[context.device]?.hadFault = true
                switch how {
                case .request(let code): return (code, [])
                case .record(let code): records.append((name, code))
                case .once(let code):
                    records.append((name, code))
                    poison[ident] = nil
                }
            }
            return (nil, records)
        }
        if let code = refused.request {
            throw CloudKitServiceError(code, reason: Self.refusal)
        }
        for (name, code) in refused.records {
            cloud.faults.add(
                .failItems([name], code),
                for: .kind(.modifyRecords, item: name, device: context.device))
        }
        return Set(refused.records.map(\.0))
    }

    func modifyRecords(
        _ request: ModifyRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ModifyRecordsResponse {
        let response = try await carry(.modifyRecords, context) {
            () throws(CloudKitServiceError) in
            let bad = try prepare(request, context)
            let response = try await cloud.modifyRecords(request, in: context)
            // A conflict with another device's change is not a fault. A request to wait matters more than
            // a bad record.
            let isRefused = response.records.contains { result in
                guard let error = result.error,
                    error.retryAfter != nil || !bad.contains(error.recordName ?? "")
                else { return false }
                return ![.conflict, .exists, .notFound, .atomicError].contains(
                    error.serverErrorCode)
            }
            if isRefused || response.interruption != nil { noteFault(of: context.device) }
            if response.interruption != nil { noteLostAnswer(of: context.device) }
            return response
        }
        await followFeed()
        receive(response.records.compactMap(\.item), own: true, context)
        return response
    }

    func downloadAsset(
        _ asset: AssetDictionary, to file: URL, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        let fails = lock.withLock { () -> Bool in
            guard let size = asset.size, let once = failingAssets[size] else { return false }
            counts[context.device, default: Counts()].hadFault = true
            if once { failingAssets[size] = nil }
            return true
        }
        if fails { throw CloudKitServiceError(.assetNotAvailable, reason: "The asset is away") }
        try await carry(.downloadAsset, context) { () throws(CloudKitServiceError) in
            try await cloud.downloadAsset(asset, to: file, in: context)
        }
    }
}

/// A fault of the network or the server.
public struct WireFault: Sendable {
    let device: String
    let kind: RequestKind
    /// The number of requests of the kind that succeed before it.
    var skip: Int
    var remaining: Int
    /// Whether everything is executed, and only the response is lost.
    let afterCommit: Bool
    let error: CloudKitServiceError

    func strikes(_ kind: RequestKind, _ device: String) -> Bool {
        self.kind == kind && self.device == device
    }
}

extension RecordDictionary {
    /// The approximate size in bytes of a record's fields in a request.
    var byteCount: Int64 {
        fields.values.reduce(0) { sum, field in
            switch field.value {
            case .string(let text): return sum + Int64(text.utf8.count)
            case .bytes(let data): return sum + Int64(data.count)
            default: return sum + 8
            }
        }
    }

    /// The size in bytes of a record's files.
    var fileByteCount: Int64 {
        fields.values.reduce(0) { sum, field in
            guard case .asset(let asset) = field.value else { return sum }
            return sum + (asset.size ?? 0)
        }
    }
}
