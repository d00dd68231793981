import CoreData
import Seam3
import Seam3Testing
import Testing

@MainActor
@Suite("In a suite of the main actor, a container") struct MainActorPushTests {
    let cloud = LocalCloud.inMemory()
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func store(_ container: LocalContainer) throws -> (stack: StoreStack, store: SMStore) {
        let stack = try StoreStack(
            at: folder.url.appendingPathComponent("\(container.device).sqlite"),
            model: ShopModel.make(),
            options: [SMStore.SMStoreContainerOption: container])
        return (stack, try SMStore.store(in: stack.container))
    }

    @Test(
        "delivers pushes to a store, and returns the result of each sync", .timeLimit(.minutes(1)))
    func pushes() async throws {
        let phone = LocalContainer(identifier: "iCloud.x", service: cloud, device: "phone")
        let tablet = LocalContainer(identifier: "iCloud.x", service: cloud, device: "tablet")
        let (phoneStack, phoneStore) = try store(phone)
        let (tabletStack, tabletStore) = try store(tablet)
        try await tabletStore.sync()
        let results = try await tablet.deliverPushes(to: tabletStore)
        try phoneStack.add("Tag", "corner")
        try await phoneStore.sync()
        #expect(await results.first { _ in true } == .newData)
        #expect(try tabletStack.names("Tag") == ["corner"])
        try phoneStack.close()
        try tabletStack.close()
    }
}
