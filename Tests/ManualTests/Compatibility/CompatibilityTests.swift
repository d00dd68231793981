import Foundation
import Testing

/// The articles' tables are generated from the modules' declarations. With `SEAM_WRITE_TABLES=1` in the
/// environment this suite writes them instead of comparing them.
@Suite("The tables of what the Linux modules support")
struct CompatibilityTests {
    /// A module of this package, and the article about it.
    struct Module: CustomTestStringConvertible {
        let name: String
        let page: String
        /// A type that developers on Apple's systems would look for first.
        let knownType: String

        var testDescription: String { name }

        var path: String { "\(Manual.catalog)/Articles/\(page).md" }
    }

    static let modules = [
        Module(name: "CoreData", page: "CoreDataOnLinux", knownType: "NSFetchedResultsController"),
        Module(name: "CloudKit", page: "CloudKitOnLinux", knownType: "CKRecord.ID"),
        Module(name: "FoundationGaps", page: "FoundationOnLinux", knownType: "NSExpression"),
    ]

    @Test("List what the code declares, and what the modules' pages leave out", arguments: modules)
    func tables(module: Module) async throws {
        var article = try ArticleSections(Manual(module.path).text)
        let table = CompatibilityTable(try await SymbolGraph.symbols(ofModule: module.name))
        #expect(table.lines.contains { $0.hasPrefix("| `\(module.knownType)` | `") })
        let leftOut = try ArticleSections(Manual("Sources/Linux/\(module.name)/README.md").text)
            .lines(under: ["## Left out"])
        article.replace(under: ["## Supported"], by: table.lines)
        article.replace(under: ["## Left out"], by: leftOut)
        article.replace(under: ["## On Linux only"], by: table.linuxOnlyLines)
        if ProcessInfo.processInfo.environment["SEAM_WRITE_TABLES"] != nil {
            try article.text.write(
                to: Manual.root.appendingPathComponent(module.path), atomically: true,
                encoding: .utf8)
        } else {
            let written = try Manual(module.path).text.components(separatedBy: "\n")
            let change = article.text.components(separatedBy: "\n").difference(from: written)
            #expect(
                change.isEmpty,
                """
                \(module.path) is not up to date. To write its tables anew:
                SEAM_WRITE_TABLES=1 swift test --filter CompatibilityTests
                """)
        }
    }
}
