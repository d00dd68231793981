import CloudKit
import CoreData
import Seam3
import Testing

// In separate processes, because the logger, which all stores share, makes the copies.
@Suite("An adoption that is killed", .tags(.existingDataIsAdopted, .usersStayApart))
struct KilledAdoptionTests {
    @Test(
        "at any statement leaves the old file or the new one, and no other user gets its contents")
    func adoption() async {
        await #expect(processExitsWith: .success) {
            let tests = AdoptedUserTests()
            let (file, _) = try await tests.file()
            let crashes = try CrashCopies(of: file.folder.url)
            crashes.start()
            try SMStore.adoptFile(at: file.url, model: tests.model())
            let copies = try crashes.stop()
            #expect(copies.count > 50, "\(copies.count)")
            for copy in copies {
                let url = copy.appendingPathComponent(file.url.lastPathComponent)
                try tests.cloud.signIn("second")
                let stack = try tests.open(url)
                let names = try stack.names("Note").sorted()
                #expect(names == ["known", "unsent"], "\(names)")
                let violations = try stack.store.checkInvariants()
                #expect(violations.isEmpty, "\(violations)")
                let failure = await tests.syncFailure(stack)
                #expect(failure?.code == 12, "\(failure?.code ?? 0)")
                try stack.close()
            }
            let notes = try await tests.notesOnServer()
            #expect(notes.isEmpty, "\(notes)")
        }
    }

    @Test("at any statement of the first sync does not forget which user it belongs to")
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
            #expect(copies.count > 20, "\(copies.count)")
            for copy in copies {
                let url = copy.appendingPathComponent(file.url.lastPathComponent)
                try tests.cloud.signIn("second")
                let stack = try tests.open(url)
                // The file's user is still unknown, or known to be a different one.
                let code = await tests.syncFailure(stack)?.code
                #expect(code == 12 || code == 11, "\(code ?? 0)")
                let others = try await tests.notesOnServer()
                #expect(others.isEmpty, "\(others)")
                try tests.cloud.signIn("default")
                try await stack.store.sync()
                let waiting = try stack.store.syncStatus().pendingChangeCount
                #expect(waiting == 0, "\(waiting)")
                try stack.close()
            }
            let notes = try await tests.notesOnServer()
            #expect(notes == ["known", "unsent"], "\(notes)")
        }
    }

    @Test("that runs out of disk space leaves the old file unchanged, and no other")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            _ = try CoreDataFixture(at: folder.store)
            let before = try AdoptionTests.contents(of: folder.url)
            let failures = try FullDisk.growing(from: 4096) {
                try SMStore.adoptFile(at: folder.store, model: CoreDataFixture.model())
            } afterFailure: {
                let after = try AdoptionTests.contents(of: folder.url)
                #expect(after == before, "\(after.keys)")
            }
            #expect(failures > 3, "\(failures)")
            let stack = try StoreStack(at: folder.store, model: CoreDataFixture.model())
            let cars = try stack.names("Car")
            #expect(cars.count == 3, "\(cars)")
            try stack.close()
        }
    }
}
