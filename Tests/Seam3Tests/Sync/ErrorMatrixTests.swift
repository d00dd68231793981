import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite(
    "Every error, as the answer to every request, at every moment",
    .tags(.everyErrorHasAReaction, .noFalseSuccess))
struct ErrorMatrixTests {
    /// A request of a pass.
    enum Operation: String, CaseIterable {
        case accountStatus, user, databaseChanges, zoneSave, subscription, zoneChanges
        case save, delete, recordFetch, assetUpload, assetDownload

        var kind: RequestKind {
            switch self {
            case .accountStatus: return .accountStatus
            case .user: return .fetchCaller
            case .databaseChanges: return .fetchDatabaseChanges
            case .zoneSave: return .modifyZones
            case .subscription: return .modifySubscriptions
            case .zoneChanges: return .fetchZoneChanges
            case .save, .delete: return .modifyRecords
            case .recordFetch: return .lookUpRecords
            case .assetUpload: return .uploadAsset
            case .assetDownload: return .downloadAsset
            }
        }

        /// Whether the server may have executed it although the response is an error.
        var writes: Bool {
            [.zoneSave, .subscription, .save, .delete].contains(self)
        }

        /// Whether items may fail individually.
        var hasItems: Bool { self == .save || self == .delete || self == .recordFetch }
    }

    /// The time of the error.
    enum Moment: String, CaseIterable {
        /// Before anything was executed.
        case beforeCommit
        /// Instead of the response, after everything was executed.
        case answerLost
        /// For these items only; the others are not saved because of them, and sent again.
        case partial
    }

    /// The engine's reaction.
    enum Reaction: String {
        /// The pass succeeds, and everything is sent.
        case copes
        /// The pass fails and is repeated after a delay; then everything is sent.
        case repeats
        /// The pass fails and is not repeated automatically; the next one sends everything.
        case stops
        /// The change is parked: passes fail until it is sent.
        case parks
    }

    static let codes = (1...37).compactMap(CKError.Code.init)
    private static let zoneCodes: Set<CKError.Code> = [
        .changeTokenExpired, .zoneNotFound, .userDeletedZone,
    ]
    /// The codes after which no other change is sent, even if the error is one change's.
    fileprivate static let endingCodes: Set<CKError.Code> = zoneCodes.union([
        .networkUnavailable, .serviceUnavailable, .requestRateLimited, .zoneBusy, .notAuthenticated,
        .managedAccountRestricted, .accountTemporarilyUnavailable, .badContainer, .badDatabase,
        .missingEntitlement, .operationCancelled,
    ])

    // MARK: - The table

