import ArgumentParser
import Console
import CoreData
import Seam3

/// Shows which model a file belongs to.
struct Model: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the file records about its model, and whether a model fits.",
        discussion: """
            Example: seam3 model Clock.sqlite --model Clock.xcdatamodeld

            With --model the exit code is 1 if the store must be migrated before that model can open it.
            """)

    @OptionGroup var file: StoreArgument

    @Option(help: "A model to compare with: .xcdatamodeld, .xcdatamodel, .momd or .mom.")
    var model: String?

    func run() async throws {
        let url = try file.url()
        let metadata = try SMStore.metadataForPersistentStore(with: url)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        print("Store: \(metadata[NSStoreUUIDKey] as? String ?? "without identifier")")
        print("Type:  \(metadata[NSStoreTypeKey] as? String ?? "unknown")")
        print("")
        guard let path = model else {
            let rows = hashes.sorted { $0.key < $1.key }.map { [$0.key, Self.text($0.value)] }
            return print(TextTable.lines(["Entity", "Version hash"], rows))
        }
        let model = try ModelOption.load(path)
        print(Self.comparison(hashes, model.entityVersionHashesByName))
        guard model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else {
            print("The store is of another version of the model.")
            throw ExitCode.failure
        }
        print("The store is of this model.")
    }

    private static func comparison(_ file: [String: Data], _ model: [String: Data]) -> String {
        let rows = Set(file.keys).union(model.keys).sorted().map { name in
            let verdict =
                switch (file[name], model[name]) {
                case (let old?, let new?): old == new ? "same" : "changed"
                case (nil, _): "only in the model"
                case (_, nil): "only in the file"
                }
            return [name, text(file[name]), text(model[name]), verdict]
        }
        return TextTable.lines(["Entity", "File", "Model", ""], rows)
    }

    /// The beginning of a hash, enough to tell two hashes apart.
    private static func text(_ hash: Data?) -> String {
        hash.map { $0.prefix(6).map { String(format: "%02x", $0) }.joined() } ?? "–"
    }
}
