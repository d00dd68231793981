import CloudKit
import CoreData
import Seam3
import Testing

// In processes of their own, because the copies are made by the logger, which all stores share.
@Suite("An adoption that is killed", .tags(.existingDataIsAdopted, .usersStayApart))
struct KilledAdoptionTests {
    @Test("at any statement leaves the old file or the new one, and nobody else gets what is in it")
    func adoption() async {
        await #expect(processExitsWith: .success) {
            let tests = AdoptedUserTests()
            let (file, _) = try await tests.file()
            let crashes = try CrashCopies(of: file.folder.url)
            crashes.start()
            try SMStore.adoptFile(at: file.url, model: tests.model())
            let copies = try crashes.stop()
            precondition(copies.count > 50, "\(copies.count)")
            for copy in copies {
                let url = copy.appendingPathComponent(file.url.lastPathComponent)
                try tests.cloud.signIn("second")
                let stack = try tests.open(url)
                let names = try stack.names("Note").sorted()
                precondition(names == ["known", "unsent"], "\(names)")
                precondition(try stack.store.checkInvariants().isEmpty)
                precondition(await tests.syncFailure(stack)?.code == 12)
                try stack.close()
            }
            precondition(try await tests.notesOnServer().isEmpty)
        }
    }

    @Test("at any statement of the first synchronisation does not forget whose it is")
    func userCheck() async {
        await #expect(processExitsWith: .success) {
            let tests = AdoptedUserTests()
            let (file, _) = try await tests.file()
            try SMStore.adoptFile(at: file.url, model: tests.model())
            let crashes = try CrashCopies(of: file.folder.url)
            crashes.start()
            let first = try tests.open(file.url)
            try await first.store.sync()
            try first.close()
            let copies = try crashes.stop()
            precondition(copies.count > 20, "\(copies.count)")
            for copy in copies {
                let url = copy.appendingPathComponent(file.url.lastPathComponent)
                try tests.cloud.signIn("second")
                let stack = try tests.open(url)
                // It is not known yet, or it is known to be another.
                let code = await tests.syncFailure(stack)?.code
                precondition(code == 12 || code == 11, "\(code ?? 0)")
                precondition(try await tests.notesOnServer().isEmpty)
                try tests.cloud.signIn("default")
                try await stack.store.sync()
                precondition(try stack.store.syncStatus().pendingChangeCount == 0)
                try stack.close()
            }
            let notes = try await tests.notesOnServer()
            precondition(notes == ["known", "unsent"], "\(notes)")
        }
    }

    @Test("for want of room leaves the old file as it was, and there is no other")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            _ = try CoreDataFixture(at: folder.store)
            let before = try AdoptionTests.contents(of: folder.url)
            var failures = 0
            try FullDisk.growing(from: 4096) {
                do {
                    try SMStore.adoptFile(at: folder.store, model: CoreDataFixture.model())
                    return true
                } catch {
                    failures += 1
                    let after = try AdoptionTests.contents(of: folder.url)
                    precondition(after == before, "\(after.keys)")
                    return false
                }
            }
            precondition(failures > 3, "\(failures)")
            let stack = try StoreStack(at: folder.store, model: CoreDataFixture.model())
            precondition(try stack.names("Car").count == 3)
            try stack.close()
        }
    }
}
