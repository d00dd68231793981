// Part of an app for iOS and macOS. To open it in Xcode, make a new project from the template
// Multiplatform ▸ App, replace its sources by those of this folder, add the folder Example of this
// repository as a local package, and link its product WorldClock and Seam3's product Seam3. Language
// mode: Swift 5. Capabilities: iCloud with CloudKit and a container, whose identifier goes into
// ClockStore.swift; Push Notifications; on iOS Background Modes with Remote notifications; on macOS
// App Sandbox with Outgoing Connections.

import SwiftUI
import WorldClock

@main
struct WorldClockApp: App {
    #if os(macOS)
    @NSApplicationDelegateAdaptor private var delegate: AppDelegate
    #else
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate
    #endif

    var body: some Scene {
        WindowGroup {
            RootView()
                .environmentObject(delegate.clocks)
        }
    }
}

/// The clocks, once the store is open.
struct RootView: View {
    @EnvironmentObject private var clocks: ClockStore

    var body: some View {
        switch clocks.phase {
        case .opening:
            ProgressView("Opening…")
        case .failed(let reason):
            Text(reason).foregroundColor(.red).padding()
        case .open(let stack):
            NavigationView {
                ClockListView(stack: stack)
            }
            .environment(\.managedObjectContext, stack.container.viewContext)
        }
    }
}
