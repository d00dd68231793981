import CloudKitService
import Foundation
import LocalCloud
import Seam3

/// What the wire knows about edit stamps, and about what they have to say.
struct StampWatch {
    var judge = StampJudge()
    var edits = UserEdits()
    /// The policies that decide conflicts.
    var policies: @Sendable (Kind) -> SMSyncConflictResolutionPolicy = { _ in .serverRecordWins }
    /// Whether requests may arrive late, or not reach the wire.
    var isOverNetwork = false
    /// The versions of the server's records, by name and tag.
    fileprivate var records: [String: [String: RecordDictionary]] = [:]
    /// The contents of assets, by checksum.
    fileprivate var assets: [String: Data] = [:]
    /// The violations that the fleet has.
    private var reported = 0

    fileprivate mutating func keep(_ record: RecordDictionary) {
        guard let tag = record.recordChangeTag else { return }
        records[record.recordName, default: [:]][tag] = record
    }

    /// The violations since the last call.
    mutating func takeViolations() -> [Violation] {
        defer { reported = judge.violations.count }
        return Array(judge.violations[reported...])
    }
}

/// A request whose saves are judged.
struct StampedRequest {
    fileprivate let number: Int
    fileprivate let time: Int
    fileprivate let versions: [ModelVersion]
    fileprivate let operations: [RecordOperation]
    fileprivate var before: [String: RecordDictionary] = [:]
}

extension Wire {
    /// Notes a request when it reaches the wire.
    ///
    /// - Returns: nil if there is nothing to judge.
    func beginStamps(
        _ request: ModifyRecordsRequest, _ context: RequestContext
    ) -> StampedRequest? {
        let account = try? cloud.account(device: context.device, container: context.container)
        guard request.zoneID?.zoneName == ServerReader.zone, account?.user == "default" else {
            return nil
        }
        let operations = request.operations.filter {
            ![.delete, .forceDelete].contains($0.operationType)
                && ($0.record.objectKind != nil || $0.record.isLink)
        }
        guard !operations.isEmpty else { return nil }
        let edits = operations.reduce(into: [String: Data]()) {
            $0[$1.record.recordName] = $1.record.edits
        }
        let insertions = operations.filter { $0.operationType == .create }
        return lock.withLock {
            let models = stamps.edits.models[context.device] ?? []
            return StampedRequest(
                number: stamps.judge.noteRequest(
                    edits, insertions: Set(insertions.map(\.record.recordName))),
                time: stamps.edits.tick(),
                versions: stamps.isOverNetwork ? models : models.suffix(1),
                operations: operations)
        }
    }

    /// Executes a request, and judges the saves that the server has carried out.
    func judgingStamps(
        _ stamped: StampedRequest?, _ context: RequestContext,
        _ body: () async throws(CloudKitServiceError) -> ModifyRecordsResponse
    ) async throws(CloudKitServiceError) -> ModifyRecordsResponse {
        guard var stamped else { return try await body() }
        stamped.before = await serverRecords(stamped.operations)
        do throws(CloudKitServiceError) {
            let response = try await body()
            await judge(stamped, context, response.records.compactMap(\.item))
            return response
        } catch {
            await judge(stamped, context, [])
            throw error
        }
    }

    private func serverRecords(_ operations: [RecordOperation]) async -> [String: RecordDictionary]
    {
        let response = try? await cloud.lookUpRecords(
            LookUpRecordsRequest(
                zoneID: ZoneIDDictionary(zoneName: ServerReader.zone),
                records: operations.map { .init($0.record.recordName) }),
            in: RequestContext(container: ServerReader.container, device: ServerReader.device))
        let records = (response?.records ?? []).compactMap(\.item)
        lock.withLock { for record in records { stamps.keep(record) } }
        return Dictionary(records.map { ($0.recordName, $0) }) { first, _ in first }
    }

    private func judge(
        _ stamped: StampedRequest, _ context: RequestContext, _ saved: [RecordDictionary]
    ) async {
        let after = await serverRecords(stamped.operations)
        let saved = Set(saved.map(\.recordName))
        for operation in stamped.operations {
            let name = operation.record.recordName
            let before = stamped.before[name]
            let now = after[name]
            let isThere =
                now != nil && now?.recordChangeTag != before?.recordChangeTag
                && now?.has(operation.record.fields) == true
            guard saved.contains(name) || isThere else { continue }
            if operation.record.isLink {
                let edits = operation.record.edits
                lock.withLock {
                    stamps.judge.judgeLink(name, by: context.device, edits: edits)
                }
                continue
            }
            // Another request may have changed the record before or after this one.
            var former = operation.operationType == .create ? nil : before
            if let tag = operation.record.recordChangeTag, tag != former?.recordChangeTag,
                [.update, .replace].contains(operation.operationType)
            {
                former = lock.withLock { stamps.records[name]?[tag] }
                if former == nil { continue }
            }
            var record = former ?? RecordDictionary(recordName: name)
            if [.replace, .forceReplace].contains(operation.operationType) { record.fields = [:] }
            record.recordType = operation.record.recordType ?? record.recordType
            record.recordChangeTag = nil
            record.fields.merge(operation.record.fields) { $1 }
            if let now, isThere, now.edits == operation.record.edits { record = now }
            await judge(operation, record, after: former, stamped, context)
        }
    }

