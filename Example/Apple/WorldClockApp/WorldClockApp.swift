// Part of an app for iOS and macOS. To open it in Xcode, make a new project from the template
// Multiplatform ▸ App with the name WorldClockApp (WorldClock is the name of a module here), and replace
// its sources by those of this folder. Add two local packages: the folder of this repository and its folder
// Example; link the product Seam3 of the one and WorldClock of the other. Language mode: Swift 5.
// Capabilities: iCloud with CloudKit and a container, whose identifier goes into ClockStore.swift; Push
// Notifications; on iOS Background Modes with Remote notifications; on macOS App Sandbox with Outgoing
// Connections.

import Combine
import CoreData
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
