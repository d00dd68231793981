import Foundation
import Testing

/// The links between the pages of the DocC catalog, which are read on GitHub as well.
///
/// DocC and GitHub name pages and sections differently, so each page defines its links twice: for DocC in a comment at the
/// beginning, for GitHub at the end. A directive ends a comment for DocC, and a definition counts for the text up to the
/// next directive. For GitHub the comment ends with its last line.
@Suite("The links between the manual's pages")
struct ArticleLinkTests {
    private static let pages = Manual.paths.filter { $0.hasPrefix(Manual.catalog) }

    private static let beginning = [
        "<!-- The links of this page in DocC. Those of GitHub are at its end.", "@Comment {}",
    ]
    private static let end = "<!-- -->"

    /// A page's definitions of links, with the name and destination of each.
    private struct Definitions {
        var docC: [String: String] = [:]
        var gitHub: [String: String] = [:]
        /// The text between the two.
        var text = ""
        /// The text before the first.
        var abstract = ""

        init(_ page: String) throws {
            let lines = try Manual(page).text.components(separatedBy: "\n")
            guard let first = lines.firstIndex(of: beginning[0]) else {
                text = lines.joined(separator: "\n")
                return
            }
            abstract = lines[..<first].joined(separator: "\n")
            #expect(lines[first + 1] == beginning[1], "\(page)")
            let last = try #require(lines[first...].firstIndex(of: end), "\(page)")
            for line in lines[(first + 2)..<last] {
                let definition = try #require(Self.definition(line), "\(page): \(line)")
                #expect(docC.updateValue(definition.destination, forKey: definition.name) == nil)
            }
            for line in lines[(last + 1)...] {
                if let definition = Self.definition(line) {
                    #expect(
                        gitHub.updateValue(definition.destination, forKey: definition.name) == nil)
                } else {
                    text += line + "\n"
                }
            }
        }

        /// Whether a link leads to another section of its page.
        func isSection(_ name: String) -> Bool { gitHub[name]?.hasPrefix("#") == true }

        private static func definition(_ line: String) -> (name: String, destination: String)? {
            let parts = line.components(separatedBy: "]: ")
            guard parts.count == 2, parts[0].hasPrefix("["), !parts[1].contains(" ") else {
                return nil
            }
            return (String(parts[0].dropFirst()), parts[1])
        }
    }

    /// The names in links like `[text][name]`.
    private static func references(in text: String) -> [String] {
        text.components(separatedBy: "][").dropFirst().compactMap { rest in
            let name = rest.prefix { $0 != "]" }
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber }) else { return nil }
            return String(name)
        }
    }

    @Test("lead to the same page in DocC and on GitHub", arguments: pages)
    func destinations(page: String) throws {
        let definitions = try Definitions(page)
        #expect(Set(definitions.docC.keys) == Set(definitions.gitHub.keys))
        for (name, destination) in definitions.docC where !definitions.isSection(name) {
            #expect(destination == "doc:\(name)")
        }
        let folder = Manual.root.appendingPathComponent(page).deletingLastPathComponent()
        for (name, destination) in definitions.gitHub where !definitions.isSection(name) {
            let file = folder.appendingPathComponent(destination).standardizedFileURL
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(destination)")
            #expect(file.path.hasPrefix(Manual.root.appendingPathComponent(Manual.catalog).path))
            // GitHub shows no tutorials.
            let expected = name == "Tutorials" ? "AddSyncToAnApp.md" : "\(name).md"
            #expect(file.lastPathComponent == expected)
        }
    }

    @Test("lead to the same section of the page in DocC and on GitHub", arguments: pages)
    func sections(page: String) throws {
        let definitions = try Definitions(page)
        let name = URL(fileURLWithPath: page).deletingPathExtension().lastPathComponent
        let anchors = definitions.text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }
            .map { title in
                String(title.drop { "# ".contains($0) }.filter { $0 != "," })
                    .replacing(" ", with: "-")
            }
        for section in definitions.gitHub.keys.filter(definitions.isSection) {
            let anchor = definitions.docC[section]?.components(separatedBy: "#").last ?? ""
            #expect(anchors.contains(anchor), "\(page) has no section \(anchor)")
            #expect(definitions.docC[section] == "doc:\(name)#\(anchor)")
            #expect(definitions.gitHub[section] == "#\(anchor.lowercased())")
        }
        #expect(!definitions.text.contains("](#"), "one of the two does not find this section")
    }

    @Test("are all defined, and each definition is used", arguments: pages)
    func uses(page: String) throws {
        let definitions = try Definitions(page)
        let used = Self.references(in: definitions.text)
        #expect(Set(used) == Set(definitions.gitHub.keys))
        #expect(!definitions.abstract.contains("]["), "DocC does not resolve links in an abstract")
        #expect(!definitions.text.contains("<doc:") && !definitions.text.contains("](doc:"))
    }

    @Test("are found by DocC")
    func docC() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Catalog-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // Without the symbols of the module, its page is an article.
        let catalog = folder.appendingPathComponent("Seam3.docc")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Manual.root.appendingPathComponent(Manual.catalog), to: catalog)
        try FileManager.default.removeItem(at: catalog.appendingPathComponent("Extensions"))
        let root = try Manual("\(Manual.catalog)/Seam3.md").text
            .replacing("# ``Seam3``", with: "# Seam3", maxReplacements: 1)
        try Data("\(root)\n@Metadata {\n    @TechnologyRoot\n}\n".utf8)
            .write(to: catalog.appendingPathComponent("Seam3.md"))

        let docc = try Shell.swiftc().deletingLastPathComponent().appendingPathComponent("docc")
        let (status, output) = try await Shell.run(
            "'\(docc.path)' convert '\(catalog.path)' --fallback-display-name Seam3"
                + " --fallback-bundle-identifier Seam3 --output-path '\(folder.path)/archive'")
        #expect(status == 0, "\(output)")
        let data = folder.appendingPathComponent("archive/data/documentation")
        for page in Self.pages where !page.contains("/Extensions/") {
            let name = URL(fileURLWithPath: page).deletingPathExtension().lastPathComponent
            let file = name == "Seam3" ? "seam3.json" : "seam3/\(name.lowercased()).json"
            let json = try String(contentsOf: data.appendingPathComponent(file), encoding: .utf8)
            for destination in try Definitions(page).docC.values {
                let name = destination.dropFirst("doc:".count)
                let kind = name == "Tutorials" ? "tutorials" : "documentation"
                let reference = #"doc:\/\/Seam3\/\#(kind)\/"#
                #expect(
                    json.contains("\(reference)Seam3\\/\(name)\"")
                        || json.contains("\(reference)\(name)\""),
                    "\(page) does not refer to \(name)")
            }
            #expect(Self.references(in: json).isEmpty, "\(page) has a link that DocC shows as text")
        }
    }
}
