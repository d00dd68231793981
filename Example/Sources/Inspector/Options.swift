import ArgumentParser
import Console
import CoreData

/// The file that a command reads.
struct StoreArgument: ParsableArguments {
    @Argument(help: "The store's SQLite file.", completion: .file())
    var store: String

    /// The file, which exists.
    func url() throws -> URL {
        let url = URL(fileURLWithPath: store)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw Console.Failure("There is no file at \(store).")
        }
        guard !isDirectory.boolValue else {
            throw Console.Failure("\(store) is a directory. A store is a file.")
        }
        return url
    }
}

/// The model that a command needs to read a store.
struct ModelOption: ParsableArguments {
    @Option(help: "The app's model: .xcdatamodeld, .xcdatamodel, .momd or .mom.")
    var model: String

    /// The version of the model that a file was written with; nil if none of the versions fits.
    func version(compatibleWith metadata: [String: Any]) -> NSManagedObjectModel? {
        let folder = URL(fileURLWithPath: model)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: model)) ?? []
        return names.sorted().map(folder.appendingPathComponent)
            .filter { ["xcdatamodel", "mom"].contains($0.pathExtension) }
            .compactMap(NSManagedObjectModel.init(contentsOf:))
            .first { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
    }

    /// The model.
    func load() throws -> NSManagedObjectModel {
        try Self.load(model)
    }

    /// The model at a path.
    static func load(_ path: String) throws -> NSManagedObjectModel {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Console.Failure("There is no model at \(path).")
        }
        guard let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)) else {
            throw Console.Failure("The model at \(path) cannot be read.")
        }
        return model
    }
}

/// Whether a command shows the store's log.
struct LogOption: ParsableArguments {
    @Flag(help: "Write the store's log, including its SQL, to standard error.")
    var verbose = false
}
