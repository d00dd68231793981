import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3Testing
import SeamSQLite
import Testing

@testable import Seam3

@Suite("A schema in production without the field of edit stamps") struct UndeployedFieldTests {
    let cloud = LocalCloud.inMemory()

    /// Deploys the schema of the model as Seam3 1 had it.
    private func deploy(lacking types: Set<String> = ["Zone", "Folder", "Clock"]) async throws {
        let schema = try SMStore.cloudKitSchema(for: ClockModel.make())
        var type = ""
        let lines = schema.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let words = line.split(whereSeparator: { " (\"".contains($0) })
            if words.first == "RECORD", words.count > 2 { type = String(words[2]) }
            return words.first != "SM_edits" || !types.contains(type)
        }
        try await cloud.importSchema(
            lines.joined(separator: "\n"), container: Device.containerIdentifier)
        try await cloud.deploySchema(container: Device.containerIdentifier)
    }

    private func deployField() async throws {
        try await cloud.importSchema(
            SMStore.cloudKitSchema(for: ClockModel.make()), container: Device.containerIdentifier)
        try await cloud.deploySchema(container: Device.containerIdentifier)
    }

    private func device(_ name: String = "device") throws -> Device {
        try Device(
            name, on: cloud,
            options: [
                SMStore.SMStoreContainerOption: LocalContainer(
                    identifier: Device.containerIdentifier, service: cloud,
                    environment: .production, device: name)
            ])
    }

    @Test("does not stop the sync, and the status names the record type")
    func goesOn() async throws {
        try await deploy()
        let device = try device()
        try device.add("Clock", ["label": "a"])
        try await device.store.sync()
        let status = try device.store.syncStatus()
        #expect(status.pendingChangeCount == 0)
        #expect(status.recordTypesWithoutStamps == ["Clock"])
        let other = try self.device("other")
        try await other.store.sync()
        #expect(try other.value("label", of: "a") == "a")
    }

    @Test("posts one error for each record type")
    func posted() async throws {
        try await deploy()
        let device = try device()
        try device.add("Clock", ["label": "a"])
        try device.add("Folder", ["name": "f"])
        let errors = ErrorList()
        let token = NotificationCenter.default.addObserver(
            forName: .smSyncOperationError, object: device.store, queue: nil
        ) { errors.add($0.userInfo?[SMStore.SMStoreErrorDomain] as? SMStoreError) }
        defer { NotificationCenter.default.removeObserver(token) }
        try await device.store.sync()
        try device.change("a", ["note": "b"])
        try await device.store.sync()
        // Posted on the main queue, one after the other.
        await MainActor.run {}
        let types = errors.all.map { error -> String in
            guard case .fieldNotDeployed(let type, "SM_edits") = error else { return "\(error)" }
            return type
        }
        #expect(types.sorted() == ["Clock", "Folder"])
    }

    @Test("costs a refused request once, and is not met by types that have the field")
    func requests() async throws {
        try await deploy(lacking: ["Clock"])
        let device = try device()
        try device.add("Clock", ["label": "a"])
        try device.add("Folder", ["name": "f"])
        try await device.store.sync()
        #expect(try device.store.syncStatus().recordTypesWithoutStamps == ["Clock"])
        let log = RequestLog(.modifyRecords, on: cloud)
        try device.change("a", ["note": "b"])
        try await device.store.sync()
        #expect(log.count == 1)
    }

    @Test("is tried again after a relaunch, and the field is written once it is deployed")
    func deployedLater() async throws {
        try await deploy()
        let device = try device()
        try device.add("Clock", ["label": "a", "note": "b"])
        try await device.store.sync()
        try await deployField()
        try device.change("a", ["note": "c"])
        try await device.store.sync()
        #expect(try device.store.syncStatus().recordTypesWithoutStamps == ["Clock"])
        try device.relaunch()
        try device.change("a", ["position": 3])
        try await device.store.sync()
        #expect(try device.store.syncStatus().recordTypesWithoutStamps.isEmpty)
    }

    @Test("is forgotten once it is deployed: the next save signs the values that the record has")
    func signedLater() async throws {
        try await deploy()
        let device = try device()
        try device.add("Clock", ["label": "a", "note": "b"])
        try await device.store.sync()
        try device.change("a", ["note": nil, "position": 1])
        try await device.store.sync()
        try await deployField()
        try device.relaunch()
        try device.change("a", ["position": 2])
        try await device.store.sync()
        let other = try self.device("other")
        try await other.store.sync()
        let stored = try SQLiteConnection(path: other.file.path).firstRow(
            "SELECT edits FROM sm_object"
        ) { $0.blob(at: 0) }
        let edits = try #require(stored.flatMap { KnownEdits(stored: $0) })
        #expect(edits.foreign.isEmpty)
        let stamps = try #require(edits.stamps)
        #expect(stamps.version == 1)
        let signed = ["label", "note", "position"].filter {
            stamps.stamps[EditStamps.key(ofField: $0)]?.edit == 1
        }
        #expect(signed == ["label", "position"])
    }

    @Test("is tried again by a complete sync")
    func completeSync() async throws {
        try await deploy()
        let device = try device()
        try device.add("Clock", ["label": "a"])
        try await device.store.sync()
        try await deployField()
        try device.change("a", ["note": "c"])
        try await device.store.sync(complete: true)
        #expect(try device.store.syncStatus().recordTypesWithoutStamps.isEmpty)
    }

    @Test("is not suspected if the server refuses a record without the field as well")
    func otherReason() async throws {
        try await deployField()
        let device = try device()
        try device.add("Clock", ["label": "a"])
        let name = try #require(
            SQLiteConnection(path: device.file.path).firstRow("SELECT record_name FROM sm_object") {
                $0.text(at: 0)
            })
        cloud.faults.add(
            .failItems([name], .badRequest), for: .kind(.modifyRecords), occurrences: .always)
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(try device.store.syncStatus().recordTypesWithoutStamps.isEmpty)
        cloud.faults.removeAll()
        try device.relaunch()
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }
}
