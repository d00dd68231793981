import ArgumentParser
import CoreData
import Seam3

/// Prints a schema in CloudKit's schema language.
struct Schema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the schema that a model needs, or that a local cloud has.",
        discussion: "Example: seam3 schema --model Clock.xcdatamodeld > schema.ckdb")

    @Option(help: "The app's model: .xcdatamodeld, .xcdatamodel, .momd or .mom.")
    var model: String?

    @Option(help: "The directory of a local cloud.", completion: .directory)
    var cloud: String?

    @Option(help: "The cloud's container, if it has several.")
    var container: String?

    func validate() throws {
        guard (model == nil) != (cloud == nil) else {
            throw ValidationError("Name either a model with --model or a cloud with --cloud.")
        }
    }

    func run() async throws {
        if let model {
            return print(try SMStore.cloudKitSchema(for: ModelOption.load(model)))
        }
        guard let cloud else { return }
        let directory = try CloudDirectory(cloud)
        print(try await directory.schema(of: directory.container(container)))
    }
}
