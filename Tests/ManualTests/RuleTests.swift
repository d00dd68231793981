import Foundation
import Testing

@Suite("The article on what must never happen")
struct RuleTests {
    private static let article = "\(Manual.catalog)/Articles/WhatMustNeverHappen.md"

    /// The names of the rules, in the article's order.
    private static func rules() throws -> [String] {
        try Manual(article).text.components(separatedBy: "\n").compactMap { line in
            let parts = line.components(separatedBy: "`")
            guard parts.count > 2, parts[0] == "- ", parts[2].hasPrefix(": ") else { return nil }
            return parts[1]
        }
    }

    /// The rule names in the tags of all tests, each with a file that uses it.
    private static func citations() throws -> [String: String] {
        let folder = Manual.root.appendingPathComponent("Tests")
        var citations: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where path.hasSuffix(".swift") && !path.hasPrefix("ManualTests/")
            && !path.contains("/.build/")
        {
            let file = folder.appendingPathComponent(path)
            let text = try String(contentsOf: file, encoding: .utf8)
            for list in text.components(separatedBy: ".tags(").dropFirst() {
                let tags = list.prefix { $0 != ")" }.split(separator: ",")
                for tag in tags {
                    let name = tag.trimmingCharacters(in: .whitespacesAndNewlines)
                    // A method of another type may have the same name.
                    if name.hasPrefix(".") { citations[String(name.dropFirst())] = path }
                }
            }
        }
        return citations
    }

    @Test("has a test for each rule")
    func everyRuleIsTested() throws {
        let rules = try Self.rules()
        #expect(rules.count > 40)
        #expect(Set(rules).count == rules.count, "a name is given twice")
        let citations = try Self.citations()
        for rule in rules { #expect(citations[rule] != nil, "no test has the tag .\(rule)") }
    }

    @Test("has a rule for each tag of a test")
    func everyTagIsARule() throws {
        let rules = Set(try Self.rules())
        for (tag, path) in try Self.citations() {
            #expect(rules.contains(tag), "Tests/\(path) has the tag .\(tag), which is no rule")
        }
    }
}
