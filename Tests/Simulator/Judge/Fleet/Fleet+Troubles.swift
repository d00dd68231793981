import CloudKit
import CloudKitService
import LocalCloud
import Seam3

/// Failures.
extension Fleet {
    /// Makes a request of a device fail.
    ///
    /// - Parameters:
    ///   - skip: The number of requests of the kind that succeed first.
    ///   - times: The number of requests that fail then.
    ///   - done: Whether the server has executed them, and only the response is lost.
    public func fail(
        _ kind: RequestKind, of device: Int, skip: Int = 0, times: Int = 1, done: Bool,
        _ code: ServerErrorCode = .networkFailure, retryAfter: Double? = nil
    ) async throws {
        wire.add(
            WireFault(
                device: app(device).name, kind: kind, skip: skip, remaining: times,
                afterCommit: done,
                error: CloudKitServiceError(code, reason: "Injected", retryAfter: retryAfter)))
    }

    /// Makes the server refuse each request that has the record of an object.
    public func refuseRequests(with ident: String, _ code: ServerErrorCode) async throws {
        wire.poison(ident, .request(code))
        history.refuse(ident)
    }

    /// Makes the server refuse the record of an object, permanently or once.
    public func refuseRecord(
        of ident: String, _ code: ServerErrorCode, once: Bool
    ) async throws {
        wire.poison(ident, once ? .once(code) : .record(code))
        history.refuse(ident)
    }

    /// Makes the server omit parts of the records in the conflicts of a device's next requests.
    public func conflictsLack(
        _ parts: [Fault.ConflictPart], for device: Int
    ) async throws {
        cloud.faults.add(
            .omitFromConflicts(Set(parts)),
            for: .kind(.modifyRecords, device: app(device).name), occurrences: .next(3))
    }

    /// Makes the downloads of assets of a size fail, permanently or once.
    public func loseAsset(ofSize size: Int, once: Bool) async throws {
        wire.failAsset(ofSize: size, once: once)
    }

    // MARK: - The account and the zone

    /// An event that affects the account or the zone.
    public enum Event: String, Sendable, CaseIterable {
        case signOut, signInAgain, otherUser, notReady
        case expireTokens, expireDatabaseTokens, forgetDeletions
        case purgeZone, resetEncryptedData, deleteZone
    }

    /// Triggers an event that affects a device's account or the zone.
    public func happens(_ event: Event, on device: Int) async throws {
        let name = app(device).name
        let context = server.context
        switch event {
        case .signOut: try cloud.signOut(device: name)
        case .signInAgain:
            app(device).hasOtherUser = false
            try cloud.signIn("default", device: name)
            try cloud.setAccountStatus(.available, device: name)
        case .otherUser:
            // A new store would adopt the other user.
            guard app(device).hasSynced else { return }
            app(device).hasOtherUser = true
            hasMetOtherUser = true
            try cloud.signIn("other", device: name)
        case .notReady: try cloud.setAccountStatus(.couldNotDetermine, device: name)
        case .expireTokens:
            sendVanishedAgain()
            history.forgetDeletions()
            try? await cloud.expireTokens(ofZone: ServerReader.zone, in: context)
        case .expireDatabaseTokens: try? await cloud.expireDatabaseTokens(in: context)
        case .forgetDeletions:
            sendVanishedAgain()
            history.forgetDeletions()
            try? await cloud.forgetDeletions(inZone: ServerReader.zone, in: context)
        case .purgeZone:
            try? await cloud.purgeZone(ServerReader.zone, in: context)
            try await zoneIsGone()
        case .resetEncryptedData:
            try? await cloud.resetEncryptedData(ofZone: ServerReader.zone, in: context)
            try await zoneIsGone()
        case .deleteZone:
            _ = try? await cloud.modifyZones(
                ModifyZonesRequest(operations: [
                    ZoneOperation(.delete, ZoneIDDictionary(zoneName: ServerReader.zone))
                ]), in: context)
            try await zoneIsGone()
        }
    }

    /// On devices whose users keep the data of a lost zone, deletions that the server has forgotten
    /// count as lost data. The devices still know which versions of the records they had.
    private func sendVanishedAgain() {
        for app in apps where app.uploadsVanishedRecords {
            history.sendAgain(from: app.place, forgetsVersions: false)
        }
    }

    /// All devices send everything again. In the mode for this, what a device sends does not count as an edit, unless it
    /// is what another one has deleted.
    private func zoneIsGone() async throws {
        for app in apps {
            app.uploadVanishedRecords()
            try look(app)
            if setting.mode != .uploaders { history.sendAgain(from: app.place) }
        }
        if setting.mode == .uploaders {
            history.loseZone()
            for app in apps { history.uploadDeleted(from: app.place) }
        }
        try await lookAtServer()
    }

    // MARK: - Damage

    /// The damaged part of a file.
    public enum Damage: String, Sendable, CaseIterable {
        case zoneToken, databaseToken, systemFields, lease
        /// The name of an object's file is replaced with that of one of the app's files.
        case fileName
    }

