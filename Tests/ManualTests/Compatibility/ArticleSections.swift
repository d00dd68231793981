/// The text of a page, accessed by its headings.
struct ArticleSections {
    private var lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var text: String { lines.joined(separator: "\n") }

    /// The lines of a section, without leading and trailing empty ones.
    ///
    /// - Parameter headings: The section's heading, preceded by those of the sections around it.
    /// - Returns: No lines if there is no such section.
    func lines(under headings: [String]) -> [String] {
        guard let range = range(under: headings) else { return [] }
        return Array(
            lines[range].drop(while: \.isEmpty).reversed().drop(while: \.isEmpty).reversed())
    }

    /// Replaces the lines of a section. A page without the section is unchanged.
    mutating func replace(under headings: [String], by content: [String]) {
        guard let range = range(under: headings) else { return }
        lines.replaceSubrange(range, with: [""] + content + [""])
    }

    private func range(under headings: [String]) -> Range<Int>? {
        var start = 0
        for heading in headings {
            guard let index = lines[start...].firstIndex(of: heading) else { return nil }
            start = index + 1
        }
        let end = lines[start...].firstIndex { $0.hasPrefix("#") } ?? lines.endIndex
        return start..<end
    }
}
