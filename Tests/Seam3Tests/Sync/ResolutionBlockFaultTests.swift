import CloudKit
import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

@Suite("A conflict block that misbehaves", .tags(.oneFailureStaysAlone))
struct ResolutionBlockFaultTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    let cloud: LocalCloud

    init() { self.init(cloud: .inMemory()) }

    private init(cloud: LocalCloud) { self.cloud = cloud }

    /// A clock with an asset of its own, `chime`, and data that is in the record if it is small, `icon`.
    static func model() -> NSManagedObjectModel {
        let model = ClockModel.make()
        model.entitiesByName["Clock"]?.properties += [
            NSAttributeDescription("icon", .binaryDataAttributeType)
        ]
        return model
    }

    /// What a block returns as an asset.
    enum BadAsset: String, CaseIterable, Sendable, CustomTestStringConvertible {
        /// There never was such a file.
        case missing
        /// Nor a folder for it.
        case missingFolder
        /// The file was there when the asset was made.
        case removed
        /// It is a folder.
        case folder
        /// It is a folder with something in it.
        case fullFolder
        /// It is a link to a file that is missing.
        case brokenLink
        /// The path leads through a file.
        case throughFile

        var testDescription: String { rawValue }

        func asset(in folder: URL) throws -> CKAsset {
            let files = FileManager.default
            let place = folder.appendingPathComponent(UUID().uuidString)
            switch self {
            case .missing: return CKAsset(fileURL: place)
            case .missingFolder: return CKAsset(fileURL: place.appendingPathComponent("chime"))
            case .removed:
                try Data([1]).write(to: place)
                let asset = CKAsset(fileURL: place)
                try files.removeItem(at: place)
                return asset
            case .folder:
                try files.createDirectory(at: place, withIntermediateDirectories: true)
                return CKAsset(fileURL: place)
            case .fullFolder:
                try files.createDirectory(at: place, withIntermediateDirectories: true)
                try Data([1]).write(to: place.appendingPathComponent("chime"))
                return CKAsset(fileURL: place)
            case .brokenLink:
                try files.createSymbolicLink(
                    at: place, withDestinationURL: folder.appendingPathComponent("nowhere"))
                return CKAsset(fileURL: place)
            case .throughFile:
                try Data([1]).write(to: place)
                return CKAsset(fileURL: place.appendingPathComponent("chime"))
            }
        }
    }

    /// When the device meets the conflict.
    enum Moment: CaseIterable, Sendable { case pull, push }

    /// Two devices with clocks, of which both have edited "home" alone. Besides, each has added a clock, edited one, and
    /// deleted one.
    private func conflict(
        _ policy: Policy, _ moment: Moment = .pull
    ) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, model: Self.model())
        let b = try Device("b", on: cloud, policy: policy, model: Self.model())
        for label in ["home", "edited by a", "edited by b", "deleted by a", "deleted by b"] {
            try a.add("Clock", ["label": label, "note": "old", "chime": Data([0])])
        }
        try await Device.settle(a, b)
        for (device, name) in [(a, "a"), (b, "b")] {
            try device.change(
                "home", ["note": "by \(name)", "chime": Data(name.utf8), "icon": Data(name.utf8)])
            try device.change("edited by \(name)", ["note": "new"])
            try device.delete("deleted by \(name)")
            try device.add("Clock", ["label": "added by \(name)"])
        }
        switch moment {
        case .pull: try await a.store.sync()
        case .push: b.interleaveSync(of: a)
        }
        return (a, b)
    }

    /// Expects that everything but the conflict has reached both devices.
    private func expectOthersMoved(_ devices: Device...) async throws {
        let labels = [
            "added by a", "added by b", "edited by a", "edited by b", "home",
        ]
        for device in devices {
            let shown = try device.read { context in
                try Device.all("Clock", in: context)
                    .compactMap { $0.value(forKey: "label") as? String }
            }
            #expect(shown.sorted() == labels, "\(device.name)")
            for label in ["edited by a", "edited by b"] {
                #expect(try device.value("note", of: label) == "new", "\(device.name)")
            }
        }
    }

    /// The errors that a store posts while a closure runs.
    private func posted(
        by store: SMStore, _ body: () async throws -> Void
    ) async throws -> [SMStoreError] {
        let errors = ErrorList()
        let token = NotificationCenter.default.addObserver(
            forName: .smSyncOperationError, object: store, queue: nil
        ) { note in
            errors.add(note.userInfo?[SMStore.SMStoreErrorDomain] as? SMStoreError)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try await body()
        // Posted on the main queue, one after the other.
        await MainActor.run {}
        return errors.all
    }

    /// The policies that ask a block.
    static let asking = [Policy.clientTellsWhichWins, .mergeByPropertyClientTells]

    // MARK: - Assets

    /// Lets the block of a store return a bad asset.
    ///
    /// - Returns: The folder of the asset, which is to be kept until the sync has ended.
    private func spoil(
        _ device: Device, _ asset: BadAsset, in field: String = "chime"
    ) throws -> TestFolder {
        let folder = try TestFolder()
        let place = folder.url
        device.store.recordConflictResolutionBlock = { server, _, _ in
            guard server["label"] as? String == "home" else { return server }
            server["note"] = "by the block"
            do {
                server[field] = try asset.asset(in: place)
            } catch {
                Issue.record(error)
            }
            return server
        }
        return folder
    }

    @Test(
        "and returns an asset without a readable file stops no other record",
        arguments: BadAsset.allCases, asking)
    func othersMove(asset: BadAsset, policy: Policy) async throws {
        for moment in Moment.allCases {
            let cloud = LocalCloud.inMemory()
            let test = ResolutionBlockFaultTests(cloud: cloud)
            let (a, b) = try await test.conflict(policy, moment)
            let folder = try test.spoil(b, asset)
            let error = await b.attemptSync()
            #expect(error == nil, "\(moment)")
            withExtendedLifetime(folder) {}
            try await Device.settle(a, b)
            try await test.expectOthersMoved(a, b)
            for device in [a, b] {
                #expect(try device.store.syncStatus().pendingChangeCount == 0, "\(moment)")
                #expect(try device.store.checkInvariants() == [], "\(moment)")
            }
        }
    }

    @Test(
        "and returns an asset without a readable file loses to the server's version",
        arguments: BadAsset.allCases, asking)
    func serverWins(asset: BadAsset, policy: Policy) async throws {
        for moment in Moment.allCases {
            let cloud = LocalCloud.inMemory()
            let test = ResolutionBlockFaultTests(cloud: cloud)
            let (a, b) = try await test.conflict(policy, moment)
            let folder = try test.spoil(b, asset)
            await b.attemptSync()
            withExtendedLifetime(folder) {}
            try await Device.settle(a, b)
            for device in [a, b] {
                #expect(try device.value("note", of: "home") == "by a", "\(moment)")
                #expect(
                    try device.value("chime", of: "home", as: Data.self) == Data("a".utf8),
                    "\(moment)")
                #expect(
                    try device.value("icon", of: "home", as: Data.self) == Data("a".utf8),
                    "\(moment)")
            }
        }
    }

    @Test(
        "and returns an asset without a readable file is reported, with the record",
        arguments: BadAsset.allCases, asking)
    func reported(asset: BadAsset, policy: Policy) async throws {
        let (_, b) = try await conflict(policy)
        let folder = try spoil(b, asset)
        let errors = try await posted(by: b.store) { await b.attemptSync() }
        withExtendedLifetime(folder) {}
        let names = try await RawClient(cloud).records(ofType: "Clock")
            .filter { $0["label"] as? String == "home" }.map(\.recordID.recordName)
        #expect(errors == [.conflictResolutionBlock("")])
        let text = errors.first?.description ?? ""
        #expect(text.contains("Clock.chime") || names.contains(where: text.contains), "\(text)")
    }

    @Test(
        "and returns an asset without a readable file for data that is in the record stops nothing",
        arguments: BadAsset.allCases, ["icon", "icon_asset"])
    func dataInRecord(asset: BadAsset, field: String) async throws {
        let (a, b) = try await conflict(.clientTellsWhichWins)
        let folder = try spoil(b, asset, in: field)
        #expect(await b.attemptSync() == nil)
        withExtendedLifetime(folder) {}
        try await Device.settle(a, b)
        try await expectOthersMoved(a, b)
        for device in [a, b] {
            #expect(try device.value("icon", of: "home", as: Data.self) == Data("a".utf8))
        }
    }

    @Test("and is mended decides the next conflict of the same record", arguments: asking)
    func mended(policy: Policy) async throws {
        let (a, b) = try await conflict(policy)
        let folder = try spoil(b, .missing)
        await b.attemptSync()
        withExtendedLifetime(folder) {}
        try await Device.settle(a, b)
        try a.change("home", ["note": "by a again"])
        try b.change("home", ["note": "by b again"])
        try await a.store.sync()
        b.store.recordConflictResolutionBlock = { server, client, _ in
            server["note"] = "mended"
            return server
        }
        try await b.store.sync()
        try await a.store.sync()
        for device in [a, b] { #expect(try device.value("note", of: "home") == "mended") }
    }

    @Test("and returns many bad assets is asked about each object once, and all are reported")
    func manyAssets() async throws {
        let a = try Device("a", on: cloud, model: Self.model())
        let b = try Device("b", on: cloud, policy: .clientTellsWhichWins, model: Self.model())
        let labels = (0..<20).map { "clock \($0)" }
        for label in labels { try a.add("Clock", ["label": label, "note": "old"]) }
        try await Device.settle(a, b)
        for (device, name) in [(a, "a"), (b, "b")] {
            for label in labels { try device.change(label, ["note": "by \(name)"]) }
        }
        try await a.store.sync()
        nonisolated(unsafe) var count = 0
        b.store.recordConflictResolutionBlock = { server, _, _ in
            count += 1
            server["chime"] = CKAsset(fileURL: URL(fileURLWithPath: "/nowhere/chime"))
            return server
        }
        let errors = try await posted(by: b.store) { try await b.store.sync() }
        #expect(errors.count == 20)
        #expect(count == 20)
        for label in labels { #expect(try b.value("note", of: label) == "by a") }
        #expect(try b.store.syncStatus().pendingChangeCount == 0)
    }

    // MARK: - An object that changes whenever it is asked about

    /// What happens whenever the block runs.
    enum Meddling: String, CaseIterable, Sendable, CustomTestStringConvertible {
        /// The property in conflict is edited.
        case sameProperty
        /// Another property is.
        case otherProperty
        /// The object is deleted.
        case deletion
        /// Another object is edited.
        case otherObject

        var testDescription: String { rawValue }
    }

    /// Counts the calls of a block.
    private final class Calls: @unchecked Sendable {
        // Unchecked because the lock guards all state.
        private let lock = NSLock()
        private var number = 0
        private var isOver = false

        var count: Int { lock.withLock { number } }

        /// Counts a call.
        ///
        /// - Returns: Its number, or nil if nothing is to be edited any more.
        func next() -> Int? {
            lock.withLock {
                number += 1
                return isOver ? nil : number
            }
        }

        func end() { lock.withLock { isOver = true } }
    }

    /// Edits objects whenever the block of b runs.
    private func meddle(_ meddling: Meddling, _ b: Device) -> Calls {
        let calls = Calls()
        nonisolated(unsafe) let b = b
        b.store.recordConflictResolutionBlock = { server, _, _ in
            server["note"] = "by the block"
            guard server["label"] as? String == "home", let number = calls.next() else {
                return server
            }
            switch meddling {
            case .sameProperty: try? b.change("home", ["note": "edit \(number)"])
            case .otherProperty: try? b.change("home", ["position": number])
            case .deletion: try? b.delete("home")
            case .otherObject: try? b.change("edited by b", ["position": number])
            }
            return server
        }
        return calls
    }

    /// Whether an error, and every error below it, is of a kind that the manual names.
    static func isDocumented(_ error: any Error) -> Bool {
        switch error {
        case is CKError, is SQLiteError: true
        case SMStoreError.changesNotAcknowledged(_, let underlying):
            underlying.map(isDocumented) ?? true
        case SMStoreError.recordsNotFetched(_, let underlying): isDocumented(underlying)
        case is SMStoreError: true
        default: false
        }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test(
        "and during which something is edited each time ends the sync without an internal error",
        .tags(.everyLoopEnds), .timeLimit(.minutes(1)), arguments: Meddling.allCases, asking)
    func meddledError(meddling: Meddling, policy: Policy) async throws {
        let (_, b) = try await conflict(policy)
        let calls = meddle(meddling, b)
        var ends = SyncEnds(b.store)
        for _ in 1...3 {
            for case let error? in [await b.attemptSync(), await ends.next()?.error] {
                #expect(Self.isDocumented(error), "\(type(of: error)): \(error)")
            }
        }
        #expect(calls.count >= 1)
        #expect(calls.count <= 300, "\(calls.count) calls")
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test(
        "and during which something is edited each time stops no other record",
        .timeLimit(.minutes(1)), arguments: Meddling.allCases, asking)
    func meddledOthers(meddling: Meddling, policy: Policy) async throws {
        let (a, b) = try await conflict(policy)
        let calls = meddle(meddling, b)
        for _ in 1...3 { await b.attemptSync() }
        try await a.store.sync()
        #expect(calls.count >= 1)
        let labels = Set(["added by a", "added by b", "edited by a", "edited by b"])
        for device in [a, b] {
            let shown = try device.read { context in
                Set(
                    try Device.all("Clock", in: context)
                        .compactMap { $0.value(forKey: "label") as? String })
            }
            #expect(shown.subtracting(["home"]) == labels, "\(device.name)")
            for label in ["edited by a", "edited by b"] {
                #expect(try device.value("note", of: label) == "new", "\(device.name)")
            }
        }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test(
        "and during which the object is edited each time is reported, by an error or a notification",
        .tags(.noFalseSuccess), .timeLimit(.minutes(1)),
        arguments: [Meddling.sameProperty, .otherProperty], [Policy.clientTellsWhichWins])
    func meddledReport(meddling: Meddling, policy: Policy) async throws {
        let (_, b) = try await conflict(policy)
        let calls = meddle(meddling, b)
        nonisolated(unsafe) var error: (any Error)?
        let errors = try await posted(by: b.store) { error = await b.attemptSync() }
        #expect(error != nil || !errors.isEmpty)
        #expect(calls.count >= 1)
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test(
        "and during which something is edited each time is forgotten as soon as that stops",
        .timeLimit(.minutes(1)), arguments: Meddling.allCases, asking)
    func meddledEnd(meddling: Meddling, policy: Policy) async throws {
        let (a, b) = try await conflict(policy)
        let calls = meddle(meddling, b)
        for _ in 1...3 { await b.attemptSync() }
        calls.end()
        for _ in 1...2 {
            await b.attemptSync()
            try await a.store.sync()
        }
        #expect(await b.attemptSync() == nil)
        try await a.store.sync()
        for device in [a, b] { #expect(try device.store.checkInvariants() == []) }
        try expectAgreement(a, b)
    }

    // MARK: - Errors that leave the store

    /// Other ways in which a block misbehaves.
    enum Fault: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case none, newRecord, otherRecord, otherZone, badAsset, hugeNote, badReference

        var testDescription: String { rawValue }

        func result(_ server: CKRecord, _ client: CKRecord) -> CKRecord {
            switch self {
            case .none: break
            case .newRecord: return CKRecord(recordType: "Clock")
            case .otherRecord:
                return CKRecord(
                    recordType: "Folder",
                    recordID: CKRecord.ID(recordName: "other", zoneID: server.recordID.zoneID))
            case .otherZone:
                return CKRecord(
                    recordType: "Clock",
                    recordID: CKRecord.ID(
                        recordName: server.recordID.recordName,
                        zoneID: CKRecordZone.ID(zoneName: "other")))
            case .badAsset:
                server["chime"] = CKAsset(fileURL: URL(fileURLWithPath: "/"))
            case .hugeNote: server["note"] = String(repeating: "a", count: 1_200_000)
            case .badReference:
                server["folder"] = CKRecord.Reference(
                    recordID: CKRecord.ID(
                        recordName: "nobody", zoneID: CKRecordZone.ID(zoneName: "other")),
                    action: .none)
            }
            return server
        }
    }

    @Test(
        "lets only errors of CloudKit, the store or SQLite out of a sync",
        arguments: Fault.allCases, asking)
    func errorTypes(fault: Fault, policy: Policy) async throws {
        let (a, b) = try await conflict(policy)
        if fault != .none {
            b.store.recordConflictResolutionBlock = { server, client, _ in
                server["label"] as? String == "home" ? fault.result(server, client) : server
            }
        }
        let store = b.store
        var ends = SyncEnds(store)
        var errors: [(any Error)?] = [await b.attemptSync(), await ends.next()?.error]
        errors.append(
            await withCheckedContinuation { continuation in
                store.triggerSync(complete: true) { _, error in
                    continuation.resume(returning: error)
                }
            })
        for case let error? in errors {
            #expect(Self.isDocumented(error), "\(type(of: error)): \(error)")
        }
        try await a.store.sync()
    }

    @Test("stops no other record, whatever it returns", arguments: Fault.allCases, asking)
    func faultStaysAlone(fault: Fault, policy: Policy) async throws {
        let (a, b) = try await conflict(policy)
        if fault != .none {
            b.store.recordConflictResolutionBlock = { server, client, _ in
                server["label"] as? String == "home" ? fault.result(server, client) : server
            }
        }
        for _ in 1...2 { await b.attemptSync() }
        try await a.store.sync()
        try await expectOthersMoved(a, b)
    }
}