    /// Damages values in a device's file while the app is not running.
    public func damage(_ damage: Damage, on device: Int) async throws {
        let app = app(device)
        try look(app)
        let (version, before) = (app.version, app.seen)
        try app.close()
        let file = try RawFile(app.storeURL)
        switch damage {
        case .zoneToken:
            try file.execute("UPDATE sm_sync SET zone_token = x'00112233'")
        case .databaseToken:
            try file.execute("UPDATE sm_sync SET database_token = x'00112233'")
        case .systemFields:
            try file.execute(
                "UPDATE sm_object SET system_fields = x'00112233' WHERE system_fields IS NOT NULL")
            wire.damageSystemFields(of: app.name)
        case .lease:
            let expiry = Date().timeIntervalSinceReferenceDate + 3 * 365 * 86_400
            try file.execute(
                "UPDATE sm_sync SET lease_owner = 'somebody', lease_process = 1,"
                    + " lease_expiry = \(expiry)")
        case .fileName:
            try file.execute(
                "UPDATE \"Node\" SET photo = '../../important.data' WHERE typeof(photo) = 'text'")
            hasLostPhotos = true
            history.lostNames = lostNames
        }
        try app.relaunch(version)
        try look(app)
        for (id, object) in before.objects
        where object.values["photo"] != app.seen.objects[id]?.values["photo"] {
            history.lose("photo", of: object.ident, at: device)
        }
    }

    // MARK: - Other clients

    /// A record that another client of the zone writes.
    public enum Foreign: String, Sendable, CaseIterable {
        case wrongType, nowhere, secondLink, linkToLink, linkToNowhere, foreignKeys, longKeys
        case twoOwners, halfOwner, pathAsText, pathAsName, farDate, lackingValues, strangeRecord
        /// Records like those of Seam3 1.
        case deletingReference, deleteWithCascade, edit
        /// A record of Seam3 1 whose policy lets the client win: it has none of the fields that Seam3 1 does not know.
        case rewrite
        /// A new version of a record without changes, like those that the server itself creates.
        case touch
        /// Values of another type than the model's.
        case pathAsData, textAsNumber
        /// A value that is too long for the devices' files.
        case longText
    }

    /// Another client writes records.
    public func foreign(_ foreign: Foreign, _ ident: String, _ other: String) async throws {
        try await lookAtServer()
        let before = server.snapshot(version)
        let operations = operations(foreign, record(of: ident), record(of: other))
        for operation in operations {
            _ = try? await cloud.modifyRecords(
                ModifyRecordsRequest(
                    zoneID: ZoneIDDictionary(zoneName: ServerReader.zone), operations: [operation]),
                in: server.context)
        }
        _ = try await server.read()
        let after = server.snapshot(version)
        // Effects on other records, such as a reference without a destination, are not edits of
        // these records.
        let written = Set(operations.map(\.record.recordName))
        var edited = after
        let links = operations.filter { $0.record.recordType?.hasPrefix("SM_Link") ?? false }
        foreignLinkCount += links.count
        for (name, object) in before.objects where !written.contains(name) {
            guard let now = edited.objects[name] else { continue }
            var object = object
            if !links.isEmpty {
                for link in Kind.links.map(\.name) { object.values[link] = now.values[link] }
            }
            edited.objects[name] = object
        }
        history.save(at: serverPlace, before: before, after: edited)
        for operation in operations { noteUnreadable(operation.record, before, after) }
        history.look(at: serverPlace, after)
        if foreign == .touch { return }
        for name in [ident, other] { history.touch(name) }
    }

    /// Records references that another client has written and that read as nil, as they did before.
    private func noteUnreadable(_ record: RecordDictionary, _ before: Snapshot, _ after: Snapshot) {
        guard let former = before.objects[record.recordName],
            let object = after.objects[record.recordName]
        else { return }
        let names = object.kind.toOne.keys.filter { name in
            guard case .reference? = record.fields[name]?.value else { return false }
            return name != "cover" && former.values[name] == Value.none
                && object.values[name] == Value.none
        }
        if !names.isEmpty {
            history.clearAgain(Set(names), of: object.ident, at: serverPlace)
        }
    }

    private func record(of ident: String) -> RecordDictionary? {
        server.records.values.filter { $0.fields["ident"]?.value == .string(ident) }
            .min { $0.recordName < $1.recordName }
    }

    private func reference(_ name: String, deletes: Bool = false) -> RecordFieldDictionary {
        RecordFieldDictionary(
            .reference(
                ReferenceDictionary(
                    recordName: name, zoneID: ZoneIDDictionary(zoneName: ServerReader.zone),
                    action: deletes ? .deleteSelf : ReferenceDictionary.Action.none)))
    }

    private func update(
        _ record: RecordDictionary, _ fields: [String: RecordFieldDictionary]
    ) -> RecordOperation {
        RecordOperation(
            .forceUpdate,
            RecordDictionary(
                recordName: record.recordName, recordType: record.recordType, fields: fields))
    }

