/// The attributes and modifiers in front of a declaration.
struct DeclarationPrefix {
    struct Item {
        var isAttribute: Bool
        var name: String
        /// What an attribute has in parentheses.
        var argument: String?
        /// Its bytes.
        var range: Range<Int>
    }

    var items: [Item]
    /// The index of the token after the last item, which is the declaration's keyword.
    var end: Int

    private static let modifiers: Set = [
        "async", "class", "convenience", "distributed", "dynamic", "fileprivate", "final",
        "indirect", "internal", "isolated", "lazy", "mutating", "nonisolated", "nonmutating",
        "open", "optional", "override", "package", "private", "public", "required", "static",
        "unowned", "weak",
    ]

    /// The prefixes with an attribute that needs an Objective-C runtime.
    static func all(in tokens: [SourceToken]) -> [DeclarationPrefix] {
        var prefixes: [DeclarationPrefix] = []
        var index = 0
        while index < tokens.count {
            guard let prefix = DeclarationPrefix(tokens, at: index) else {
                index += 1
                continue
            }
            if prefix.contains("objc") || prefix.contains("objcMembers") { prefixes.append(prefix) }
            index = prefix.end
        }
        return prefixes
    }

    /// The name that `@objc(name)` gives.
    var nameInObjectiveC: String? { items.first { $0.name == "objc" }?.argument }

    func contains(_ name: String) -> Bool { items.contains { $0.name == name } }

    /// Reads the prefix that begins with a token.
    ///
    /// - Returns: Nil if the token begins none.
    init?(_ tokens: [SourceToken], at start: Int) {
        items = []
        end = start
        let previous = tokens.token(at: start - 1)
        // A name that is not a modifier where it stands: `.open`, `case open`.
        if previous.isSymbol(".") || previous.isSymbol(",") || previous.isWord("case") {
            return nil
        }
        while let item = Self.item(tokens, at: &end) { items.append(item) }
        if items.isEmpty { return nil }
    }

    private static func item(_ tokens: [SourceToken], at index: inout Int) -> Item? {
        let token = tokens.token(at: index)
        let isAttribute = token.isSymbol("@")
        guard isAttribute || isModifier(tokens, at: index) else { return nil }
        if isAttribute { index += 1 }
        var name = tokens.token(at: index)
        guard name.kind == .word else { return nil }
        index += 1
        while isAttribute, tokens.token(at: index).isSymbol("."),
            tokens.token(at: index + 1).kind == .word
        {
            name = tokens.token(at: index + 1)
            index += 2
        }
        var item = Item(
            isAttribute: isAttribute, name: name.text,
            range: token.range.lowerBound..<name.range.upperBound)
        let parenthesis = tokens.token(at: index)
        if parenthesis.isSymbol("("), parenthesis.range.lowerBound == item.range.upperBound,
            let end = tokens.indexOfClosingParenthesis(from: index)
        {
            item.argument = tokens[index + 1..<end].map(\.text).joined()
            item.range = item.range.lowerBound..<tokens[end].range.upperBound
            index = end + 1
        }
        return item
    }

    private static func isModifier(_ tokens: [SourceToken], at index: Int) -> Bool {
        let token = tokens.token(at: index)
        guard token.kind == .word, !token.isQuoted, modifiers.contains(token.text) else {
            return false
        }
        // A method or property of a class, not a class.
        guard token.text == "class" else { return true }
        let next = tokens.token(at: index + 1)
        return ["func", "let", "subscript", "var"].contains(where: next.isWord)
            || next.isSymbol("@") || isModifier(tokens, at: index + 1)
    }
}
