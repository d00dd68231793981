import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A store in memory", .tags(.stateIsPerStore)) struct MemoryStoreTests {
    let cloud = LocalCloud.inMemory()

    private func stack(_ url: URL, inMemory: Bool = false) throws -> StoreStack {
        var options: [String: NSObject] = [
            SMStore.SMStoreContainerOption: CloudPath.current.container(on: cloud)
        ]
        if inMemory { options[SMStore.SMStoreInMemoryOption] = true as NSNumber }
        return try StoreStack(at: url, model: ShopModel.make(), options: options)
    }

    @Test("at /dev/null works like one with a file, and is separate from every other")
    func nullDevice() async throws {
        let url = URL(fileURLWithPath: "/dev/null")
        let (first, second) = (try stack(url), try stack(url))
        try first.add("Box", "b1", "b2")
        #expect(try first.names("Box").sorted() == ["b1", "b2"])
        #expect(try second.names("Box").isEmpty)
        #expect(first.store.url == url)
        try await first.store.sync()
        try await second.store.sync()
        #expect(try second.names("Box").sorted() == ["b1", "b2"])
        #expect(try first.store.statistics().fileSize > 0)
        try first.close()
        #expect(try stack(url).names("Box").isEmpty)
    }

    @Test("chosen by an option leaves nothing at its URL")
    func option() throws {
        let folder = try TestFolder()
        let first = try stack(folder.store, inMemory: true)
        try first.add("Box", "b1")
        #expect(try first.names("Box") == ["b1"])
        try first.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        #expect(try stack(folder.store, inMemory: true).names("Box").isEmpty)
    }
}
