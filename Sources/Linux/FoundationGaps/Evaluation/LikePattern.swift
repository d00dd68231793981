/// A pattern of the LIKE operator: `?` matches one character, `*` any number of them, and a
/// backslash makes the next character literal. It matches whole strings.
struct LikePattern {
    private enum Element: Equatable {
        case literal(Character)
        case anyCharacter
        case anyCharacters
    }

    private let elements: [Element]

    init(_ pattern: String) {
        var elements: [Element] = []
        var isEscaped = false
        for character in pattern {
            switch character {
            case _ where isEscaped:
                elements.append(.literal(character))
                isEscaped = false
            case "\\": isEscaped = true
            case "?": elements.append(.anyCharacter)
            case "*": if elements.last != .anyCharacters { elements.append(.anyCharacters) }
            default: elements.append(.literal(character))
            }
        }
        if isEscaped { elements.append(.literal("\\")) }
        self.elements = elements
    }

    /// Whether a string matches the pattern. After a mismatch it returns only to the last `*`, so
    /// the time is bounded by the product of both lengths.
    func matches(_ text: String) -> Bool {
        var index = text.startIndex
        var element = 0
        var retry: (element: Int, index: String.Index)?
        while index < text.endIndex {
            if element < elements.count {
                if elements[element] == .anyCharacters {
                    element += 1
                    retry = (element, index)
                    continue
                }
                if elements[element] == .anyCharacter || elements[element] == .literal(text[index])
                {
                    element += 1
                    index = text.index(after: index)
                    continue
                }
            }
            guard let last = retry else { return false }
            index = text.index(after: last.index)
            element = last.element
            retry = (last.element, index)
        }
        return elements[element...].allSatisfy { $0 == .anyCharacters }
    }
}
