/// Finds what an attribute did on Apple's systems that Linux needs to be told in another way.
struct AttributeUses {
    private let tokens: [SourceToken]
    private(set) var handWork: [HandWork] = []

    /// - Parameter tokens: Those that are compiled on Linux, with the hidden attributes.
    init(tokens: [SourceToken]) {
        self.tokens = tokens
        for prefix in DeclarationPrefix.all(in: tokens) {
            for message in messages(for: prefix) {
                handWork.append(
                    HandWork(line: tokens.token(at: prefix.end).line, message: message))
            }
        }
    }

    private func messages(for prefix: DeclarationPrefix) -> [String] {
        let keyword = tokens.token(at: prefix.end)
        let name = tokens.token(at: prefix.end + 1).text
        var messages: [String] = []
        if prefix.contains("optional") {
            messages.append(
                "Linux has no optional requirements; give '\(name)' a default implementation in an "
                    + "extension of the protocol, and remove '@objc optional'.")
        }
        if keyword.isWord("var"), !prefix.contains("NSManaged"), !prefix.contains("class"),
            !prefix.contains("static")
        {
            messages.append(
                "Key-value coding, predicates and sort descriptors do not find '\(name)' on Linux; "
                    + "where they use it, override value(forKey:) in its class.")
        }
        if prefix.contains("open"), tokens.isInExtension(prefix.end) {
            messages.append(
                "A member of an extension cannot be overridden on Linux; move it into the class.")
        }
        if keyword.isWord("class"), let other = prefix.nameInObjectiveC, other != name {
            messages.append(
                "On Linux the class has its Swift name '\(name)' only; write that instead of "
                    + "'\(other)' in the model, or give the class the other name.")
        }
        return messages
    }
}
