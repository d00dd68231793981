import CoreData
import Foundation
import Testing

@testable import WorldClock

/// The program of the README, outside its own test.
@Suite("The manual's world clock")
struct ClocksTests {
    @Test("has two clocks in a preview")
    func preview() throws {
        #expect(try Clocks.preview().labels() == ["Kitchen", "Office"])
    }

    @Test("is read by a process that only reads, while the app has the file open")
    func reading() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("ClocksTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("WorldClock.sqlite")
        let clocks = try Clocks(at: url)
        clocks.store.syncAutomatically = false
        try clocks.add("Kitchen")
        #expect(try Clocks.labels(in: url) == ["Kitchen"])
    }
}
