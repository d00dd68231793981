import CloudKitWebServices

/// A client that follows the changes of a zone.
actor FeedReader {
    /// The zone.
    nonisolated let zone: ZoneIDDictionary
    private let service: CloudKitWebService
    private let context: CloudKitWebServices.RequestContext
    private var token: String?
    /// The records that the feed has told so far.
    private(set) var versions: [String: RecordVersion] = [:]

    init(zone: ZoneIDDictionary, service: CloudKitWebService) {
        self.zone = zone
        self.service = service
        context = .init(container: ServerProcess.container, device: "reader")
    }

    /// Reads again and again, until the server does not answer.
    func follow() async throws {
        while true {
            do {
                try await readToEnd()
            } catch let error as CloudKitServiceError where error.code == .networkFailure {
                return
            }
        }
    }

    /// Reads up to the present end.
    func readToEnd() async throws {
        while try await readPage() {}
    }

    /// - Returns: Whether there is another page.
    private func readPage() async throws -> Bool {
        let response = try await service.fetchZoneChanges(
            ZoneChangesRequest(zones: [.init(zoneID: zone, syncToken: token, resultsLimit: 50)]),
            in: context)
        guard let page = response.zones.first?.item else {
            throw RestartViolation("The feed is refused: \(response)")
        }
        for record in page.records { versions[record.recordName] = RecordVersion(record) }
        token = page.syncToken
        return page.moreComing
    }
}