    /// This does not compile when CloudKit adds a code, until the code is added to the table.
    static func reaction(to code: CKError.Code, _ operation: Operation, _ moment: Moment)
        -> Reaction
    {
        // A conflict whose record cannot be fetched waits, and other changes are sent.
        let stopOrOneRecord: Reaction =
            operation == .recordFetch && moment == .partial ? .copes : .stops
        if [.save, .delete, .assetUpload].contains(operation),
            let reaction = reactionOfPush(to: code, operation, moment)
        {
            return reaction
        }
        switch code {
        // A page that is too large is requested in parts.
        case .limitExceeded, .assetNotAvailable, .assetFileNotFound, .assetFileModified:
            if operation == .zoneChanges { return .copes }
        // The download of a record's asset fails, or the server cannot return that record now.
        case .networkUnavailable, .networkFailure, .serverResponseLost, .serviceUnavailable,
            .requestRateLimited, .zoneBusy, .operationCancelled:
            if operation == .recordFetch, moment == .partial { return .copes }
        default:
            break
        }
        switch code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited,
            .zoneBusy, .serverResponseLost, .notAuthenticated, .managedAccountRestricted,
            .accountTemporarilyUnavailable, .quotaExceeded:
            return .repeats
        case .changeTokenExpired:
            return [.databaseChanges, .zoneChanges, .assetDownload].contains(operation)
                ? .copes : .stops
        case .zoneNotFound, .userDeletedZone:
            return .stops
        case .serverRecordChanged:
            return operation == .save && moment == .partial ? .copes : stopOrOneRecord
        case .unknownItem:
            if operation == .subscription { return .stops }
            return moment == .partial ? .copes : .stops
        case .limitExceeded:
            // Conflicts in a smaller batch require fewer records to be fetched.
            return operation == .recordFetch ? .copes : .stops
        case .batchRequestFailed:
            return stopOrOneRecord
        case .assetFileNotFound, .assetFileModified, .assetNotAvailable:
            return moment == .partial ? .copes : .stops
        case .permissionFailure, .invalidArguments, .serverRejectedRequest, .incompatibleVersion,
            .constraintViolation, .tooManyParticipants, .alreadyShared, .referenceViolation,
            .participantMayNeedVerification:
            return operation == .subscription ? .copes : stopOrOneRecord
        case .internalError, .participantAlreadyInvited:
            return stopOrOneRecord
        case .partialFailure, .badContainer, .missingEntitlement, .badDatabase,
            .operationCancelled, .resultsTruncated:
            return .stops
        }
    }

    /// The reaction to an error about the changes that were sent; nil for other errors.
    private static func reactionOfPush(
        to code: CKError.Code, _ operation: Operation, _ moment: Moment
    ) -> Reaction? {
        switch code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited,
            .zoneBusy, .serverResponseLost, .notAuthenticated, .managedAccountRestricted,
            .accountTemporarilyUnavailable, .quotaExceeded, .changeTokenExpired, .zoneNotFound,
            .userDeletedZone, .badContainer, .missingEntitlement, .badDatabase,
            .operationCancelled:
            return nil
        case .batchRequestFailed where operation != .assetUpload,
            .assetFileNotFound where operation == .assetUpload,
            .assetFileModified where operation == .assetUpload,
            .assetNotAvailable where operation == .assetUpload:
            return .copes
        case .unknownItem where moment == .partial, .serverRecordChanged where moment == .partial,
            .limitExceeded where moment == .partial, .assetFileNotFound where moment == .partial,
            .assetFileModified where moment == .partial,
            .assetNotAvailable where moment == .partial:
            return operation == .delete && code == .serverRecordChanged ? .stops : .copes
        default:
            // The upload has one record; two in a request are sent separately.
            return operation == .assetUpload || moment == .partial ? .parks : .copes
        }
    }

    /// The requests that can fail.
    static let operations = Operation.allCases.filter {
        CloudPath.current.failing([$0.kind]).count == 1
    }

    @Test("is handled, and loses nothing", arguments: operations)
    func row(operation: Operation) async throws {
        for moment in Moment.allCases {
            if moment == .answerLost, !operation.writes { continue }
            if moment == .partial, !operation.hasItems { continue }
            var bench = try await Bench(operation)
            for code in Self.codes {
                let server = ServerErrorCode(ckErrorCode: code.rawValue)
                // Some codes are never a server's.
                guard server.ckErrorCode == code.rawValue else { continue }
                // Over HTTP the user signs in again, and the pass may go on.
                if CloudPath.current == .web, code == .notAuthenticated { continue }
                // The save after the upload reports problems with the zone.
                if operation == .assetUpload, Self.zoneCodes.contains(code) { continue }
                // The number of changes in a request depends on the previous errors.
                if [.save, .delete, .recordFetch].contains(operation) {
                    bench = try await Bench(operation)
                }
                let reaction = try await bench.reaction(to: server, moment)
                #expect(
                    reaction == Self.reaction(to: code, operation, moment),
                    "\(operation), \(code), \(moment)")
            }
        }
    }
}

/// A device that makes one kind of request, and a cloud that responds with an error.
private final class Bench {
    typealias Operation = ErrorMatrixTests.Operation
    typealias Moment = ErrorMatrixTests.Moment
    typealias Reaction = ErrorMatrixTests.Reaction

    private let operation: Operation
    private let cloud = LocalCloud.inMemory()
    private let client: RawClient
    private var device: Device
    /// Another device, which checks the server's data.
    private let other: Device
    private var number = 0

    init(_ operation: Operation) async throws {
        self.operation = operation
        client = RawClient(cloud)
        device = try Device(on: cloud)
        other = try Device("other", on: cloud)
        for label in ["a", "b"] {
            try device.add("Clock", ["label": label, "chime": Data([0])])
        }
        try await device.store.sync()
    }

    /// The device's reaction to an error. Afterward the device is ready for the next one.
    func reaction(to code: ServerErrorCode, _ moment: Moment) async throws -> Reaction {
        number += 1
        let name = try await prepare()
        var pattern = RequestPattern.kind(operation.kind, device: device.cloudContainer.device)
        if moment == .partial { pattern.item = name }
        let fault: FaultPlan.ID
        switch moment {
        case .beforeCommit: fault = cloud.faults.add(.fail(code), for: pattern)
        case .answerLost:
            fault = cloud.faults.add(.loseAnswer(CloudKitServiceError(code)), for: pattern)
        case .partial: fault = cloud.faults.add(.failItems([name], code), for: pattern)
        }
        defer { cloud.faults.removeAll() }
        let isSentAlone =
            moment == .partial
            && !ErrorMatrixTests.endingCodes.contains { $0.rawValue == code.ckErrorCode }
        let reaction = try await reactionOfPass(isSentAlone: isSentAlone)
        #expect(cloud.faults.matchCount(of: fault) > 0, "\(operation) was not asked for")
        // The device believes a server that denies having a record; it does so only here.
        if code.ckErrorCode == CKError.Code.unknownItem.rawValue, moment == .partial {
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
            try await startAgain()
        } else {
            try await check()
        }
        return reaction
    }

