// Part of an app for iOS and macOS, whose Xcode project is described by ../project.yml.

import Combine
import CoreData
import SwiftUI
import WorldClock

/// Creates or edits a clock.
struct ClockEditor: View {
    let stack: CoreDataStack
    /// nil for a new clock.
    let clock: Clock?

    @EnvironmentObject private var model: ClockStore
    @Environment(\.dismiss) private var dismiss
    @State private var label: String
    @State private var note: String
    @State private var zoneName: String

    init(stack: CoreDataStack, clock: Clock?) {
        self.stack = stack
        self.clock = clock
        _label = State(initialValue: clock?.label ?? "")
        _note = State(initialValue: clock?.note ?? "")
        _zoneName = State(initialValue: clock?.timeZone?.name ?? TimeZone.current.identifier)
    }

    var body: some View {
        Form {
            TextField("Label", text: $label)
            Picker("Zone", selection: $zoneName) {
                ForEach(TimeZone.knownTimeZoneIdentifiers, id: \.self) { Text($0) }
            }
            TextField("Note", text: $note)
            Button("Save", action: save).disabled(label.isEmpty)
        }
        .navigationTitle(clock == nil ? "New Clock" : "Clock")
    }

    private func save() {
        let context = stack.container.viewContext
        do {
            if let clock {
                clock.label = label
                clock.note = note.isEmpty ? nil : note
                clock.timeZone = try context.zone(named: zoneName)
            } else {
                try context.addClock(label, zone: zoneName, note: note.isEmpty ? nil : note)
            }
            model.save(context)
            dismiss()
        } catch {
            context.rollback()
            model.show(error)
        }
    }
}