    private func judge(
        _ operation: RecordOperation, _ record: RecordDictionary, after former: RecordDictionary?,
        _ stamped: StampedRequest, _ context: RequestContext
    ) async {
        guard let kind = record.objectKind else { return }
        let all = Set(ModelVersion.allCases.flatMap { $0.fields(of: kind) })
        let described = Array(all)
        let name = record.recordName
        let ident = record.ident ?? name
        let now = WireRecord(record, fields: described, assets: await contents(of: record))
        var base: WireRecord?
        if let former {
            base = WireRecord(former, fields: described, assets: await contents(of: former))
        }
        let sent = Set(operation.record.fields.keys)
        lock.withLock {
            var save = StampedSave(
                device: context.device, request: stamped.number, name: name, kind: kind,
                ident: ident, versions: stamped.versions, former: base, now: now, sent: sent,
                mayContinueUnseen: stamps.isOverNetwork)
            addEdits(to: &save, stamped)
            stamps.judge.judge(save)
            let properties = all.filter { sent.contains($0.name) && kind.toOne[$0.property] == nil }
            stamps.edits.note(
                record.recordChangeTag, of: name, ident, by: context.device,
                sent: Set(properties.map(\.property)))
        }
    }

    /// Adds what users have edited, as far as that is known.
    private func addEdits(to save: inout StampedSave, _ stamped: StampedRequest) {
        // Objects with the same natural key become one. Another device's user has edited a copy, and a copy of this
        // one may be meant.
        let policy = stamps.policies(save.kind)
        guard save.kind.naturalKey == nil else { return }
        if save.former != nil || policy != .keepBoth && !stamps.judge.hasVersions(save.name)
            || save.now.stamps?.origin != nil
        {
            var names = stamps.edits.mayBeEdited(save.ident, on: save.device)
            // A device may get a model with more properties before it sends the object.
            if save.former == nil, stamps.edits.mayBeNew(save.ident, on: save.device) {
                names.formUnion(save.versions.flatMap { $0.fields(of: save.kind) }.map(\.property))
            }
            // The app's block edits them, too.
            if policy == .clientTellsWhichWins { names.formUnion(App.combinedNames) }
            save.mayBeEdited = names
        }
        guard !stamps.isOverNetwork, policy != .keepBoth, save.kind != .folder else { return }
        save.isEdited = stamps.edits.isEdited(
            save.ident, on: save.device, since: save.former?.tag, of: save.name,
            before: stamped.time
        ).filter { name in
            // A reference that is nil may have lost its destination meanwhile.
            save.kind.toOne[name] == nil || save.now.values[name] != nil
        }
    }

    private func contents(of record: RecordDictionary) async -> [String: Data] {
        var contents: [String: Data] = [:]
        for (name, field) in record.fields {
            guard case .asset(let asset)? = field.value else { continue }
            let key = asset.fileChecksum ?? asset.referenceChecksum ?? ""
            if let known = lock.withLock({ stamps.assets[key] }) {
                contents[name] = known
                continue
            }
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("Asset-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            let context = RequestContext(
                container: ServerReader.container, device: ServerReader.device)
            try? await cloud.downloadAsset(asset, to: file, in: context)
            guard let data = try? Data(contentsOf: file) else { continue }
            contents[name] = data
            if !key.isEmpty { lock.withLock { stamps.assets[key] = data } }
        }
        return contents
    }
}

extension RecordDictionary {
    fileprivate var isLink: Bool { recordType?.hasPrefix("SM_Link_") ?? false }
    fileprivate var objectKind: Kind? { recordType.flatMap { Kind(entityName: $0) } }

    fileprivate var edits: Data? {
        if case .bytes(let data)? = fields[RecordStamps.field]?.value { return data }
        return nil
    }

    fileprivate var ident: String? {
        if case .string(let ident)? = fields["ident"]?.value { return ident }
        return nil
    }

    /// Whether it has what a request has written. The server describes assets in other words.
    fileprivate func has(_ sent: [String: RecordFieldDictionary]) -> Bool {
        sent.allSatisfy { name, field in
            if case .asset? = field.value { return fields[name]?.value != nil }
            if case .reference(let reference)? = field.value {
                guard case .reference(let now)? = fields[name]?.value else { return false }
                return now.recordName == reference.recordName
            }
            return fields[name]?.value == field.value
        }
    }
}
