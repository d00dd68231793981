// Part of an app for iOS and macOS. To open it in Xcode, make a new project from the template
// Multiplatform ▸ App, replace its sources by those of this folder, add the folder Example of this
// repository as a local package, and link its product WorldClock and Seam3's product Seam3. Language
// mode: Swift 5. Capabilities: iCloud with CloudKit and a container, whose identifier goes into
// ClockStore.swift; Push Notifications; on iOS Background Modes with Remote notifications; on macOS
// App Sandbox with Outgoing Connections.

import SwiftUI
import WorldClock

/// The clocks that were edited on two devices at once.
///
/// The other device's version has won already, so that no synchronisation waits for the user. Who
/// prefers the own one takes it here: that is an edit like any other, and is sent.
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

/// What one side has of a clock.
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