    private func newRecord(
        _ type: String, _ name: String, _ fields: [String: RecordFieldDictionary]
    ) -> RecordOperation {
        RecordOperation(
            .forceUpdate, RecordDictionary(recordName: name, recordType: type, fields: fields))
    }

    private func operations(
        _ foreign: Foreign, _ first: RecordDictionary?, _ second: RecordDictionary?
    ) -> [RecordOperation] {
        rawCount += 1
        let name = String(format: "00000000-0000-4000-8000-%012d", rawCount)
        func text(_ text: String) -> RecordFieldDictionary { RecordFieldDictionary(.string(text)) }
        switch foreign {
        case .pathAsText:
            return [
                newRecord(
                    "Node", name,
                    ["ident": text("n\(rawCount)r"), "title": text("../../important.data")])
            ]
        case .pathAsName:
            if server.records["../../important.data"] != nil { return [] }
            return [
                newRecord(
                    "Node", "../../important.data",
                    ["ident": text("n\(rawCount)r"), "title": text("named like a path")])
            ]
        case .longText:
            let title = String(repeating: "x", count: Int(CommitWatch.longestValue) + 1)
            return [
                newRecord("Node", name, ["ident": text("n\(rawCount)r"), "title": text(title)])
            ]
        case .lackingValues:
            return [newRecord("Leaf", name, ["ident": text("n\(rawCount)r")])]
        case .strangeRecord:
            return [
                newRecord("Strange", name, ["ident": text("s\(rawCount)"), "title": text("?")])
            ]
        default: break
        }
        guard let first else { return [] }
        let isNode = ["Node", "Leaf"].contains(first.recordType ?? "")
        switch foreign {
        case .farDate where isNode:
            return [update(first, ["due": RecordFieldDictionary(.timestamp(.max))])]
        case .edit: return [update(first, ["title": text("by another client \(rawCount)")])]
        case .rewrite:
            let fields = ["title": text("by another client \(rawCount)")]
            return [
                update(first, fields.merging(["SM_edits": RecordFieldDictionary(nil)]) { $1 })
            ]
        case .touch: return [update(first, [:])]
        case .pathAsData where first.recordType == "Cover":
            return [update(first, ["scan": text("../../important.data")])]
        case .textAsNumber where first.recordType == "Cover":
            return [update(first, ["pages": text("many")])]
        case .nowhere where isNode:
            hasForeignReferences = true
            return [update(first, ["list": reference("NOWHERE")])]
        case .foreignKeys where isNode:
            return [update(first, ["list_order": text(["~~", "é", "", " ", "zz-"][rawCount % 5])])]
        case .longKeys where isNode:
            return [update(first, ["list_order": text(String(repeating: "V", count: 60))])]
        case .deleteWithCascade:
            return [
                RecordOperation(.forceDelete, RecordDictionary(recordName: first.recordName))
            ]
        default: break
        }
        if foreign == .linkToNowhere || foreign == .linkToLink {
            hasForeignReferences = true
            let link = server.records.values.filter { $0.recordType == "SM_Link_Node_tags" }
                .map(\.recordName).min()
            let target = foreign == .linkToLink ? link ?? "NOWHERE" : "NOWHERE"
            return [
                newRecord(
                    "SM_Link_Node_tags", name,
                    ["source": reference(first.recordName), "target": reference(target)])
            ]
        }
        guard let second else { return [] }
        switch (foreign, first.recordType ?? "", second.recordType ?? "") {
        case (.wrongType, "Node", "Tag"), (.wrongType, "Node", "Folder"),
            (.wrongType, "Leaf", "Tag"),
            (.wrongType, "Node", "Cover"):
            return [update(first, ["list": reference(second.recordName)])]
        case (.secondLink, "Node", "Tag"), (.secondLink, "Leaf", "Tag"):
            return [0, 1].map { number in
                newRecord(
                    "SM_Link_Node_tags", "\(number)" + name.dropFirst(),
                    [
                        "source": reference(first.recordName),
                        "target": reference(second.recordName),
                    ])
            }
        case (.halfOwner, "Node", "Cover"):
            return [update(second, ["node": reference(first.recordName)])]
        case (.twoOwners, "Node", "Cover"):
            let other = server.records.values.filter {
                $0.recordType == "Cover" && $0.recordName != second.recordName
            }.min { $0.recordName < $1.recordName }
            for cover in [other, second].compactMap({ $0 }) {
                if case .string(let ident)? = cover.fields["ident"]?.value { history.touch(ident) }
            }
            return [second, other].compactMap { $0 }.map {
                update($0, ["node": reference(first.recordName)])
            }
        case (.deletingReference, "Node", "List"), (.deletingReference, "Leaf", "List"):
            return [update(first, ["list": reference(second.recordName, deletes: true)])]
        case (.deletingReference, "Node", "Folder"):
            return [update(first, ["folder": reference(second.recordName, deletes: true)])]
        default: return []
        }
    }
}
