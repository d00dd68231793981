/// The bytes of a source with its lines.
struct SourceText {
    let bytes: [UInt8]
    /// The line break that the source uses.
    let lineBreak: String
    /// The white space of one level of indentation.
    let indentation: String
    private let lineStarts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            starts.append(index + 1)
        }
        lineStarts = starts
        let firstBreak = bytes.firstIndex(of: UInt8(ascii: "\n"))
        let hasReturn = firstBreak.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") }
        lineBreak = hasReturn == true ? "\r\n" : "\n"
        let indented = starts.lazy.map { Self.blanks(of: bytes, from: $0) }
            .first { $0.count > 1 || $0.first == UInt8(ascii: "\t") }
        indentation = indented.map { String(decoding: $0, as: UTF8.self) } ?? "    "
    }

    private static func blanks(of bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
        bytes[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    private func isBlank(_ index: Int) -> Bool {
        bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t")
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: - Lines

    /// The index of the line that contains a byte; the first line has the index 0.
    func line(at position: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    /// The bytes of lines, with their line breaks.
    func range(ofLines lines: ClosedRange<Int>) -> Range<Int> {
        let next = lines.upperBound + 1
        return lineStarts[
            lines.lowerBound]..<(next < lineStarts.count ? lineStarts[next] : bytes.count)
    }

    /// The white space at the beginning of the line that contains a byte.
    func indentation(at position: Int) -> String {
        let blanks = Self.blanks(of: bytes, from: lineStarts[line(at: position)])
        return String(decoding: blanks, as: UTF8.self)
    }

    /// The beginning of the white space that ends at a byte, within the line.
    func startOfBlanks(before position: Int) -> Int {
        var start = position
        while start > 0, isBlank(start - 1) { start -= 1 }
        return start
    }

    /// The end of the white space that begins at a byte, within the line.
    func endOfBlanks(after position: Int) -> Int {
        var end = position
        while end < bytes.count, isBlank(end) { end += 1 }
        return end
    }

    /// Whether nothing but white space precedes a byte in its line.
    func startsLine(_ position: Int) -> Bool {
        let start = startOfBlanks(before: position)
        return start == 0 || bytes[start - 1] == UInt8(ascii: "\n")
    }

    /// The end of the line that contains a byte, before its line break.
    func endOfLine(at position: Int) -> Int {
        var end = position
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        return end > position && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
    }

    /// Whether nothing but white space, or a comment up to its end, follows in the line.
    func endsLine(_ position: Int, exceptComment: Bool = true) -> Bool {
        let next = endOfBlanks(after: position)
        if next == endOfLine(at: next) { return true }
        return exceptComment && bytes[next...].starts(with: Array("//".utf8))
    }
}
