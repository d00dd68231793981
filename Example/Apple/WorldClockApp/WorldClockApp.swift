// Part of an app for iOS and macOS, whose Xcode project is described by ../project.yml.

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
