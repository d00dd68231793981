/// Finds what needs Apple's runtime or modules and cannot be rewritten line by line.
struct RuntimeUses {
    private let tokens: [SourceToken]
    private(set) var handWork: [HandWork] = []

    /// - Parameter tokens: Those that are compiled on Linux.
    init(tokens: [SourceToken]) {
        self.tokens = tokens
        for (index, token) in tokens.enumerated() where token.kind == .word && !token.isQuoted {
            if let message = message(for: token, at: index) {
                handWork.append(HandWork(line: token.line, message: message))
            }
        }
    }

    private func follows(_ index: Int, _ texts: String...) -> Bool {
        texts.enumerated().allSatisfy { tokens.token(at: index + 1 + $0.offset).text == $0.element }
    }

    private func message(for token: SourceToken, at index: Int) -> String? {
        let isMember = tokens.token(at: index - 1).isSymbol(".")
        switch token.text {
        case "import" where !isMember:
            return moduleMessage(tokens.token(at: index + 1))
        case "observe" where isMember && follows(index, "(", "\\"), "NSKeyValueObservation",
            "observeValue" where follows(index, "(", "forKeyPath"),
            "keyValueObservingExpectation", "XCTKVOExpectation":
            return "Linux has no key-value observing; observe a notification, or use a fetched "
                + "results controller."
        case "addObserver" where follows(index, "(") && isForKeyPath(index):
            return "Linux has no key-value observing; observe a notification, or use a fetched "
                + "results controller."
        case "publisher" where isMember && follows(index, "(", "for", ":"):
            return "Linux has no Combine; use addObserver(forName:object:queue:using:) or an "
                + "asynchronous sequence of notifications."
        case "override" where tokens.isInExtension(index):
            return "An extension cannot override on Linux; move the member into the class."
        case "Bundle" where !isMember && follows(index, "(", "for", ":"):
            return "On Linux the resources of a package are not in the bundle of a class; use "
                + "Bundle.module."
        case "NSFetchRequest" where isCast(index):
            return "The cast of a fetch request to another result type stops the process on Linux; "
                + "create a request of that type."
        case _ where token.text.hasPrefix("objc_") && follows(index, "("):
            return "Linux has no Objective-C runtime; use a lock or a stored property."
        default: return nil
        }
    }

    private func moduleMessage(_ module: SourceToken) -> String? {
        guard AppleModules.names.contains(module.text), !["os", "OSLog"].contains(module.text)
        else { return nil }
        return "Linux has no module '\(module.text)'; put the import and what uses it inside "
            + "#if canImport(\(module.text)), or keep them out of the package."
    }

    private func isForKeyPath(_ index: Int) -> Bool {
        guard let end = tokens.indexOfClosingParenthesis(from: index + 1) else { return false }
        return tokens[index..<end].contains { $0.isWord("forKeyPath") }
    }

    /// Whether a type follows `as?`, or `as!` after what is not rewritten.
    private func isCast(_ index: Int) -> Bool {
        guard tokens.token(at: index - 2).isWord("as") else { return false }
        if tokens.token(at: index - 1).isSymbol("?") { return true }
        return tokens.token(at: index - 1).isSymbol("!")
            && tokens.startOfPostfixExpression(endingAt: index - 3) == nil
    }
}
