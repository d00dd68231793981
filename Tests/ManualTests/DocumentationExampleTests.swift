import Foundation
import Testing

@Suite("The examples in doc comments")
struct DocumentationExampleTests {
    private static let examples = ["Sources/Seam3", "Sources/Seam3Testing"].flatMap {
        (try? DocumentationExample.all(in: $0)) ?? []
    }

    /// The types and functions that an app uses first.
    private static let mostUsed = [
        "SMStore", "registerStoreClass", "SMStoreContainerOption",
        "SMStoreSyncConflictResolutionPolicyOption", "sync", "triggerSync", "handlePush",
        "syncAutomatically", "syncInterval", "mergeServerChanges",
        "verifyCloudKitConnectionAndUser", "resetBackingStore", "resetCloudFieldsInBackingStore",
        "accountChangeHandler", "zoneLossHandler", "recordConflictResolutionBlock",
        "syncConflictResolutionPolicy", "events", "syncProgress", "syncStatus", "SMStoreError",
        "SMSyncMonitor", "SMLogDelegate", "smSyncDidFinish", "adoptFile", "cloudKitSchema",
        "LocalContainer",
    ]

    /// The declarations that the examples assume: variables of an app, and the few parts of SwiftUI
    /// that they use.
    private static let surroundings = """
        import CloudKit
        import CoreData
        import Seam3
        import Seam3Testing
        import UIKit

        class AppDelegate: UIResponder, UIApplicationDelegate {}

        @MainActor protocol View {
            associatedtype Body: View
            @ViewBuilder var body: Body { get }
        }
        extension Never: View {
            var body: Never { fatalError() }
        }
        struct Text: View {
            init(_ text: String) {}
            var body: Never { fatalError() }
        }
        struct ProgressView: View {
            init(_ progress: Progress) {}
            var body: Never { fatalError() }
        }
        struct Either<First: View, Second: View>: View {
            var body: Never { fatalError() }
        }
        @MainActor @resultBuilder enum ViewBuilder {
            static func buildBlock<Content: View>(_ content: Content) -> Content { content }
            static func buildEither<First: View, Second: View>(
                first: First
            ) -> Either<First, Second> { Either() }
            static func buildEither<First: View, Second: View>(
                second: Second
            ) -> Either<First, Second> { Either() }
        }
        @propertyWrapper struct ObservedObject<Object: AnyObject> {
            var wrappedValue: Object
        }

        """

    private static let function = """
        (
            store: SMStore, container: NSPersistentContainer, url: URL,
            description: NSPersistentStoreDescription, model: NSManagedObjectModel,
            tag: NSEntityDescription, attribute: NSAttributeDescription,
            context: NSManagedObjectContext, editingContext: NSManagedObjectContext,
            userInfo: [AnyHashable: Any],
            completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void,
            note: NSManagedObject, tablet: LocalContainer,
            ask: @escaping @Sendable (String) async -> Bool
        ) async throws {
            var isSyncing = false

        """

    /// A source file with all examples. The compiler reports each under its own file and line.
    private static var source: String {
        var source = surroundings
        for (index, example) in examples.enumerated() where !example.isCommand {
            let code =
                "#sourceLocation(file: \"\(example.path)\", line: \(example.line))\n"
                + example.lines.joined(separator: "\n") + "\n#sourceLocation()\n"
            if example.isAtFileScope {
                source += code
            } else {
                source += "func example\(index)\(function)do {\n\(code)}\n}\n"
            }
        }
        return source
    }

    @Test("compile")
    func compile() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await UIKitStub.build(in: folder)
        let file = folder.appendingPathComponent("Examples.swift")
        try Data(Self.source.utf8).write(to: file)
        let (status, output) = try await Shell.swiftc(
            "-typecheck -parse-as-library -suppress-warnings -swift-version 5"
                + " -I '\(folder.path)' \(try Shell.moduleOptions()) '\(file.path)'")
        #expect(status == 0, "\(output)")
    }

    @Test("cover what apps use most", arguments: mostUsed)
    func covers(name: String) {
        #expect(Self.examples.contains { $0.declaration == name && !$0.isCommand })
    }
}
