import Foundation
import Testing

@Suite("The demo")
struct DemoTests {
    @Test("A device that does not exist is an error, and the nearest is suggested")
    func unknownDevice() throws {
        let world = try World()
        let first = try Command.demo.run("status", "--cloud", world.path)
        #expect(first.code == 1)
        #expect(first.errors.contains("There is no device phone. There are none yet."))
        #expect(!FileManager.default.fileExists(atPath: world.store))

        let phone = try World.withPhone()
        let run = try Command.demo.run("status", "--device", "phne", "--cloud", phone.path)
        #expect(run.code == 1)
        #expect(run.errors.contains("There is no device phne. Did you mean phone?"))
    }

    @Test("With --create a device is made")
    func createdDevice() throws {
        let world = try World()
        let run = try Command.demo.run("status", "--create", "--cloud", world.path)
        #expect(run.code == 0)
        #expect(run.output.contains("Pending changes: 0"))
        #expect(FileManager.default.fileExists(atPath: world.store))
    }

    @Test("A word that is no command lists the commands and suggests the nearest")
    func unknownCommand() throws {
        let run = try Command.demo.run("wach")
        #expect(run.code == 64)
        #expect(run.errors.contains("There is no command \"wach\". Did you mean watch?"))
        #expect(run.errors.contains("  import  Import the countries and time zones, and sync."))
    }

    @Test("What Core Data refuses is told in a sentence")
    func refusedValue() throws {
        let world = try World.withPhone()
        let run = try Command.demo.run(
            "add", "", "--zone", "Europe/Berlin", "--offline", "--cloud", world.path)
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("Error: Clock.label is too short."))
        #expect(!run.errors.contains("Domain"))
    }

    @Test("A watching device says what a push brought", .timeLimit(.minutes(2)))
    func watch() throws {
        let world = try World.withPhone()
        let output = Pipe()
        let watch = Command.demo.process([
            "watch", "--device", "tablet", "--create", "--cloud", world.path,
        ])
        watch.standardOutput = output
        try watch.run()
        defer {
            watch.terminate()
            watch.waitUntilExit()
        }
        var text = ""
        func waitFor(_ words: String) {
            while !text.contains(words) {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            #expect(text.contains(words))
        }
        waitFor("Synced: +1 clock, +249 countries, +312 zones.")
        waitFor("Office")
        let sync = try Command.demo.run("sync", "--cloud", world.path)
        #expect(sync.code == 0)
        waitFor("Synced: +1 clock, ~1 zone.")
        waitFor("Home")
    }
}
