import CoreData
import LocalCloud
import SeamSQLite
import Testing

@testable import Seam3

@Suite("The article on the file's format") struct FileFormatArticleTests {
    private static func article() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: root.appendingPathComponent(
                "Sources/Seam3/Seam3.docc/Articles/FileAndRecordFormats.md"), encoding: .utf8)
    }

    /// The lines of an article from a heading to the next one.
    private static func section(_ heading: String, of article: String) -> [Substring] {
        let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: heading[...]) else { return [] }
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("#") })
    }

    /// The columns named in the first cells of a section's tables.
    private static func columns(in section: [Substring]) -> Set<String> {
        Set(
            section.filter { $0.hasPrefix("| `") }.flatMap { row in
                row.split(separator: "|")[0].split(separator: "`")
                    .filter { $0.allSatisfy { $0.isLetter || $0 == "_" } }.map(String.init)
            })
    }

    @Test("names each table of a fresh file, and exactly its columns") func columns() throws {
        let device = try Device(on: LocalCloud.inMemory(), model: LibraryModel.make())
        let connection = try SQLiteConnection(path: device.file.path)
        let tables = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'sm~_%' ESCAPE '~'"
        ) { $0.text(at: 0) }
        let article = try Self.article()
        let fixed = tables.filter { !$0.hasPrefix("SM_Link") }
        #expect(Set(fixed) == Set(FileLayout.fixedNames))
        for table in fixed {
            let section = Self.section("### `\(table)`", of: article)
            #expect(!section.isEmpty, "\(table)")
            let columns = try connection.rows("PRAGMA table_info(\(table.sqlIdentifier))") {
                $0.text(at: 1)
            }
            #expect(Self.columns(in: section) == Set(columns), "\(table)")
        }
    }

    @Test("names the columns of links, and those that all objects have") func links() throws {
        let device = try Device(on: LocalCloud.inMemory(), model: LibraryModel.make())
        let connection = try SQLiteConnection(path: device.file.path)
        let schema = StoreSchema(
            model: LibraryModel.make(), configuration: nil, assignedNames: AssignedNames())
        let named = Self.columns(in: Self.section("### Objects and links", of: try Self.article()))
        func columns(_ table: String) throws -> Set<String> {
            Set(
                try connection.rows("PRAGMA table_info(\(table.sqlIdentifier))") { $0.text(at: 1) })
        }
        for link in schema.links { #expect(try columns(link.table).isSubset(of: named)) }
        for table in schema.tables {
            #expect(try columns(table.name).subtracting(table.columns).isSubset(of: named))
        }
    }
}
