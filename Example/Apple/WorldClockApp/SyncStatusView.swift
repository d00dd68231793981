// Part of an app for iOS and macOS, whose Xcode project is described by ../project.yml.

import Combine
import Seam3
import SwiftUI

/// The state of the sync, in one line.
struct SyncStatusRow: View {
    @EnvironmentObject private var model: ClockStore

    var body: some View {
        if let progress = model.progress {
            ProgressView(progress)
        } else {
            Label(text, systemImage: symbol)
        }
    }

    private var text: String {
        if let problem = model.problem { return problem }
        switch model.status?.state {
        case .waiting: return "Waiting for the network"
        case .failed: return "The last sync failed"
        default: break
        }
        let count = model.status?.pendingChangeCount ?? 0
        return count == 0 ? "Everything is synced" : "\(count) changes wait"
    }

    private var symbol: String {
        if model.problem != nil { return "exclamationmark.icloud" }
        switch model.status?.state {
        case .waiting, .failed: return "exclamationmark.icloud"
        default: return "checkmark.icloud"
        }
    }
}

/// The state of the sync, in full.
struct SyncStatusView: View {
    @EnvironmentObject private var model: ClockStore

    var body: some View {
        List {
            if let problem = model.problem {
                Section("Attention") { Text(problem) }
            }
            if let progress = model.progress {
                Section("Syncing") {
                    ProgressView(progress)
                    Button("Cancel", action: model.cancel)
                }
            }
            if let status = model.status {
                Section("Status") {
                    row("Changes that wait", "\(status.pendingChangeCount)")
                    row("Last sync", date(status.lastSuccess))
                    if let error = status.lastError { row("Last error", error) }
                    if let next = status.nextAttempt { row("Next try", date(next)) }
                }
            }
            if let summary = model.summary {
                Section("The last sync") {
                    row("New here", "\(summary.insertedObjectIDs.count)")
                    row("Changed here", "\(summary.updatedObjectIDs.count)")
                    row("Deleted here", "\(summary.deletedObjectIDs.count)")
                    row("Sent", "\(summary.savedRecordCount + summary.deletedRecordCount)")
                    row("Conflicts", "\(summary.conflictCount)")
                }
            }
            Button("Sync now", action: model.synchronize)
                .disabled(model.progress != nil)
        }
        .navigationTitle("Sync")
    }

    private func row(_ title: String, _ value: String) -> some View {
        HStack {
            Text(title)
            Spacer()
            Text(value).foregroundColor(.secondary)
        }
    }

    private func date(_ date: Date?) -> String {
        date?.formatted(date: .abbreviated, time: .standard) ?? "never"
    }
}