    /// - Parameter isSentAlone: Whether the other change is sent without the refused one.
    private func reactionOfPass(isSentAlone: Bool) async throws -> Reaction {
        do {
            try await device.store.sync()
            return .copes
        } catch {
            try await checkFailure(isSentAlone: isSentAlone)
        }
        let isParked = try device.store.statistics().pendingChanges.values.contains {
            $0.refused > 0
        }
        if try !isParked && repeatsByItself() {
            try await settle()
            return .repeats
        }
        do {
            try await settle()
            return .stops
        } catch {
            #expect(error is SMStoreError)
            #expect(isParked)
            if operation == .save {
                // The change is retried after the next edit.
                for label in ["a", "b"] { try device.change(label, ["note": "\(number), again"]) }
                try await device.store.sync()
            } else {
                try await device.store.sync(complete: true)
            }
            return .parks
        }
    }

    /// Whether a store that syncs automatically would retry.
    private func repeatsByItself() throws -> Bool {
        let store = device.store
        store.syncAutomatically = true
        defer { store.syncAutomatically = false }
        return try store.syncStatus().nextAttempt != nil
    }

    /// Expects the state after a failed pass: the change is in the outbox, and the other change is too, unless it
    /// is on the server.
    private func checkFailure(isSentAlone: Bool) async throws {
        let status = try device.store.syncStatus()
        #expect(status.lastError != nil)
        guard operation == .save || operation == .zoneChanges else { return }
        #expect(status.pendingChangeCount == (isSentAlone ? 1 : 2))
        if isSentAlone {
            let notes = try await client.records().map { record -> String in
                let note: String? = record["note"]
                return note ?? ""
            }
            #expect(notes.filter { $0 == "\(number)" }.count == 1)
        }
    }

    /// The failed change succeeds, without a conflict if the server had already executed it.
    private func settle() async throws {
        let summary = try await device.store.sync()
        if operation != .recordFetch { #expect(summary.conflictCount == 0) }
    }

    private func check() async throws {
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        try await other.store.sync()
        try expectAgreement(device, other)
    }

    /// Makes the device send the request.
    ///
    /// - Returns: The name of the affected record.
    private func prepare() async throws -> String {
        switch operation {
        case .zoneSave, .subscription:
            try await startAgain()
        case .accountStatus, .user, .databaseChanges, .zoneChanges, .save:
            try device.change("a", ["note": "\(number)"])
            try device.change("b", ["note": "\(number)"])
        case .delete:
            let known = Set(try await client.records().map(\.recordID.recordName))
            let labels = ["one", "two"].map { "\($0) \(number)" }
            for label in labels { try device.add("Clock", ["label": label]) }
            try await device.store.sync()
            for label in labels { try device.delete(label) }
            let names = Set(try await client.records().map(\.recordID.recordName))
            return try #require(names.subtracting(known).first)
        case .recordFetch:
            try device.change("a", ["note": "\(number)"])
            try device.change("b", ["note": "\(number)"])
            let client = client
            let note = "by somebody \(number)"
            cloud.faults.add(
                .call(.beforeCommit) { _ in
                    await #expect(throws: Never.self) {
                        for record in try await client.records() {
                            record["note"] = note
                            try await client.save(record)
                        }
                    }
                }, for: .kind(.modifyRecords, device: device.cloudContainer.device))
        case .assetUpload:
            try device.change("a", ["chime": Data("\(number)".utf8)])
        case .assetDownload:
            try await other.store.sync()
            try other.change("a", ["chime": Data("\(number)".utf8)])
            try await other.store.sync()
        }
        return try await client.records().first?.recordID.recordName ?? ""
    }

    /// Continues with a new device, which syncs first, unless the request creates the zone or the
    /// subscription.
    private func startAgain() async throws {
        device = try Device(on: cloud)
        try await other.store.sync(complete: true)
        if operation == .zoneSave || operation == .subscription {
            try device.add("Clock", ["label": "\(number)"])
        } else {
            try await device.store.sync()
        }
    }
}
