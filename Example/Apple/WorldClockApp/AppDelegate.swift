// Part of an app for iOS and macOS, whose Xcode project is described by ../project.yml.

import Seam3
import SwiftUI

/// Opens the store at launch, and forwards pushes to it.
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
        Task {
            await clocks.open()
            _ = await clocks.store?.handlePush(userInfo: userInfo)
        }
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
        Task {
            // The push may have launched the app.
            await clocks.open()
            let result = await clocks.store?.handlePush(userInfo: userInfo)
            completionHandler((result ?? .failed).uiBackgroundFetchResult)
        }
    }
}
#endif
