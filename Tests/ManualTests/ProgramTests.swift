import Foundation
import Testing

/// The program of the README and of the manual, and the package around it. `Tests/Consumer/run` builds, runs and tests
/// it as it stands.
@Suite("The program of the manual")
struct ProgramTests {
    private static let articles = "\(Manual.catalog)/Articles"

    /// The pages that show a file, and the file.
    private static let files = [
        ("README.md", "Sources/WorldClock/Clocks.swift"),
        ("\(articles)/GettingStarted.md", "Sources/WorldClock/Clocks.swift"),
        ("README.md", "Tests/WorldClockTests/SyncTests.swift"),
        ("\(articles)/TestingWithTheLocalCloud.md", "Tests/WorldClockTests/SyncTests.swift"),
    ]

    @Test("is the one that Tests/Consumer tests, word for word", arguments: files)
    func file(page: String, file: String) throws {
        let text = try Manual("Tests/Consumer/\(file)").text
        #expect(
            try Manual(page).samples.contains { $0.text == text }, "\(page) does not show \(file)")
    }

    @Test("has the model of Tests/Consumer")
    func model() throws {
        let path = "Sources/WorldClock/WorldClock.xcdatamodeld/WorldClock.xcdatamodel/contents"
        let page = try Manual("\(Self.articles)/GettingStarted.md").text
        #expect(page.contains("```\n\(path)\n```"))
        #expect(page.contains("```xml\n\(try Manual("Tests/Consumer/\(path)").text)```"))
    }

    @Test("has the targets of Tests/Consumer")
    func manifest() throws {
        let sample = try #require(try Manual().samples.first { $0.kind == .manifest })
        let start = try #require(sample.lines.firstIndex { $0.contains("targets: [") })
        let targets = normalized(Array(sample.lines[(start + 1)...])).filter {
            $0 != "]" && $0 != ")"
        }
        let manifest = normalized(
            try Manual("Tests/Consumer/Package.swift").text.components(separatedBy: "\n"))
        #expect(targets.count > 5)
        #expect(
            manifest.indices.contains { manifest[$0...].starts(with: targets) },
            "Tests/Consumer has other targets than \(targets)")
    }

    @Test("is tested with the commands of the page on continuous integration")
    func commands() throws {
        let page = try Manual("\(Self.articles)/ContinuousIntegration.md").text
        let linux = try #require(page.components(separatedBy: "## On a Mac").first)
        let commands = linux.components(separatedBy: "\n").compactMap { line -> String? in
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("- run: ") { return String(text.dropFirst(7)) }
            if text.hasPrefix("RUN ") { return String(text.dropFirst(4)) }
            guard text.hasPrefix("CMD [") else { return nil }
            return text.dropFirst(5).dropLast().components(separatedBy: ", ")
                .map { $0.replacing("\"", with: "") }.joined(separator: " ")
        }
        #expect(commands.count == 8)
        let run = try Manual("Tests/Consumer/run").text.components(separatedBy: "\n")
        let whole = try Manual(".github/workflows/ci.yml").text
        for command in commands {
            #expect(
                run.contains(command) || whole.contains("- run: \(command)\n"),
                "\(command) is run nowhere")
        }
    }

    /// The rows of the table of speeds, by what is done: milliseconds for 10,000 objects, of the store and of GRDB.
    private static func speeds(_ page: String) throws -> [[String]] {
        let rows = try Manual(page).tableRows
        let start = try #require(rows.firstIndex { $0.first == "10,000 books" })
        return Array(rows[(start + 1)...].prefix { $0[1].hasSuffix(" ms") })
    }

    @Test("has the figures of the benchmarks", arguments: ["README.md", "\(articles)/Speed.md"])
    func speed(page: String) throws {
        let names = [
            "insert and save": "insert and save", "update and save": "update",
            "delete and save": "delete",
            "fetch, and read all nine values of each": "fetch with all values",
            "fetch the IDs of those with 500 pages or more": "fetch IDs",
            "send as new records, without network and server": "push, `SMStore` µs a record",
            "receive into an empty store, without network and server":
                "pull, `SMStore` µs a record",
        ]
        let speeds = try Self.speeds(page)
        #expect(Set(speeds.map { $0[0] }) == Set(names.keys))
        // A table of microseconds of an object has the sizes in columns, or with dots between them.
        let rows = try Manual("Tests/Benchmarks/README.md").tableRows
        for row in speeds {
            let measured = rows.filter { $0[0] == names[row[0]] }.compactMap {
                cells -> [Double?]? in
                let sizes = cells[1].components(separatedBy: " · ")
                if sizes.count == 4, cells[2].components(separatedBy: " · ").count == 4 {
                    return [Double(sizes[1]), Double(cells[2].components(separatedBy: " · ")[1])]
                }
                return row[2] == "–" ? [Double(cells[2]), nil] : nil
            }
            let last = try #require(measured.last, "\(row[0]) was not measured")
            for (cell, microseconds) in zip(row[1...2], last) {
                guard let microseconds else { continue }
                let shown = try #require(Double(cell.replacing(" ms", with: "")))
                #expect(abs(shown - microseconds * 10) < 0.06, "\(page): \(row[0])")
            }
        }
    }
}
