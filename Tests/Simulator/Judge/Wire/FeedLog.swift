import CloudKit
import CloudKitService

/// The changes of the zone in the order in which the server has made them, for answers that lag behind them.
struct FeedLog {
    /// The changes between two looks at the feed.
    private var changes: [[RecordDictionary]] = []
    /// The token after each of them, and the zone's client change token.
    private var ends: [ZoneChangesResponse.Zone] = []
    /// By token, the number of changes before it.
    private var positions: [String: Int] = [:]
    /// By device, how many changes its answers lag behind, and how many answers.
    private var lags: [String: (behind: Int, remaining: Int)] = [:]

    var token: String? { ends.last?.syncToken }
    var count: Int { changes.count }

    /// Adds the changes up to the end of a page.
    mutating func append(_ records: [RecordDictionary], _ end: ZoneChangesResponse.Zone) {
        if records.isEmpty, !ends.isEmpty {
            positions[end.syncToken] = count
            return
        }
        changes.append(records)
        ends.append(end)
        positions[end.syncToken] = count
    }

    /// Notes a token that a device has got, and after which there is nothing yet.
    mutating func note(_ token: String) { positions[token] = count }

    /// Starts over with another zone.
    mutating func clear() { (changes, ends, positions) = ([], [], [:]) }

    mutating func lag(_ device: String, behind: Int, times: Int) { lags[device] = (behind, times) }
    mutating func heal() { lags = [:] }

    /// The late answer to a device that has a token; nil if its answer is not late.
    mutating func lateAnswer(
        to device: String, _ token: String?
    ) -> ZoneChangesResponse.Zone? {
        guard let token, let lag = lags[device], let begin = positions[token] else { return nil }
        lags[device] = lag.remaining > 1 ? (lag.behind, lag.remaining - 1) : nil
        let end = max(begin, count - lag.behind)
        guard end < count, end > 0 else { return nil }
        var page = ends[end - 1]
        page.moreComing = false
        if end == begin { page.syncToken = token }
        var names: Set<String> = []
        // Each record is there once, in its last version.
        page.records = changes[begin..<end].joined().reversed()
            .filter { names.insert($0.recordName).inserted }.reversed()
        return page
    }
}

extension Wire {
    /// Reads the feed as far as it is.
    func followFeed() async {
        guard var log = lock.withLock({ feedLog }) else { return }
        let context = RequestContext(container: ServerReader.container, device: ServerReader.device)
        var (token, records) = (log.token, [RecordDictionary]())
        while true {
            let request = ZoneChangesRequest(zones: [
                .init(zoneID: ZoneIDDictionary(zoneName: ServerReader.zone), syncToken: token)
            ])
            let response = try? await cloud.fetchZoneChanges(request, in: context)
            guard let page = response?.zones.first?.item else {
                log.clear()
                break
            }
            records += page.records
            token = page.syncToken
            if page.moreComing { continue }
            log.append(records, page)
            break
        }
        lock.withLock { feedLog = log }
    }

    /// The answer to a request for changes from the state that the server had before its last requests.
    func lateAnswer(
        to request: ZoneChangesRequest, _ context: RequestContext
    ) -> ZoneChangesResponse? {
        guard let zone = request.zones.first, zone.zoneID.zoneName == ServerReader.zone,
            request.zones.count == 1, zone.reverse != true, request.reverse != true
        else { return nil }
        return lock.withLock {
            guard let page = feedLog?.lateAnswer(to: context.device, zone.syncToken) else {
                return nil
            }
            counts[context.device, default: Counts()].wasLate = true
            return ZoneChangesResponse(zones: [.success(page)])
        }
    }

    /// Notes at which change the last page of an answer ends.
    func noteEnd(_ response: ZoneChangesResponse) async {
        guard lock.withLock({ feedLog }) != nil else { return }
        await followFeed()
        guard let page = response.zones.first?.item, !page.moreComing else { return }
        lock.withLock { feedLog?.note(page.syncToken) }
    }
}
