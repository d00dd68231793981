import ArgumentParser
import Console
import CoreData
import Seam3

/// Looks for inconsistencies in a store.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the file's invariants; the exit code is 1 if one is violated.",
        discussion: "Example: seam3 check Clock.sqlite --model Clock.xcdatamodeld")

    @OptionGroup var file: StoreArgument
    @OptionGroup var model: ModelOption
    @OptionGroup var log: LogOption

    @Option(help: "The maximum number of violations of one kind for one property.")
    var limit = 100

    func validate() throws {
        guard limit > 0 else { throw ValidationError("The limit must be positive.") }
    }

    func run() async throws {
        StoreLogger.start(log)
        let open = try OpenStore(file.url(), model: model)
        let violations = try open.store.checkInvariants(limit: limit)
        guard !violations.isEmpty else {
            print("The store is sound: \(SMStoreViolation.Rule.allCases.count) rules hold.")
            return
        }
        let rows = violations.map { violation in
            [
                violation.rule.rawValue, violation.entityName ?? "–",
                violation.propertyName ?? "–", violation.referenceObject ?? "–",
                violation.reason,
            ]
        }
        print(TextTable.lines(["Rule", "Entity", "Property", "Object", "Reason"], rows))
        throw ExitCode.failure
    }
}
