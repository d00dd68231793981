/// A replacement of bytes of a source.
struct SourceEdit {
    var range: Range<Int>
    var replacement: String
}

/// Lines before and after a rewriting.
public struct LineChange: Equatable, Sendable {
    /// The number of the first line in the file as it was.
    public var line: Int
    /// The lines as they were.
    public var old: [String]
    /// The lines that replace them.
    public var new: [String]
}

/// The edits of one source, which do not overlap.
struct EditedSource {
    private let source: SourceText
    private let edits: [SourceEdit]

    init(_ source: SourceText, edits: [SourceEdit]) {
        self.source = source
        // Of edits at one place the insertion comes first.
        self.edits = edits.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
    }

    var bytes: [UInt8] { apply(edits[...], to: 0..<source.bytes.count) }

    /// The lines that the edits touch, in their order.
    var changes: [LineChange] {
        var changes: [LineChange] = []
        var start = 0
        while start < edits.count {
            var lines = self.lines(of: edits[start])
            var end = start + 1
            while end < edits.count, self.lines(of: edits[end]).lowerBound <= lines.upperBound {
                let next = self.lines(of: edits[end])
                lines = lines.lowerBound...max(lines.upperBound, next.upperBound)
                end += 1
            }
            let range = source.range(ofLines: lines)
            changes.append(
                LineChange(
                    line: lines.lowerBound + 1, old: Self.lines(of: source.bytes[range]),
                    new: Self.lines(of: apply(edits[start..<end], to: range)[...])))
            start = end
        }
        return changes
    }

    private func lines(of edit: SourceEdit) -> ClosedRange<Int> {
        let last = max(edit.range.lowerBound, edit.range.upperBound - 1)
        return source.line(at: edit.range.lowerBound)...source.line(at: last)
    }

    private func apply(_ edits: ArraySlice<SourceEdit>, to range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        var position = range.lowerBound
        for edit in edits {
            result += source.bytes[position..<edit.range.lowerBound]
            result += edit.replacement.utf8
            position = edit.range.upperBound
        }
        return result + source.bytes[position..<range.upperBound]
    }

    private static func lines(of bytes: ArraySlice<UInt8>) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { line in
            let isReturn = line.last == UInt8(ascii: "\r")
            return String(decoding: isReturn ? line.dropLast() : line, as: UTF8.self)
        }
    }
}
