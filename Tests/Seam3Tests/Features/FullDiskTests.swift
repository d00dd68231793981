import CoreData
import LocalCloud
import Testing

@testable import Seam3

/// A limit on the size of files simulates a full disk. The limit applies to the whole process, so
/// each test runs in its own.
@Suite("A disk that is full for a while") struct FullDiskTests {
    @Test("leaves no file of large data behind, and the next save succeeds")
    func externalData() async {
        await #expect(processExitsWith: .success) {
            let device = try Device(on: LocalCloud.inMemory(), model: PhotoModel.make())
            try device.add("Photo", ["name": "a", "data": PhotoModel.data(1, 200_000)])
            let before = try device.externalFileNames()
            ThisProcess.limitFiles(to: 300_000)
            #expect(throws: (any Error).self, "the insertion is saved") {
                try device.add("Photo", ["name": "b", "data": PhotoModel.data(2, 400_000)])
            }
            #expect(try device.externalFileNames() == before, "a file of the insertion is left")
            try device.read { $0.rollback() }
            #expect(throws: (any Error).self, "the update is saved") {
                try device.setPhoto("a", PhotoModel.data(3, 400_000))
            }
            #expect(try device.externalFileNames() == before, "a file of the update is left")
            ThisProcess.limitFiles(to: nil)
            try device.read { $0.rollback() }
            try device.read { context in
                let photo = try Device.object("Photo", "a", in: context)
                #expect(photo.value(forKey: "data") as? Data == PhotoModel.data(1, 200_000))
            }
            try device.setPhoto("a", PhotoModel.data(3, 400_000))
            #expect(try device.externalFileSizes().contains(400_000))
        }
    }

    @Test("leaves no file of large data that the server sent, and it arrives later")
    func pulledData() async {
        await #expect(processExitsWith: .success) {
            let cloud = LocalCloud.inMemory()
            let a = try Device("a", on: cloud, model: PhotoModel.make())
            let b = try Device("b", on: cloud, model: PhotoModel.make())
            try await b.store.sync()
            try a.add("Photo", ["name": "a", "data": PhotoModel.data(1, 400_000)])
            try await a.store.sync()
            ThisProcess.limitFiles(to: 300_000)
            await b.attemptSync()
            #expect(try b.externalFileNames().isEmpty)
            ThisProcess.limitFiles(to: nil)
            for _ in 1...2 { await b.attemptSync() }
            #expect(try b.externalFileSizes() == [400_000])
        }
    }

    @Test("makes a store that syncs automatically try again")
    func automatic() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            let cloud = LocalCloud.inMemory()
            let device = try Device(on: cloud)
            let other = try Device("other", on: cloud)
            let clock = ManualClock()
            await device.store.engine?.use(clock.clock)
            try await device.store.sync()
            device.store.syncAutomatically = true
            for index in 0..<50 {
                try other.add(
                    "Clock", ["label": "\(index)", "note": String(repeating: "n", count: 9000)])
            }
            try await other.store.sync()
            // Neither the file nor the log may grow. SQLite reports the same error on a locked
            // device.
            ThisProcess.limitFiles(to: 4096)
            #expect(await device.attemptSync() != nil)
            ThisProcess.limitFiles(to: nil)
            try #require(try device.store.syncStatus().nextAttempt != nil)
            let delay = await clock.nextSleep()
            var ends = device.store.events.makeAsyncIterator()
            clock.advance(by: delay)
            while let event = await ends.next() {
                if event.kind == .sync, event.endDate != nil { break }
            }
            #expect(try device.count("Clock") == 50)
        }
    }
}
