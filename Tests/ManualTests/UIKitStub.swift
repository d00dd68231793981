import Foundation
import Testing

/// A module `UIKit` with the declarations that the manual's code uses, annotated like Apple's.
enum UIKitStub {
    private static let source = """
        import CoreData
        import Seam3
        @MainActor open class UIResponder { public init() {} }
        @MainActor open class UIApplication: UIResponder {
            public struct LaunchOptionsKey: Hashable, Sendable {}
            public func registerForRemoteNotifications() {}
        }
        public enum UIBackgroundFetchResult: UInt, Sendable { case newData, noData, failed }
        @MainActor public protocol UIApplicationDelegate: AnyObject {}
        extension FetchResult {
            public var uiBackgroundFetchResult: UIBackgroundFetchResult {
                UIBackgroundFetchResult(rawValue: rawValue) ?? .failed
            }
        }
        """

    /// Compiles the module into a folder.
    static func build(in folder: URL) async throws {
        let file = folder.appendingPathComponent("UIKit.swift")
        try Data(source.utf8).write(to: file)
        let (status, output) = try await Shell.swiftc(
            "-emit-module -swift-version 5 -module-name UIKit"
                + " \(try Shell.moduleOptions()) -o '\(folder.path)/UIKit.swiftmodule' '\(file.path)'"
        )
        #expect(status == 0, "\(output)")
    }
}

extension Shell {
    /// The compiler options with which it finds the modules of this package.
    static func moduleOptions() throws -> String {
        let folders = [try SymbolGraph.modules()] + (try SymbolGraph.moduleMapFolders())
        return folders.map { "-I '\($0.path)'" }.joined(separator: " ")
    }
}
