import CoreData
import Seam3
import Seam3Testing
import Testing

@testable import WorldClock

/// What the README's picture shows. `draw-tour` draws it from `tour.txt`.
@Suite("The picture of the manual")
struct TourTests {
    private static let package = URL(
        fileURLWithPath: ProcessInfo.processInfo.environment["SEAM3_PATH"] ?? "../.."
    ).appendingPathComponent("Tests/Consumer")

    @Test("shows what two devices do")
    func tour() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("TourTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cloud = LocalCloud.inMemory()
        func device(_ name: String) throws -> Clocks {
            let container = LocalContainer(
                identifier: "iCloud.org.example.WorldClock", service: cloud, device: name)
            let url = folder.appendingPathComponent("\(name).sqlite")
            let clocks = try Clocks(at: url, cloud: container)
            clocks.store.syncAutomatically = false
            return clocks
        }
        let phone = try device("phone")
        let tablet = try device("tablet")
        var lines: [String] = []
        func note(_ name: String, _ text: String) { lines.append("\(name): \(text)") }

        for label in ["Garage", "Grandma", "Holiday", "Home", "Office"] { try phone.add(label) }
        try await phone.store.sync()
        try await tablet.store.sync()
        #expect(try phone.list() == tablet.list())
        note("both", try phone.list())

        let offline = cloud.faults.add(.fail(.networkUnavailable), occurrences: .always)
        try phone.edit("Office", note: "10 to 6")
        try phone.delete("Holiday")
        try tablet.edit("Office", note: "9 to 5")
        try tablet.add("Club")
        for (name, clocks) in [("phone", phone), ("tablet", tablet)] {
            await #expect(throws: (any Error).self) { try await clocks.store.sync() }
            note(name, "\(try clocks.store.syncStatus().pendingChangeCount) changes wait")
        }

        cloud.faults.remove(offline)
        for (name, clocks) in [("phone", phone), ("tablet", tablet), ("phone", phone)] {
            note(name, Self.text(try await clocks.store.sync()))
        }
        #expect(try phone.list() == tablet.list())
        note("both", try phone.list())

        let file = Self.package.appendingPathComponent("tour.txt")
        let shown = try String(contentsOf: file, encoding: .utf8)
        #expect(shown == lines.joined(separator: "\n") + "\n")
    }

    private static func text(_ summary: SMSyncSummary) -> String {
        let parts = [
            (summary.insertedObjectCount, "new"), (summary.updatedObjectCount, "changed"),
            (summary.deletedObjectCount, "deleted"), (summary.conflictCount, "in conflict"),
            (summary.savedRecordCount, "sent"), (summary.deletedRecordCount, "deleted"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

extension Clocks {
    /// Changes the clock with a label, in a context of its own.
    private func change(
        _ label: String, _ body: @Sendable (NSManagedObjectContext, Clock) -> Void
    ) throws {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let request = NSFetchRequest<Clock>(entityName: "Clock")
            request.predicate = NSPredicate(format: "label == %@", label)
            body(context, try #require(try context.fetch(request).first))
            try context.save()
        }
    }

    fileprivate func edit(_ label: String, note: String) throws {
        try change(label) { $1.note = note }
    }

    fileprivate func delete(_ label: String) throws {
        try change(label) { $0.delete($1) }
    }

    /// The clocks, each with its note.
    fileprivate func list() throws -> String {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Clock>(entityName: "Clock")
            request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
            return try context.fetch(request).map { clock in
                (clock.label ?? "") + (clock.note.map { " (\($0))" } ?? "")
            }.joined(separator: ", ")
        }
    }
}
