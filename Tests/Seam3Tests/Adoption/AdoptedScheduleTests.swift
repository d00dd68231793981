import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

/// `SEAM3_ADOPTION_SEED=<seed>` repeats a failed schedule, and `SEAM3_ADOPTION_SEED=100-399` runs many.
@Suite(
    "A file of Seam3 1 that is adopted, whatever happens before its first syncs and between them,",
    .tags(.existingDataIsAdopted, .lastIntentCounts, .nilIsAValue, .serverNeverCascades))
struct AdoptedScheduleTests {
    private static let seeds = ScheduleSeeds.first(12, orThoseIn: "SEAM3_ADOPTION_SEED")

    @Test("ends everywhere as its device showed it, if nobody else edits", arguments: seeds)
    func alone(seed: UInt64) async throws {
        let schedule = try await AdoptedSchedule(seed: seed, otherUser: nil)
        try await schedule.run()
        try await schedule.end()
    }

    @Test("ends everywhere with the edits of two users to different objects", arguments: seeds)
    func beside(seed: UInt64) async throws {
        let schedule = try await AdoptedSchedule(seed: seed, otherUser: "tablet")
        try await schedule.run()
        try await schedule.end()
    }
}

/// A phone that adopts a file, and a tablet that starts with the new version of the app.
///
/// Nobody else edits the objects of the phone's user. So they may change only when that user edits them, whatever is
/// synced.
private final class AdoptedSchedule {
    private static let policies: [SMSyncConflictResolutionPolicy] = [
        .serverRecordWins, .clientRecordWins, .keepBoth, .mergeByProperty,
        .mergeByPropertyClientWins,
    ]
    /// The owner of the albums that nobody edits.
    private static let nobody = "shared"

    private let cloud = LocalCloud.inMemory()
    private let seed: UInt64
    private let otherUser: String?
    private let policy: SMSyncConflictResolutionPolicy
    private let newModel: NSManagedObjectModel
    private let change: GalleryModel.Change
    private var model = GalleryModel.make()
    private let phone: Device
    private var tablet: Device?
    private var random: SeededGenerator
    private var edits: GalleryEdits
    private var log: [String] = []

    init(seed: UInt64, otherUser: String?) async throws {
        self.seed = seed
        self.otherUser = otherUser
        var random = SeededGenerator(seed: seed)
        let owners = ["phone"] + [otherUser, Self.nobody].compactMap { $0 }
        let gallery = SeamOneGallery(&random, owners: owners, changing: ["phone"])
        let file = try await gallery.write(to: cloud)
        let policy = Self.policies.randomElement(using: &random) ?? .serverRecordWins
        change = GalleryModel.Change.allCases.randomElement(using: &random) ?? .nothing
        newModel = GalleryModel.make(change)
        if Bool.random(using: &random) { model = newModel }
        phone = try Device(
            "phone", on: cloud, policy: policy, model: model, file: file.url,
            options: [SMStore.SMStoreAdoptionOption: true as NSNumber])
        self.policy = policy
        edits = GalleryEdits(&random)
        self.random = random
        log = gallery.log + ["adopted, \(change), policy \(policy.rawValue)"]
    }

    // MARK: - Steps

