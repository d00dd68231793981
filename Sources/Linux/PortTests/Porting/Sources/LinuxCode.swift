/// Finds the code that a build for Linux compiles.
///
/// A condition that only the build knows (`DEBUG`, the modules of other packages) counts as met, and
/// so does its opposite: what may be compiled must be right.
struct LinuxCode {
    private enum Answer {
        case yes, no, unknown

        var opposite: Answer {
            switch self {
            case .yes: .no
            case .no: .yes
            case .unknown: .unknown
            }
        }

        func and(_ other: Answer) -> Answer {
            if self == .no || other == .no { return .no }
            return self == .yes && other == .yes ? .yes : .unknown
        }

        func or(_ other: Answer) -> Answer { opposite.and(other.opposite).opposite }
    }

    /// An `#if` that is open.
    private struct Level {
        /// Whether the branch being read is compiled.
        var answer: Answer
        /// Whether one of the branches so far is compiled.
        var taken: Answer
        /// The line of the `#if`.
        var line: Int
        /// Whether there is an `#elseif`.
        var hasAlternative = false
    }

    private let tokens: [SourceToken]
    private var index = 0
    private var handWork: [HandWork] = []

    /// The tokens that are compiled on Linux, without the conditions.
    ///
    /// - Parameter withAttributes: Whether attributes that `#if canImport(ObjectiveC)` hides belong to
    ///   them, because they say something about a declaration that Linux compiles.
    static func tokens(
        of tokens: [SourceToken], withAttributes: Bool = false
    ) -> [SourceToken] {
        var code = LinuxCode(tokens: withAttributes ? revealingAttributes(tokens) : tokens)
        return code.compiledTokens()
    }

    /// The places where a system is chosen and Linux is not among those to choose from.
    static func handWork(in tokens: [SourceToken]) -> [HandWork] {
        var code = LinuxCode(tokens: tokens)
        _ = code.compiledTokens()
        return code.handWork
    }

    private static func revealingAttributes(_ tokens: [SourceToken]) -> [SourceToken] {
        var result: [SourceToken] = []
        var index = 0
        while index < tokens.count {
            let condition = tokens[index...].prefix(5).map(\.text)
            if condition == ["#if", "canImport", "(", "ObjectiveC", ")"],
                let prefix = DeclarationPrefix(tokens, at: index + 5),
                tokens.token(at: prefix.end).isDirective("#endif")
            {
                result += tokens[index + 5..<prefix.end]
                index = prefix.end + 1
            } else {
                result.append(tokens[index])
                index += 1
            }
        }
        return result
    }

    private init(tokens: [SourceToken]) {
        self.tokens = tokens
    }

    private mutating func compiledTokens() -> [SourceToken] {
        var result: [SourceToken] = []
        var levels: [Level] = []
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            switch token.kind == .directive ? token.text : "" {
            case "#if":
                let answer = condition(on: token.line)
                levels.append(Level(answer: answer, taken: answer, line: token.line))
            case "#elseif", "#else":
                let answer = token.text == "#else" ? .yes : condition(on: token.line)
                guard var level = levels.popLast() else { continue }
                level.answer = answer.and(level.taken.opposite)
                level.taken = level.taken.or(answer)
                level.hasAlternative = true
                levels.append(level)
            case "#endif":
                guard let level = levels.popLast(), level.hasAlternative, level.taken == .no,
                    !levels.contains(where: { $0.answer == .no })
                else { continue }
                handWork.append(
                    HandWork(
                        line: level.line,
                        message: "None of the branches is compiled on Linux; add one for it."))
            default:
                if !levels.contains(where: { $0.answer == .no }) { result.append(token) }
            }
        }
        return result
    }

    // MARK: - Conditions

    /// The next token of a condition, which may continue on lines that begin with an operator.
    private func next(_ text: String) -> Bool {
        index < tokens.count && tokens[index].text == text
    }

    private mutating func condition(on line: Int) -> Answer {
        let answer = disjunction(line)
        while index < tokens.count, tokens[index].line == line { index += 1 }
        return answer
    }

    private mutating func disjunction(_ line: Int) -> Answer {
        var answer = conjunction(line)
        while next("|") {
            index += 2
            answer = answer.or(conjunction(line))
        }
        return answer
    }

    private mutating func conjunction(_ line: Int) -> Answer {
        var answer = term(line)
        while next("&") {
            index += 2
            answer = answer.and(term(line))
        }
        return answer
    }

    private mutating func term(_ line: Int) -> Answer {
        guard index < tokens.count else { return .unknown }
        let token = tokens[index]
        index += 1
        if token.isSymbol("!") { return term(line).opposite }
        if token.isSymbol("(") {
            let answer = disjunction(line)
            if next(")") { index += 1 }
            return answer
        }
        guard token.kind == .word, next("("), tokens[index].line == token.line,
            let end = tokens.indexOfClosingParenthesis(from: index)
        else { return literal(token) }
        let argument = tokens.token(at: index + 1).text
        index = end + 1
        switch token.text {
        case "os": return argument == "Linux" ? .yes : .no
        case "canImport": return AppleModules.names.contains(argument) ? .no : .unknown
        case "targetEnvironment": return .no
        default: return .unknown
        }
    }

    private func literal(_ token: SourceToken) -> Answer {
        token.isWord("true") ? .yes : token.isWord("false") ? .no : .unknown
    }
}
