import Foundation
import PackagePlugin

/// Rewrites Swift files that were written for Apple's systems, so that they also compile on Linux:
/// `swift package port-tests <folder>`.
@main
struct PortTests: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let tool = Process()
        tool.executableURL = try context.tool(named: "PortTestsTool").url
        // The folder is one of the package, wherever the command was called.
        tool.currentDirectoryURL = context.package.directoryURL
        tool.arguments =
            context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
            .flatMap { ["--target", $0.moduleName, $0.directoryURL.path] } + arguments
        try tool.run()
        tool.waitUntilExit()
        guard tool.terminationReason == .exit, tool.terminationStatus == 0 else { exit(1) }
    }
}
