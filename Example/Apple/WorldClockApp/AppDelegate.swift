// Part of an app for iOS and macOS. To open it in Xcode, make a new project from the template
// Multiplatform ▸ App with the name WorldClockApp (WorldClock is the name of a module here), and replace
// its sources by those of this folder. Add two local packages: the folder of this repository and its folder
// Example; link the product Seam3 of the one and WorldClock of the other. Language mode: Swift 5.
// Capabilities: iCloud with CloudKit and a container, whose identifier goes into ClockStore.swift; Push
// Notifications; on iOS Background Modes with Remote notifications; on macOS App Sandbox with Outgoing
// Connections.

import Seam3
import SwiftUI

/// Opens the store at launch, and passes pushes on to it.
@MainActor
final class AppDelegate: NSObject {
    let clocks = ClockStore()
}

#if os(macOS)
extension AppDelegate: NSApplicationDelegate {
    func applicationDidFinishLaunching(_ notification: Notification) {
        NSApplication.shared.registerForRemoteNotifications()
        Task { await clocks.open() }
    }

    func application(
        _ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]
    ) {
        clocks.store?.handlePush(userInfo: userInfo)
    }
}
#else
extension AppDelegate: UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerForRemoteNotifications()
        Task { await clocks.open() }
        return true
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let store = clocks.store else { return completionHandler(.noData) }
        store.handlePush(userInfo: userInfo) { result in
            completionHandler(result.uiBackgroundFetchResult)
        }
    }
}
#endif
