import Foundation
import Testing

/// The article's tables are made of the modules' declarations. `SEAM_WRITE_TABLES=1` in the
/// environment has this suite write them anew instead of comparing them.
@Suite("The tables of what there is on Linux")
struct CompatibilityTests {
    /// A module of this package, and the heading of the article's section about it.
    struct Module: CustomTestStringConvertible {
        let name: String
        let heading: String
        /// A type that Apple's developers would look for first.
        let knownType: String

        var testDescription: String { name }
    }

    static let article = "\(Manual.catalog)/Articles/LinuxCompatibility.md"
    static let modules = [
        Module(name: "CoreData", heading: "## Core Data", knownType: "NSFetchedResultsController"),
        Module(name: "CloudKit", heading: "## CloudKit", knownType: "CKRecord.ID"),
        Module(name: "FoundationGaps", heading: "## Foundation", knownType: "NSExpression"),
    ]

    @Test("List what the code declares, and what the modules' pages leave out")
    func tables() throws {
        var article = try ArticleSections(Manual(Self.article).text)
        for module in Self.modules {
            let table = CompatibilityTable(try SymbolGraph.symbols(ofModule: module.name))
            #expect(table.lines.contains { $0.hasPrefix("| `\(module.knownType)` | `") })
            let leftOut = try ArticleSections(Manual("Sources/Linux/\(module.name)/README.md").text)
                .lines(under: ["## Left out"])
            article.replace(under: [module.heading, "### What there is"], by: table.lines)
            article.replace(under: [module.heading, "### Left out"], by: leftOut)
            article.replace(
                under: [module.heading, "### On Linux only"], by: table.linuxOnlyLines)
        }
        if ProcessInfo.processInfo.environment["SEAM_WRITE_TABLES"] != nil {
            try article.text.write(
                to: Manual.root.appendingPathComponent(Self.article), atomically: true,
                encoding: .utf8)
        } else {
            let written = try Manual(Self.article).text.components(separatedBy: "\n")
            let change = article.text.components(separatedBy: "\n").difference(from: written)
            #expect(
                change.isEmpty,
                """
                \(Self.article) is not up to date. To write its tables anew:
                SEAM_WRITE_TABLES=1 swift test --filter CompatibilityTests
                """)
        }
    }
}
