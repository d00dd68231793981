/// Text in columns.
public enum TextTable {
    /// Columns as wide as their widest cell, under their titles.
    public static func lines(_ titles: [String], _ rows: [[String]]) -> String {
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let cells = padded.joined(separator: "  ").reversed().drop { $0 == " " }
            return String(cells.reversed())
        }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "──")
        return ([line(titles), rule] + rows.map(line)).map { "  " + $0 }.joined(separator: "\n")
    }

    /// Names with their descriptions, one on each line.
    public static func list(_ entries: [(name: String, text: String)]) -> String {
        let width = entries.map(\.name.count).max() ?? 0
        return entries.map { entry in
            let gap = String(repeating: " ", count: width - entry.name.count + 2)
            return entry.name + gap + entry.text
        }.joined(separator: "\n")
    }
}
