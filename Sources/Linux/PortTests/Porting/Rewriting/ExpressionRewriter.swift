/// Replaces `#keyPath`, the `#selector` of a sort descriptor, and names that are written as those of
/// Foundation, by what both systems compile.
///
/// The compiler turns `#keyPath(Clock.label)` into the string "label", so a literal changes nothing
/// on Apple's systems.
struct ExpressionRewriter {
    private let tokens: [SourceToken]
    private let names: DeclaredNames
    private(set) var edits: [SourceEdit] = []
    private(set) var handWork: [HandWork] = []

    /// The methods of strings that a sort descriptor can call on Linux, too.
    private static let comparisons: Set = [
        "caseInsensitiveCompare", "compare", "localizedCaseInsensitiveCompare", "localizedCompare",
        "localizedStandardCompare",
    ]

    /// - Parameter tokens: Those that are compiled on Linux.
    init(tokens: [SourceToken], names: DeclaredNames) {
        self.tokens = tokens
        self.names = names
        for (index, token) in tokens.enumerated() where token.kind == .directive {
            if token.text == "#keyPath" { rewriteKeyPath(at: index) }
            if token.text == "#selector" { rewriteSelector(at: index) }
        }
        for index in tokens.indices where tokens[index].isWord("Foundation") {
            rewriteQualifiedName(at: index)
        }
        for index in tokens.indices where tokens[index].isWord("NSFetchRequest") {
            rewriteCast(at: index)
        }
    }

    /// What an expression has in its parentheses, and the index of the closing one.
    private func argument(at index: Int) -> (tokens: ArraySlice<SourceToken>, end: Int)? {
        guard tokens.token(at: index + 1).isSymbol("("),
            let end = tokens.indexOfClosingParenthesis(from: index + 1)
        else { return nil }
        return (tokens[index + 2..<end], end)
    }

    private mutating func note(_ index: Int, _ message: String) {
        handWork.append(HandWork(line: tokens[index].line, message: message))
    }

    // MARK: - Key paths

    private mutating func rewriteKeyPath(at index: Int) {
        guard let (argument, end) = argument(at: index), let key = key(argument) else {
            return note(
                index,
                "The key is not certain, because a property may have another name in Objective-C; "
                    + "write the key as a string.")
        }
        let start = tokens[index].range.lowerBound
        let before = tokens.token(at: index - 1)
        let after = tokens.token(at: end + 1)
        let range = start..<tokens[end].range.upperBound
        if before.kind == .interpolationStart, after.kind == .interpolationEnd {
            // An interpolation of nothing else becomes part of the string.
            edits.append(
                SourceEdit(
                    range: before.range.lowerBound..<after.range.upperBound, replacement: key))
        } else {
            edits.append(SourceEdit(range: range, replacement: "\"\(key)\""))
        }
    }

    /// The key that the compiler makes of a key path: its properties, without the type before them.
    private func key(_ argument: ArraySlice<SourceToken>) -> String? {
        var components: [String] = []
        for (offset, token) in argument.enumerated() {
            if offset.isMultiple(of: 2) {
                guard token.kind == .word else { return nil }
                components.append(token.text)
            } else if !token.isSymbol(".") {
                return nil
            }
        }
        guard argument.count == components.count * 2 - 1 else { return nil }
        let types = components.prefix { $0.first?.isUppercase == true || names.types.contains($0) }
        // `Module.Clock`, `Book.Edition`: all but the first must be known, because `Clock.URL` is
        // a property.
        guard types.dropFirst().allSatisfy(names.types.contains) else { return nil }
        let keys = components.dropFirst(types.count)
        return keys.isEmpty || keys.contains(where: hasOtherName)
            ? nil : keys.joined(separator: ".")
    }

    /// Whether a property may have another name in Objective-C: `isDeleted` is `deleted`.
    private func hasOtherName(_ property: String) -> Bool {
        if names.renamedProperties.contains(property) { return true }
        let frameworkFlags: Set = [
            "isAsynchronous", "isCancelled", "isConcurrent", "isDeleted", "isEnabled",
            "isExecuting",
            "isFault", "isFinished", "isHidden", "isIndexed", "isInserted", "isOptional",
            "isOrdered",
            "isReadOnly", "isReady", "isSelected", "isSuspended", "isToMany", "isTransient",
            "isUpdated",
        ]
        return frameworkFlags.contains(property) && !names.properties.contains(property)
    }

    // MARK: - Selectors

    private mutating func rewriteSelector(at index: Int) {
        guard let (argument, end) = argument(at: index) else { return }
        let parts = argument.map(\.text)
        if parts.count >= 3, parts[0] == "NSString", parts[1] == ".",
            Self.comparisons.contains(parts[2]),
            parts.count == 3 || parts[3...].joined() == "(_:)"
        {
            // Apple's compiler warns about `Selector("…")`.
            let range = tokens[index].range.lowerBound..<tokens[end].range.upperBound
            edits.append(
                SourceEdit(range: range, replacement: "NSSelectorFromString(\"\(parts[2]):\")"))
        } else {
            note(
                index,
                "Linux has no selectors of methods; pass a closure, for example to "
                    + "NotificationCenter.addObserver(forName:object:queue:using:).")
        }
    }

    // MARK: - Casts

    /// Rewrites a cast of a fetch request to another result type. Both systems let one be used as the other, but
    /// on Linux a cast compares the types.
    private mutating func rewriteCast(at index: Int) {
        guard tokens.token(at: index - 1).isSymbol("!"), tokens.token(at: index - 2).isWord("as"),
            tokens.token(at: index + 1).isSymbol("<"),
            let end = tokens.indexOfClosingBracket(from: index + 1),
            let start = tokens.startOfPostfixExpression(endingAt: index - 3)
        else { return }
        let place = tokens[start].range.lowerBound
        edits.append(SourceEdit(range: place..<place, replacement: "unsafeBitCast("))
        edits.append(
            SourceEdit(
                range: tokens[index - 3].range.upperBound..<tokens[index].range.lowerBound,
                replacement: ", to: "))
        let after = tokens[end].range.upperBound
        edits.append(SourceEdit(range: after..<after, replacement: ".self)"))
    }

    // MARK: - Names

    /// Types that are in Apple's Foundation, and on Linux in a module that CoreData exports.
    private static let movedTypes: Set = [
        "NSComparisonPredicate", "NSExpression", "NSSecureUnarchiveFromDataTransformer",
        "NSValueTransformerName", "Selector", "UndoManager", "ValueTransformer",
    ]

    private mutating func rewriteQualifiedName(at index: Int) {
        let name = tokens.token(at: index + 2)
        guard tokens.token(at: index + 1).isSymbol("."), name.kind == .word,
            !tokens.token(at: index - 1).isSymbol("."),
            !["class", "func", "import"].contains(tokens.token(at: index - 1).text),
            Self.movedTypes.contains(name.text), !names.types.contains(name.text)
        else { return }
        let range = tokens[index].range.lowerBound..<name.range.lowerBound
        edits.append(SourceEdit(range: range, replacement: ""))
    }
}
