// Part of an app for iOS and macOS, whose Xcode project is described by ../project.yml.

import Combine
import CoreData
import SwiftUI
import WorldClock

/// All clocks with their times, and links to the other screens.
struct ClockListView: View {
    let stack: CoreDataStack

    @EnvironmentObject private var model: ClockStore
    @FetchRequest(fetchRequest: ClockListView.request) private var clocks: FetchedResults<Clock>
    @State private var isAdding = false

    private static var request: NSFetchRequest<Clock> {
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [
            NSSortDescriptor(key: "position", ascending: true),
            NSSortDescriptor(key: "label", ascending: true),
        ]
        return request
    }

    var body: some View {
        List {
            Section {
                NavigationLink(destination: SyncStatusView()) { SyncStatusRow() }
                if !model.conflicts.isEmpty {
                    NavigationLink(destination: ConflictListView()) {
                        Label(
                            "Conflicts: \(model.conflicts.count)",
                            systemImage: "arrow.triangle.branch")
                    }
                }
            }
            Section("Clocks") {
                ForEach(clocks, id: \.objectID) { clock in
                    NavigationLink(destination: ClockEditor(stack: stack, clock: clock)) {
                        ClockRow(clock: clock)
                    }
                }
                .onDelete(perform: delete)
            }
        }
        .navigationTitle("World Clock")
        .toolbar {
            Button {
                isAdding = true
            } label: {
                Label("Add", systemImage: "plus")
            }
        }
        .sheet(isPresented: $isAdding) { ClockEditor(stack: stack, clock: nil) }
    }

    private func delete(_ offsets: IndexSet) {
        let context = stack.container.viewContext
        for index in offsets { context.delete(clocks[index]) }
        model.save(context)
    }
}

/// A clock with the time in its zone.
struct ClockRow: View {
    @ObservedObject var clock: Clock

    var body: some View {
        HStack {
            VStack(alignment: .leading) {
                Text(clock.label)
                Text(clock.timeZone?.name ?? "No zone").font(.caption).foregroundColor(.secondary)
                if let note = clock.note { Text(note).font(.caption) }
            }
            Spacer()
            TimelineView(.everyMinute) { timeline in
                Text(time(at: timeline.date)).monospacedDigit()
            }
        }
    }

    private func time(at date: Date) -> String {
        guard let zone = clock.timeZone.flatMap({ TimeZone(identifier: $0.name) }) else {
            return "–"
        }
        let formatter = DateFormatter()
        formatter.timeZone = zone
        formatter.dateStyle = .none
        formatter.timeStyle = .short
        return formatter.string(from: date)
    }
}
