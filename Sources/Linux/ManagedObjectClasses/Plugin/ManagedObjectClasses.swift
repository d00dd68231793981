import Foundation
import PackagePlugin

/// Makes Core Data's model classes work on Linux: it generates the classes that Xcode generates
/// from a model, and the accessors of `@NSManaged` properties and methods.
///
/// On Apple's systems Xcode and the Objective-C runtime do that, and the plugin does nothing.
@main
struct ManagedObjectClasses: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(Linux)
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        let sources = target.sourceFiles(withSuffix: "swift").map(\.url)
        let models = try Self.models(in: target.directoryURL)
        let output = context.pluginWorkDirectoryURL
            .appendingPathComponent("\(target.moduleName)+ManagedObjectClasses.swift")
        var arguments = ["--module", target.moduleName, "--output", output.path]
        for flag in target.compilationConditions { arguments += ["--define", flag] }
        for model in models { arguments += ["--model", model.path] }
        arguments += sources.map(\.path)
        let tool = try context.tool(named: "ManagedObjectClassesTool").url
        let classes = Command.buildCommand(
            displayName: "Generating managed object classes of \(target.name)",
            executable: tool, arguments: arguments,
            inputFiles: try sources + models.flatMap(Self.files(of:)), outputFiles: [output])
        let resources = Set(target.sourceFiles.filter { $0.type == .resource }.map(\.url.path))
        let mappingModels = try Self.folders(
            in: target.directoryURL, withExtensions: ["xcmappingmodel"])
        let compiled = try (models + mappingModels).filter { resources.contains($0.path) }.map {
            try Self.compilation(of: $0, in: context.pluginWorkDirectoryURL, by: tool)
        }
        return [classes] + compiled
        #else
        return []
        #endif
    }

    #if os(Linux)
    /// The command that puts a model of the target's resources where Xcode puts the compiled one.
    private static func compilation(
        of model: URL, in folder: URL, by tool: URL
    ) throws -> Command {
        let compiled = ["xcdatamodeld": "momd", "xcmappingmodel": "cdm"]
        let output = folder.appendingPathComponent(
            model.deletingPathExtension().lastPathComponent
        )
        .appendingPathExtension(compiled[model.pathExtension] ?? "mom")
        return .buildCommand(
            displayName: "Preparing \(model.lastPathComponent) for its bundle",
            executable: tool, arguments: ["--compile", model.path, "--output", output.path],
            inputFiles: try files(of: model), outputFiles: [output])
    }

    /// The source models in a folder; the versions inside a model are not models of their own.
    private static func models(in folder: URL) throws -> [URL] {
        try folders(in: folder, withExtensions: ["xcdatamodeld", "xcdatamodel"])
    }

    private static func folders(
        in folder: URL, withExtensions extensions: [String]
    ) throws -> [URL] {
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var models: [URL] = []
        for case let path as String in files {
            guard extensions.contains(where: { path.hasSuffix(".\($0)") }) else { continue }
            files.skipDescendants()
            models.append(folder.appendingPathComponent(path))
        }
        return models.sorted { $0.path < $1.path }
    }

    /// The files of a model on which the generated classes depend.
    private static func files(of model: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: model.path)
            .filter { path in
                ["contents", ".xccurrentversion", "xcmapping.xml"].contains(where: path.hasSuffix)
            }
            .sorted().map(model.appendingPathComponent)
    }
    #endif
}
