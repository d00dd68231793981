import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Without a log delegate, standard error") struct StandardErrorTests {
    @Test("receives a store's notices, and not the course of its syncs")
    func notices() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let device = try Device(on: LocalCloud.inMemory())
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
            try await device.store.sync()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("Conflicts: recordConflictResolutionBlock is set and never called"),
            "\(text)")
        #expect(!text.contains("A sync begins"), "\(text)")
    }
}
