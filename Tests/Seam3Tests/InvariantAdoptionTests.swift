import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Invariant 28: data that is there already can be taken over") struct InvariantAdoptionTests {
    let cloud = LocalCloud.inMemory()

    @Test("28: records that another client wrote become objects, and are edited in their place")
    func records() async throws {
        let client = RawClient(cloud)
        // The zone is there before.
        try await Device("first", on: cloud).store.sync()
        let clock = client.record("Clock", named: "clock-of-another-client", ["label": "home"])
        clock["folder"] = client.reference(to: "folder")
        try await client.save(clock, client.record("Folder", named: "folder", ["name": "family"]))
        let device = try Device(on: cloud)
        try await device.store.sync()
        try device.read { context in
            let folder = try Device.clock("home", in: context).value(forKey: "folder")
            #expect((folder as? NSManagedObject)?.value(forKey: "name") as? String == "family")
        }
        try device.change("home", ["note": "ours"])
        try await device.store.sync()
        let records = try await client.records(ofType: "Clock")
        let note: String? = records.first?["note"]
        #expect(records.map(\.recordID.recordName) == ["clock-of-another-client"])
        #expect(note == "ours")
    }

    /// Files that are not ours.
    enum Origin: CaseIterable { case plainCoreData, seam3 }

    @Test(
        "28: a file of Core Data or of Seam3 is opened with all its objects, and sent",
        arguments: Origin.allCases)
    func file(origin: Origin) async throws {
        let folder = try TestFolder()
        _ = try CoreDataFixture(
            at: folder.store, systemFields: origin == .seam3 ? [:] : nil)
        let container = CKContainer(identifier: Device.containerIdentifier, service: cloud)
        let stack = try StoreStack(
            at: folder.store, model: CoreDataFixture.model(),
            options: [
                SMStore.SMStoreAdoptionOption: true as NSNumber,
                SMStore.SMStoreContainerOption: container,
            ])
        #expect(try stack.names("Person").sorted() == ["Ada", "Bob", "Cy"])
        let store = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first as? SMStore)
        try await store.sync()
        let other = try Device("other", on: cloud, model: CoreDataFixture.model())
        try await other.store.sync()
        #expect(try other.count("Person") == 3)
        #expect(try other.count("Car") == 3)
    }
}
