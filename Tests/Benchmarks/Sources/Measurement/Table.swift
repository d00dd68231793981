import Foundation

/// A text table with aligned columns, the first to the left and the others to the right.
public struct Table {
    /// The style of a table.
    public enum Style: Sendable {
        /// Aligned columns under a title.
        case text
        /// A Markdown table under a heading.
        case markdown
    }

    private let title: String
    private let columns: [String]
    private var rows: [[String]] = []

    /// Creates a table without rows.
    ///
    /// - Parameters:
    ///   - title: The text above the table.
    ///   - columns: The headings.
    public init(title: String, columns: [String]) {
        self.title = title
        self.columns = columns
    }

    /// Adds a row.
    ///
    /// - Parameter cells: A text for each column.
    public mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "A row needs a cell for each column.")
        rows.append(cells)
    }

    /// Prints the table to the standard output.
    ///
    /// - Parameter style: As plain text or as Markdown.
    public func print(as style: Style) {
        Swift.print(text(style) + "\n")
        // A finished table is visible immediately, also through a pipe.
        fflush(nil)
    }

    func text(_ style: Style) -> String {
        let widths = columns.indices.map { column in
            ([columns] + rows).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - cells[column].count)
                return column == 0 ? cells[column] + padding : padding + cells[column]
            }
            switch style {
            case .text: return padded.joined(separator: "  ")
            case .markdown: return "| " + padded.joined(separator: " | ") + " |"
            }
        }
        let rule = widths.indices.map { column in
            let dashes = String(repeating: "-", count: widths[column])
            return style == .markdown && column > 0 ? dashes.dropLast() + ":" : dashes
        }
        let heading = style == .markdown ? "### \(title)\n" : title
        return ([heading, line(columns), line(rule)] + rows.map(line)).joined(separator: "\n")
    }
}

extension Int {
    /// The number with separators between groups of three digits, such as `1,000,000`.
    public var grouped: String {
        let digits = String(magnitude)
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
            result.append(digit)
        }
        return self < 0 ? "-" + result : result
    }
}
