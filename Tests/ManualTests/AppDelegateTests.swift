import Foundation
import Testing

/// An application's delegate, as the manual of Seam3 1 has one: a class of the main actor, with handlers that
/// use it.
@Suite("An application's delegate") struct AppDelegateTests {
    /// The parts of UIKit that it uses, annotated as Apple's are.
    private static let stub = """
        import Seam3
        @MainActor open class UIResponder { public init() {} }
        @MainActor open class UIApplication: UIResponder {}
        public enum UIBackgroundFetchResult: UInt, Sendable { case newData, noData, failed }
        @MainActor public protocol UIApplicationDelegate: AnyObject {}
        extension FetchResult {
            public var uiBackgroundFetchResult: UIBackgroundFetchResult {
                UIBackgroundFetchResult(rawValue: rawValue) ?? .failed
            }
        }
        """

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
        let (stub, delegate) = (
            folder.appendingPathComponent("UIKit.swift"),
            folder.appendingPathComponent("AppDelegate.swift")
        )
        try Data(Self.stub.utf8).write(to: stub)
        try Data(Self.delegate.utf8).write(to: delegate)
        let swiftc = try #require(Shell.find("swiftc"), "swiftc is not in any directory of PATH")
        let options = try Shell.moduleOptions()
        let library = try Shell.run(
            "'\(swiftc.path)' -emit-module -swift-version 5 -module-name UIKit \(options)"
                + " -o '\(folder.path)/UIKit.swiftmodule' '\(stub.path)'")
        #expect(library.status == 0, "\(library.output)")
        let (status, output) = try Shell.run(
            "'\(swiftc.path)' -typecheck -swift-version \(mode) -I '\(folder.path)' \(options)"
                + " '\(delegate.path)'")
        #expect(status == 0, "\(output)")
    }
}

extension Shell {
    /// The compiler's options that make it find the modules of this package.
    static func moduleOptions() throws -> String {
        let folders = [try SymbolGraph.modules()] + (try SymbolGraph.moduleMapFolders())
        return folders.map { "-I '\($0.path)'" }.joined(separator: " ")
    }
}
