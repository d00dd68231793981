import CloudKit
import CoreData
import Seam3
import Testing

// In processes of their own, because the copies are made by the logger, which all stores share.
@Suite("An adoption that is killed", .tags(.existingDataIsAdopted, .usersStayApart))
struct KilledAdoptionTests {
    @Test("at any statement leaves the old file or the new one, and nobody else gets what is in it")
    func adoption() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
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
                let violations = try stack.store.checkInvariants()
                precondition(violations.isEmpty, "\(violations)")
                let failure = await tests.syncFailure(stack)
                precondition(failure?.code == 12, "\(failure?.code ?? 0)")
                try stack.close()
            }
            let notes = try await tests.notesOnServer()
            precondition(notes.isEmpty, "\(notes)")
        }
        print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).suffix(1500))
    }

    @Test("at any statement of the first synchronisation does not forget whose it is")
    func userCheck() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
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
                let others = try await tests.notesOnServer()
                precondition(others.isEmpty, "\(others)")
                try tests.cloud.signIn("default")
                try await stack.store.sync()
                let waiting = try stack.store.syncStatus().pendingChangeCount
                precondition(waiting == 0, "\(waiting)")
                try stack.close()
            }
            let notes = try await tests.notesOnServer()
            precondition(notes == ["known", "unsent"], "\(notes)")
        }
        print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).suffix(1500))
    }

    @Test("for want of room leaves the old file as it was, and there is no other")
    func fullDisk() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
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
            let cars = try stack.names("Car")
            precondition(cars.count == 3, "\(cars)")
            try stack.close()
        }
        print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).suffix(1500))
    }
}
