import CloudKit
import CloudKitWebServices
import CoreData
import Foundation
import Seam3
import SyncedNotes

/// A device with an app's store, whose cloud is a server.
final class NoteDevice: Sendable {
    /// The way to the server.
    let service: TimedService
    private let notes: NoteStore
    /// Where the numbers of the device's own notes begin.
    private let ownNumbers: Int

    init(_ index: Int, on server: ServerProcess) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        service = TimedService(try await server.service(user: "ann")) {
            (clock.now - start) / .seconds(1)
        }
        notes = try NoteStore(
            on: CKContainer(
                identifier: ServerProcess.container, service: service, device: "device\(index)"))
        ownNumbers = (index + 1) * 1_000_000
    }

    /// Closes the store.
    func close() throws { try notes.close() }

    /// Inserts the notes that all devices edit.
    func insert(_ numbers: Range<Int>) throws { try notes.insert(numbers) }

    /// Syncs once.
    func sync() async throws -> SMSyncSummary { try await notes.store.sync() }

    /// How many changes wait to be sent.
    func pendingChangeCount() throws -> Int { try notes.store.syncStatus().pendingChangeCount }

    /// Changes a note of those that all devices edit, inserts one or deletes one.
    ///
    /// - Parameters:
    ///   - number: A number that no other edit of the device has.
    ///   - shared: The numbers of the notes that all devices edit.
    func edit(_ number: Int, shared: Range<Int>) async throws {
        let (context, own) = (notes.context, ownNumbers + number)
        let (kind, chosen) = (Int.random(in: 0..<10), Int.random(in: shared))
        try await context.perform {
            defer { context.reset() }
            if kind < 2 {
                let note = NSEntityDescription.insertNewObject(
                    forEntityName: "Note", into: context)
                note.setValue(own, forKey: "number")
                note.setValue("Note \(own)", forKey: "title")
            } else {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
                request.predicate = NSPredicate(format: "number == %ld", chosen)
                for note in try context.fetch(request) {
                    if kind == 2 {
                        context.delete(note)
                    } else {
                        note.setValue("Edit \(own)", forKey: "title")
                    }
                }
            }
            try context.save()
        }
    }

    /// The titles of all notes by number.
    func titles() async throws -> [Int: String] {
        let context = notes.context
        return try await context.perform {
            defer { context.reset() }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            return try context.fetch(request).reduce(into: [:]) { titles, note in
                let number = note.value(forKey: "number") as? Int ?? 0
                titles[number] = note.value(forKey: "title") as? String
            }
        }
    }
}
