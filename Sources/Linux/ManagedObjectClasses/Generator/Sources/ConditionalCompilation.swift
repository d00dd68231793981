/// Removes the tokens that a build for Linux does not compile.
///
/// If the tool cannot decide a condition (`DEBUG`, flags given on the command line, the modules of
/// other packages), all branches stay, and their tokens are marked as uncertain.
struct ConditionalCompilation {
    /// The names given with `-D`, as far as the package's manifest contains them.
    let flags: Set<String>

    private enum Answer {
        case yes, no, unknown
    }

    /// An `#if` that is open.
    private struct Level {
        /// Whether the branch being read is compiled.
        var answer: Answer
        /// Whether one of the branches so far is compiled.
        var taken: Answer
    }

    /// The tokens without conditions and without the branches that are not compiled.
    func compiledTokens(of tokens: [SourceToken], file: String) throws -> [SourceToken] {
        var result: [SourceToken] = []
        var levels: [Level] = []
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            guard token.kind == .directive else {
                guard !levels.contains(where: { $0.answer == .no }) else { continue }
                result.append(token)
                result[result.count - 1].isUncertain =
                    levels.contains { $0.answer == .unknown }
                continue
            }
            switch token.text {
            case "if":
                let answer = answer(in: tokens, at: &index)
                levels.append(Level(answer: answer, taken: answer))
            case "elseif", "else":
                let answer = token.text == "else" ? .yes : answer(in: tokens, at: &index)
                guard var level = levels.popLast() else {
                    throw unbalanced(token, file: file)
                }
                level.answer = and(answer, not(level.taken))
                level.taken = or(level.taken, answer)
                levels.append(level)
            case "endif":
                guard levels.popLast() != nil else { throw unbalanced(token, file: file) }
            default:
                // A macro, `#selector`, `#available` or `#warning` is not interpreted.
                result.append(token)
            }
        }
        return result
    }

    private func unbalanced(_ token: SourceToken, file: String) -> Diagnostic {
        Diagnostic(file: file, line: token.line, message: "'#\(token.text)' without '#if'")
    }

    // MARK: - Three-valued logic

    private func not(_ answer: Answer) -> Answer {
        switch answer {
        case .yes: .no
        case .no: .yes
        case .unknown: .unknown
        }
    }

    private func and(_ left: Answer, _ right: Answer) -> Answer {
        if left == .no || right == .no { return .no }
        return left == .yes && right == .yes ? .yes : .unknown
    }

    private func or(_ left: Answer, _ right: Answer) -> Answer {
        not(and(not(left), not(right)))
    }

    // MARK: - Conditions

    /// Reads and evaluates the condition that starts at an index, to the end of its line.
    private func answer(in tokens: [SourceToken], at index: inout Int) -> Answer {
        let start = index
        while index < tokens.count, index == start || !endsCondition(tokens, index) { index += 1 }
        var condition = tokens[start..<index]
        let answer = alternatives(&condition)
        return condition.isEmpty ? answer : .unknown
    }

    /// Whether a condition ends before a token: a line break ends it, except after an operator.
    private func endsCondition(_ tokens: [SourceToken], _ index: Int) -> Bool {
        let last = tokens[index - 1]
        return tokens[index].line != last.line && !(last.kind == .symbol && last.text != ")")
    }

    private func alternatives(_ condition: inout ArraySlice<SourceToken>) -> Answer {
        var answer = conjunction(&condition)
        while skip("|", "|", in: &condition) { answer = or(answer, conjunction(&condition)) }
        return answer
    }

    private func conjunction(_ condition: inout ArraySlice<SourceToken>) -> Answer {
        var answer = operand(&condition)
        while skip("&", "&", in: &condition) { answer = and(answer, operand(&condition)) }
        return answer
    }

    private func operand(_ condition: inout ArraySlice<SourceToken>) -> Answer {
        guard let token = condition.popFirst() else { return .unknown }
        if token.isSymbol("!") { return not(operand(&condition)) }
        if token.isSymbol("(") {
            let answer = alternatives(&condition)
            return skip(")", in: &condition) ? answer : .unknown
        }
        guard token.kind == .word else { return .unknown }
        guard skip("(", in: &condition) else { return named(token.text) }
        var arguments: [String] = []
        while let next = condition.popFirst(), !next.isSymbol(")") { arguments.append(next.text) }
        return call(token.text, arguments)
    }

    private func skip(_ symbols: String..., in condition: inout ArraySlice<SourceToken>) -> Bool {
        guard condition.count >= symbols.count,
            zip(condition, symbols).allSatisfy({ $0.isSymbol($1) })
        else { return false }
        condition.removeFirst(symbols.count)
        return true
    }

    private func named(_ name: String) -> Answer {
        switch name {
        case "true": .yes
        case "false": .no
        default: flags.contains(name) ? .yes : .unknown
        }
    }

    private func call(_ name: String, _ arguments: [String]) -> Answer {
        guard arguments.count == 1 else { return .unknown }
        switch name {
        case "os": return arguments == ["Linux"] ? .yes : .no
        case "targetEnvironment": return .no
        case "canImport":
            if Self.appleModules.contains(arguments[0]) { return .no }
            return Self.linuxModules.contains(arguments[0]) ? .yes : .unknown
        case "_runtime": return arguments == ["_Native"] ? .yes : .no
        default: return .unknown
        }
    }

    private static let linuxModules: Set = [
        "Swift", "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
        "CoreData", "CloudKit", "CoreLocation",
    ]

    private static let appleModules: Set = [
        "ObjectiveC", "Darwin", "UIKit", "AppKit", "WatchKit", "SwiftUI", "SwiftData", "Combine",
        "WidgetKit", "Cocoa", "CoreGraphics", "CoreFoundation", "CoreSpotlight", "MapKit", "os",
        "OSLog", "UserNotifications", "StoreKit", "AppIntents", "Security",
    ]
}
