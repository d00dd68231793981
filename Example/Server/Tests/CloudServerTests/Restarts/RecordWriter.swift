import CloudKitWebServices
import Foundation

/// A client that creates, changes and deletes records of its own in a zone.
actor RecordWriter {
    private let name: String
    private let zone: ZoneIDDictionary
    private let service: CloudKitWebService
    private let context: CloudKitWebServices.RequestContext
    private var generator: SeededGenerator
    private var ledger = WriteLedger()
    private var lastNumber: Int64 = 0
    /// The records whose asset has not been looked at since it was written.
    private var newAssets: Set<String> = []
    /// How many requests were answered.
    private(set) var answeredRequests = 0

    init(_ name: String, zone: ZoneIDDictionary, service: CloudKitWebService, seed: UInt64) {
        self.name = name
        self.zone = zone
        self.service = service
        context = .init(container: ServerProcess.container, device: name)
        generator = SeededGenerator(seed: seed)
    }

    /// The versions of the records that should be there.
    var versions: [String: RecordVersion] { ledger.versions }

    // MARK: - Writing

    /// Sends requests until one is not answered.
    func write(_ answers: AnswerCount) async throws {
        defer { answers.end() }
        while let response = try await sendNext() {
            newAssets.formUnion(ledger.open.filter { $0.asset != nil }.map(\.name))
            try ledger.end(response)
            answeredRequests += 1
            answers.add()
        }
    }

    /// - Returns: The answer; nil if there was none.
    private func sendNext() async throws -> ModifyRecordsResponse? {
        do throws(CloudKitServiceError) {
            let changes = try await nextChanges()
            ledger.begin(changes)
            return try await service.modifyRecords(request(changes), in: context)
        } catch {
            guard [.networkFailure, .serverResponseLost].contains(error.code) else {
                throw RestartViolation("\(name) is refused: \(error)")
            }
            return nil
        }
    }

    /// One to eight changes of different records; a tenth of the new versions has an asset.
    private func nextChanges() async throws(CloudKitServiceError) -> [RecordChange] {
        var changes: [RecordChange] = []
        var known = ledger.versions.keys.sorted()
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            lastNumber += 1
            let kind = Int.random(in: 0..<10, using: &generator)
            guard kind >= 4, !known.isEmpty else {
                changes.append(RecordChange(name: "\(name)-\(lastNumber)", number: lastNumber))
                continue
            }
            let index = Int.random(in: known.indices, using: &generator)
            let name = known.remove(at: index)
            changes.append(RecordChange(name: name, number: kind < 8 ? lastNumber : nil))
        }
        for index in changes.indices {
            guard let number = changes[index].number,
                Int.random(in: 0..<10, using: &generator) == 0
            else { continue }
            changes[index].asset = try await upload(number, for: changes[index].name)
        }
        return changes
    }

    private func upload(
        _ number: Int64, for record: String
    ) async throws(CloudKitServiceError) -> AssetDictionary {
        let file = Self.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let isWritten = FileManager.default.createFile(
            atPath: file.path, contents: content(of: number))
        guard isWritten else { throw CloudKitServiceError(.clientError, reason: file.path) }
        let uploads = try await service.requestAssetUploads(
            AssetUploadsRequest(
                zoneID: zone,
                tokens: [.init(recordName: record, recordType: "Note", fieldName: "asset")]),
            in: context)
        guard let token = uploads.tokens.first else {
            throw CloudKitServiceError(.internalError, reason: "There is no upload token")
        }
        return try await service.uploadAsset(from: file, to: token, in: context)
    }

    /// The bytes of an asset, some kilobytes.
    private func content(of number: Int64) -> Data {
        Data(String(repeating: "\(name) \(number) ", count: 2_000).utf8)
    }

    private static func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("RecordWriter-\(UUID().uuidString)")
    }

    private func request(_ changes: [RecordChange]) -> ModifyRecordsRequest {
        ModifyRecordsRequest(
            zoneID: zone, atomic: true, operations: changes.map(operation))
    }

    private func operation(_ change: RecordChange) -> RecordOperation {
        var record = RecordDictionary(recordName: change.name, recordType: "Note")
        record.recordChangeTag = ledger.versions[change.name]?.tag
        guard let number = change.number else { return RecordOperation(.delete, record) }
        record.fields = ["number": RecordFieldDictionary(.int64(number))]
        if let asset = change.asset {
            record.fields["asset"] = RecordFieldDictionary(.asset(asset))
            record.fields["assetNumber"] = RecordFieldDictionary(.int64(number))
        }
        return RecordOperation(record.recordChangeTag == nil ? .create : .update, record)
    }

    // MARK: - Looking

    /// Compares with what the server has.
    ///
    /// - Returns: Whether the request that was not answered was carried out; nil if there was none.
    func check() async throws -> Bool? {
        var found: [String: RecordVersion] = [:]
        var assets: [String: AssetDictionary] = [:]
        let names = ledger.names.sorted()
        for start in stride(from: 0, to: names.count, by: 200) {
            let page = names[start..<min(start + 200, names.count)]
            let response = try await service.lookUpRecords(
                LookUpRecordsRequest(zoneID: zone, records: page.map { .init($0) }), in: context)
            for (name, result) in zip(page, response.records) {
                guard let record = result.item else {
                    guard result.error?.serverErrorCode == .notFound else {
                        throw RestartViolation("\(name): \(result)")
                    }
                    continue
                }
                found[name] = RecordVersion(record)
                if case .asset(let asset) = record.fields["asset"]?.value { assets[name] = asset }
            }
        }
        newAssets.formUnion(ledger.open.filter { $0.asset != nil }.map(\.name))
        let isCarriedOut = try ledger.settle(found)
        for name in newAssets.sorted() { try await check(assets[name], of: name) }
        newAssets = []
        return isCarriedOut
    }

    /// Compares the bytes of an asset.
    private func check(_ asset: AssetDictionary?, of record: String) async throws {
        guard let number = ledger.versions[record]?.assetNumber else { return }
        guard let asset else { throw RestartViolation("\(record) has lost its asset") }
        let file = Self.temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        try await service.downloadAsset(asset, to: file, in: context)
        guard try Data(contentsOf: file) == content(of: number) else {
            throw RestartViolation("The asset of \(record) has other bytes")
        }
    }
}
