import ArgumentParser
import Console
import CoreData
import Seam3

/// Converts a Core Data file into a store.
struct Adopt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Adopt a file of Core Data's own store, or report what that would do.",
        discussion: "Example: seam3 adopt Old.sqlite --model Clock.xcdatamodeld --dry-run")

    @OptionGroup var file: StoreArgument
    @OptionGroup var model: ModelOption
    @OptionGroup var log: LogOption

    @Flag(help: "Only report. The file is left unchanged.")
    var dryRun = false

    func run() async throws {
        StoreLogger.start(log)
        let adoption = try SMStore.adoptFile(
            at: file.url(), model: model.load(), isDryRun: dryRun)
        guard let adoption else {
            return print("The file is a store of Seam3 already. There is nothing to adopt.")
        }
        print(Self.table(adoption.report))
        print("")
        for name in adoption.missingData { print("The file with data of \(name) is missing.") }
        let (adopted, all) = (adoption.adoptedObjectCount, adoption.objectCount)
        let count = adopted == all ? "\(all) objects" : "\(adopted) of \(all) objects"
        if dryRun {
            print("\(count) would be adopted. Nothing has been written.")
        } else {
            print("\(count) adopted. The old file is \(adoption.originalURL.path).")
        }
        let lost = adoption.leftOut.filter { $0.property == nil && $0.takenCount == 0 }
            .map { "\($0.entity) (\($0.foundCount))" }
        if !lost.isEmpty {
            print(
                "Nothing of \(lost.joined(separator: ", ")): is \(model.model) the model of this file?"
            )
        }
    }

    private static func table(_ report: [SMAdoption.Entry]) -> String {
        let rows = report.map { entry in
            [
                entry.entity + (entry.property.map { ".\($0)" } ?? ""), "\(entry.foundCount)",
                "\(entry.takenCount)", "\(entry.changedCount)", "\(entry.leftOutCount)",
                entry.reasons.joined(separator: "; "),
            ]
        }
        return TextTable.lines(
            ["Of", "Found", "Adopted", "Changed", "Left out", "Why"], rows)
    }
}
