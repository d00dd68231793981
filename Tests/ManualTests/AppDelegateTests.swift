import Foundation
import Testing

/// An application's delegate, as the manual of Seam3 1 has one: a class of the main actor, with handlers that
/// use it.
@Suite("An application's delegate") struct AppDelegateTests {
    private static let delegate = """
        import CloudKit
        import CoreData
        import Seam3
        import UIKit

        class AppDelegate: UIResponder, UIApplicationDelegate {
            var smStore: SMStore?
            var lastUser: String?

            func begin() {
                smStore?.verifyCloudKitConnectionAndUser { status, user, error in
                    guard status == .available, error == nil else { return }
                    var complete = false
                    if self.lastUser != user {
                        do {
                            try self.smStore?.resetBackingStore()
                            complete = true
                        } catch {
                            print(error)
                        }
                    }
                    self.smStore?.triggerSync(complete: complete)
                }
                smStore?.verifyCloudKitStoreExists { exists, error in
                    if !exists { self.smStore?.triggerSync() }
                }
                smStore?.triggerSync { result, error in
                    print(result, error as Any, self.lastUser as Any)
                }
            }

            func application(
                _ application: UIApplication,
                didReceiveRemoteNotification userInfo: [AnyHashable: Any],
                fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
            ) {
                smStore?.handlePush(userInfo: userInfo) { result in
                    completionHandler(result.uiBackgroundFetchResult)
                }
            }

            func applicationDidReceive(
                _ userInfo: [AnyHashable: Any]
            ) async -> UIBackgroundFetchResult {
                guard let smStore else { return .noData }
                return await smStore.handlePush(userInfo: userInfo).uiBackgroundFetchResult
            }
        }

        extension AppDelegate: SMLogDelegate {
            nonisolated func log(_ message: @autoclosure () -> String, type: SMLogType) {
                print(message())
            }
        }
        """

    @Test("compiles with handlers that use it, in both modes of the language", arguments: [5, 6])
    func compiles(mode: Int) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("AppDelegate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let delegate = folder.appendingPathComponent("AppDelegate.swift")
        try Data(Self.delegate.utf8).write(to: delegate)
        let swiftc = try #require(Shell.find("swiftc"), "swiftc is not in any directory of PATH")
        try UIKitStub.build(in: folder)
        let (status, output) = try Shell.run(
            "'\(swiftc.path)' -typecheck -swift-version \(mode) -I '\(folder.path)' \(try Shell.moduleOptions())"
                + " '\(delegate.path)'")
        #expect(status == 0, "\(output)")
    }
}
