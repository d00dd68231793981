import Foundation
import Testing

/// An app delegate like the one in the manual of Seam3 1: a class of the main actor, with handlers
/// that use it.
@Suite("An app delegate") struct AppDelegateTests {
    private static let delegate = """
        import CloudKit
        import CoreData
        import Seam3
        import UIKit

        class AppDelegate: UIResponder, UIApplicationDelegate {
            var smStore: SMStore?
            var lastUser: String?

            lazy var container: NSPersistentContainer = {
                SMStore.registerStoreClass()
                let container = NSPersistentContainer(
                    name: "Notes", managedObjectModel: NSManagedObjectModel())
                let folders = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
                if let folder = folders.last {
                    let description = NSPersistentStoreDescription(
                        url: folder.appendingPathComponent("Notes.sqlite"))
                    description.type = SMStore.type
                    description.setOption(
                        "iCloud.org.example" as NSString, forKey: SMStore.SMStoreContainerOption)
                    container.persistentStoreDescriptions = [description]
                    container.loadPersistentStores(completionHandler: { (description, error) in
                        if let error = error as NSError? {
                            fatalError("\\(error), \\(error.userInfo)")
                        }
                    })
                }
                return container
            }()

            func open(_ coordinator: NSPersistentStoreCoordinator?, at url: URL) throws {
                smStore = container.persistentStoreCoordinator.persistentStores.first as? SMStore
                let options: [String: Any] = [SMStore.SMStoreContainerOption: "iCloud.org.example"]
                smStore = try coordinator!.addPersistentStore(
                    ofType: SMStore.type, configurationName: nil, at: url, options: options)
                    as? SMStore
            }

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

    /// A delegate whose block uses it. In Swift 6 mode the compiler refuses the block, because the store calls it on a
    /// queue of its own.
    private static let conflictDelegate = """

        class ConflictDelegate: UIResponder, UIApplicationDelegate {
            var count = 0

            func begin(_ store: SMStore) {
                store.recordConflictResolutionBlock = { server, client, ancestor in
                    self.count += 1
                    return server
                }
            }
        }
        """

    /// A delegate that receives the log's messages itself. In Swift 6 mode its method has to be
    /// `nonisolated`, because stores log on their own queues.
    private static let logDelegate = """

        class LogDelegate: UIResponder, UIApplicationDelegate, SMLogDelegate {
            func begin() { SMStore.logger = self }

            func log(_ message: @autoclosure () -> String, type: SMLogType) {
                switch type {
                case .debug: print("Debug: \\(message())")
                case .info: print("Info: \\(message())")
                case .error: print("Error: \\(message())")
                case .fault: print("Fault: \\(message())")
                case .defaultType: print("Default: \\(message())")
                }
            }
        }
        """

    @Test("compiles with handlers that use it, in both modes of the language", arguments: [5, 6])
    func compiles(mode: Int) async throws {
        let text = Self.delegate + (mode == 5 ? Self.logDelegate + Self.conflictDelegate : "")
        let (status, output) = try await Self.compile(text, mode: mode)
        #expect(status == 0, "\(output)")
    }

    /// What a package's build adds to the program of the manual.
    private static let generated = """

        extension Bundle { static var module: Bundle { .main } }
        final class Clock: NSManagedObject { var label: String? { get { nil } set {} } }
        """

    @Test("of Getting started compiles with the program that it opens", arguments: [5, 6])
    func gettingStarted(mode: Int) async throws {
        let page = try Manual("\(Manual.catalog)/Articles/GettingStarted.md")
        let samples = page.samples.map(\.text)
        let program = try #require(samples.first { $0.contains("struct Clocks") })
        let delegate = try #require(samples.first { $0.contains("import UIKit") })
        let (status, output) = try await Self.compile(
            program + delegate + Self.generated, mode: mode)
        #expect(status == 0, "\(output)")
    }

    @Test(
        "does not compile in Swift 6 mode if what stores call on their own queues uses its state",
        arguments: [logDelegate, conflictDelegate])
    func wrongIsolation(text: String) async throws {
        let (status, output) = try await Self.compile(Self.delegate + text, mode: 6)
        #expect(status != 0)
        #expect(output.contains("main actor-isolated"), "\(output)")
    }

    private static func compile(
        _ text: String, mode: Int
    ) async throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("AppDelegate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let delegate = folder.appendingPathComponent("AppDelegate.swift")
        try Data(text.utf8).write(to: delegate)
        try await UIKitStub.build(in: folder)
        return try await Shell.swiftc(
            "-typecheck -swift-version \(mode) -I '\(folder.path)' \(try Shell.moduleOptions())"
                + " '\(delegate.path)'")
    }
}
