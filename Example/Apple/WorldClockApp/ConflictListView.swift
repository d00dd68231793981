// Part of an app for iOS and macOS, whose Xcode project is described by ../project.yml.

import Combine
import SwiftUI
import WorldClock

/// The clocks that were edited on two devices at once.
///
/// The other device's version has won already, so that no sync waits for the user. A user who
/// prefers this device's version chooses it here: that is an ordinary edit, and it is sent.
struct ConflictListView: View {
    @EnvironmentObject private var model: ClockStore

    var body: some View {
        List(model.conflicts) { conflict in
            Section(conflict.before.label) {
                ConflictVersionRow(title: "Before", version: conflict.before)
                ConflictVersionRow(title: "The other device", version: conflict.theirs)
                ConflictVersionRow(title: "This device", version: conflict.mine)
                Button("Keep the other device's") { model.acceptTheirs(conflict) }
                Button("Take this device's") {
                    Task { await model.takeMine(conflict) }
                }
            }
        }
        .navigationTitle("Conflicts")
    }
}

/// One side's version of a clock.
struct ConflictVersionRow: View {
    let title: String
    let version: ClockConflict.Version

    var body: some View {
        VStack(alignment: .leading) {
            Text(title).font(.caption).foregroundColor(.secondary)
            Text(version.label)
            if !version.note.isEmpty { Text(version.note).font(.callout) }
        }
    }
}
