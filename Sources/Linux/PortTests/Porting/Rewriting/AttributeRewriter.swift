/// Hides the attributes that need an Objective-C runtime from Linux.
///
/// Code inside `#if canImport(ObjectiveC)` is what Apple's systems compiled before, so nothing changes
/// there. An attribute that `@NSManaged` implies is removed instead.
struct AttributeRewriter {
    private let source: SourceText
    private let tokens: [SourceToken]
    private(set) var edits: [SourceEdit] = []

    /// - Parameter tokens: Those that are compiled on Linux.
    init(_ source: SourceText, tokens: [SourceToken]) {
        self.source = source
        self.tokens = tokens
        for prefix in DeclarationPrefix.all(in: tokens) { rewrite(prefix) }
    }

    private mutating func rewrite(_ prefix: DeclarationPrefix) {
        // On Linux nothing is optional, with or without the attribute.
        if prefix.contains("optional") { return }
        let attributes = prefix.items.indices.filter {
            ["objc", "objcMembers"].contains(prefix.items[$0].name)
        }
        guard let first = attributes.first, let last = attributes.last else { return }
        if prefix.contains("NSManaged"), attributes.allSatisfy({ prefix.items[$0].argument == nil })
        {
            return attributes.forEach { remove(prefix.items[$0].range) }
        }
        let isTogether = last - first == attributes.count - 1
        let isBeforeModifiers = prefix.items[..<first].allSatisfy(\.isAttribute)
        let range = prefix.items[first].range.lowerBound..<prefix.items[last].range.upperBound
        if isTogether, first == 0 || isBeforeModifiers && source.startsLine(range.lowerBound) {
            wrap(range)
        } else {
            let texts = attributes.map { source.text(prefix.items[$0].range) }
            insert(texts.joined(separator: " "), before: prefix.items[0].range.lowerBound)
            attributes.forEach { remove(prefix.items[$0].range) }
        }
        let keyword = tokens.token(at: prefix.end)
        let name = tokens.token(at: prefix.end + 1)
        // Only classes adopt a protocol of Objective-C. Weak references to it require that.
        if keyword.isWord("protocol"), tokens.token(at: prefix.end + 2).isSymbol("{") {
            let end = name.range.upperBound
            edits.append(SourceEdit(range: end..<end, replacement: ": AnyObject"))
        }
    }

    /// Puts attributes between `#if` and `#endif`, on lines of their own.
    private mutating func wrap(_ range: Range<Int>) {
        let lineBreak = lineBreak(before: range.lowerBound)
        begin(at: range.lowerBound, lineBreak)
        if source.endsLine(range.upperBound) {
            let end = source.endOfLine(at: range.upperBound)
            edits.append(SourceEdit(range: end..<end, replacement: lineBreak + "#endif"))
        } else {
            let next = source.endOfBlanks(after: range.upperBound)
            edits.append(
                SourceEdit(
                    range: range.upperBound..<next,
                    replacement: lineBreak + "#endif" + lineBreak))
        }
    }

    /// Inserts attributes on lines of their own.
    private mutating func insert(_ attributes: String, before position: Int) {
        let lineBreak = lineBreak(before: position)
        begin(at: position, lineBreak)
        edits.append(
            SourceEdit(
                range: position..<position,
                replacement: attributes + lineBreak + "#endif" + lineBreak))
    }

    private mutating func begin(at position: Int, _ lineBreak: String) {
        let condition = "#if canImport(ObjectiveC)" + lineBreak
        if source.startsLine(position) {
            edits.append(SourceEdit(range: position..<position, replacement: condition))
        } else {
            let blanks = source.startOfBlanks(before: position)..<position
            edits.append(SourceEdit(range: blanks, replacement: lineBreak + condition))
        }
    }

    /// A line break and the indentation of the declaration, which may follow a brace in its line.
    private func lineBreak(before position: Int) -> String {
        let blanks = source.startOfBlanks(before: position)
        let isInBraces = blanks > 0 && source.bytes[blanks - 1] == UInt8(ascii: "{")
        return source.lineBreak + source.indentation(at: position)
            + (isInBraces ? source.indentation : "")
    }

    private mutating func remove(_ range: Range<Int>) {
        if !source.endsLine(range.upperBound) {
            let end = source.endOfBlanks(after: range.upperBound)
            edits.append(SourceEdit(range: range.lowerBound..<end, replacement: ""))
        } else if source.startsLine(range.lowerBound),
            source.endsLine(range.upperBound, exceptComment: false)
        {
            let line = source.line(at: range.lowerBound)
            edits.append(SourceEdit(range: source.range(ofLines: line...line), replacement: ""))
        } else {
            let start = source.startOfBlanks(before: range.lowerBound)
            edits.append(SourceEdit(range: start..<range.upperBound, replacement: ""))
        }
    }
}