    func run() async throws {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let (before, former) = (try ShownObjects(phone), model)
            if try await step() { continue }
            // A new attribute is there from one moment on.
            let added: Set = model === former ? [] : ["place"]
            try expect(phone, as: "phone", shows: before, except: added)
        }
    }

    /// - Returns: Whether the phone's user has edited something.
    private func step() async throws -> Bool {
        switch Int.random(in: 0..<14, using: &random) {
        case 0..<5:
            try edit(phone, as: "phone")
            return true
        case 5, 6: try relaunch(to: model)
        case 7: try relaunch(to: newModel)
        case 8, 9: try await useTablet()
        case 10:
            log.append("the answer is lost")
            try await phone.syncLosingAnswer(on: cloud)
        case 11:
            log.append("the answer is lost, and the process is killed")
            try await phone.syncLosingAnswer(.processIsKilled, on: cloud, model: model)
        case 12: await syncThrottled()
        default:
            log.append("the phone syncs")
            try await phone.store.sync()
        }
        return false
    }

    private func edit(_ device: Device, as owner: String) throws {
        let count = edits.log.count
        try device.edit { try edits.edit($0, as: owner, sharing: Self.nobody) }
        log += edits.log.dropFirst(count)
    }

    private func relaunch(to model: NSManagedObjectModel) throws {
        log.append("relaunched" + (model === self.model ? "" : " with the new model"))
        self.model = model
        try phone.relaunch(model: model)
    }

    private func syncThrottled() async {
        log.append("throttled")
        let kind = Bool.random(using: &random) ? RequestKind.modifyRecords : .fetchZoneChanges
        let fault = cloud.faults.add(
            .fail(.throttled, retryAfter: 1),
            for: .kind(kind, device: phone.cloudContainer.device))
        await phone.attemptSync()
        cloud.faults.remove(fault)
    }

    /// The tablet fetches everything, and so rewrites the references that cascade. Its user may edit other
    /// objects than the phone's.
    private func useTablet() async throws {
        log.append("the tablet syncs")
        let tablet =
            try self.tablet ?? Device("tablet", on: cloud, policy: policy, model: newModel)
        self.tablet = tablet
        try await tablet.store.sync()
        guard let otherUser else { return }
        try edit(tablet, as: otherUser)
        let shown = try ShownObjects(tablet)
        if Bool.random(using: &random) {
            log.append("the tablet sends its edits")
            try await tablet.store.sync()
            try expect(tablet, as: otherUser, shows: shown)
        }
    }

    // MARK: - Expectations

    private func expect(
        _ device: Device, as owner: String, shows expected: ShownObjects,
        except properties: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let shown = try ShownObjects(device).owned(by: owner).without(properties)
        let differences = shown.differences(
            from: expected.owned(by: owner).without(properties))
        #expect(differences.isEmpty, "\(description)", sourceLocation: sourceLocation)
    }

    private var description: String { "seed \(seed): \(log)" }

    /// Syncs everything, and expects the same on all devices and on the server.
    func end() async throws {
        if model !== newModel { try relaunch(to: newModel) }
        if otherUser != nil { try await useTablet() }
        log.append("end")
        var expected = try ShownObjects(phone)
        if let tablet, let otherUser {
            expected = expected.with(try ShownObjects(tablet), ownedBy: otherUser)
        }
        // The photos of an album are those that refer to it, so they need no comparison.
        expected = expected.without(["photos"])
        let fresh = try Device("fresh", on: cloud, policy: policy, model: newModel)
        let devices = [phone, tablet, fresh].compactMap { $0 }
        for _ in 1...3 { for device in devices { try await device.store.sync() } }
        try expect(devices, show: expected)
        try await expectOnServer(expected)
        for device in devices { try await device.store.sync(complete: true) }
        try expect(devices, show: expected)
        try await expectOnServer(expected)
    }

    private func expect(_ devices: [Device], show expected: ShownObjects) throws {
        for device in devices {
            let differences = try ShownObjects(device).without(["photos"])
                .differences(from: expected)
            #expect(differences.isEmpty, "\(device.name), \(description)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0, "\(description)")
            #expect(try device.store.checkInvariants().isEmpty, "\(description)")
        }
    }

    private func expectOnServer(_ expected: ShownObjects) async throws {
        let records = try await RawClient(cloud).records()
        let absent =
            change == .addedRequired ? ["Photo": ["place": GalleryModel.added]] : [:]
        let differences = ShownObjects(records, absent: absent)
            .differences(from: expected)
        #expect(differences.isEmpty, "the server, \(description)")
        for record in records {
            for field in record.allKeys() {
                guard let reference = record[field] as? CKRecord.Reference else { continue }
                #expect(reference.action == .none, "\(record.recordID) \(field), \(description)")
            }
        }
    }
}
