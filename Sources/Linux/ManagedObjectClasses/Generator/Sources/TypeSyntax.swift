/// A type as it is written.
indirect enum TypeSyntax: Equatable {
    /// A name, optionally qualified with a module or enclosing types, optionally with generic
    /// arguments.
    case named([String], arguments: [TypeSyntax])
    case optional(TypeSyntax)
    case array(TypeSyntax)
    case dictionary(TypeSyntax, TypeSyntax)
    /// A type that no managed property can have: tuples, functions, compositions, `some`, `any`.
    case other(String)
}

extension TypeSyntax: CustomStringConvertible {
    var description: String {
        switch self {
        case .named(let path, let arguments):
            let name = path.joined(separator: ".")
            return arguments.isEmpty
                ? name : "\(name)<\(arguments.map(\.description).joined(separator: ", "))>"
        case .optional(let wrapped): return "\(wrapped)?"
        case .array(let element): return "[\(element)]"
        case .dictionary(let key, let value): return "[\(key): \(value)]"
        case .other(let text): return text
        }
    }
}

/// Reads a type from tokens.
struct TypeSyntaxParser {
    private let tokens: [SourceToken]
    private(set) var index: Int

    init(_ tokens: [SourceToken], at index: Int) {
        self.tokens = tokens
        self.index = index
    }

    private var next: SourceToken? { index < tokens.count ? tokens[index] : nil }

    private mutating func skip(_ symbol: String) -> Bool {
        guard let next, next.isSymbol(symbol) else { return false }
        index += 1
        return true
    }

    /// Reads a type with its suffixes.
    mutating func parse() -> TypeSyntax {
        let start = index
        var type = parsePrimary()
        while let next {
            // `T!` is the same type as `T?` here.
            if next.isSymbol("?") || next.isSymbol("!") {
                index += 1
                type = .optional(type)
            } else if next.isSymbol("&") {
                index += 1
                _ = parsePrimary()
                type = .other(text(from: start))
            } else if next.isSymbol("-"), index + 1 < tokens.count,
                tokens[index + 1].isSymbol(">")
            {
                index += 2
                _ = parse()
                type = .other(text(from: start))
            } else if next.isSymbol("."), index + 1 < tokens.count,
                tokens[index + 1].isWord("Type")
            {
                index += 2
                type = .other(text(from: start))
            } else {
                break
            }
        }
        return type
    }

    private mutating func parsePrimary() -> TypeSyntax {
        let start = index
        if skip("[") {
            let first = parse()
            if skip(":") {
                let value = parse()
                if skip("]") { return .dictionary(first, value) }
            } else if skip("]") {
                return .array(first)
            }
            return .other(text(from: start))
        }
        if skip("(") {
            // A type in parentheses is that type.
            let inner = parse()
            if skip(")"), next.map({ !$0.isSymbol("-") }) ?? true { return inner }
            while let token = next, !token.isSymbol("=") {
                index += 1
                if token.isSymbol(")") { break }
            }
            return .other(text(from: start))
        }
        guard let token = next, token.kind == .word else {
            index += 1
            return .other(text(from: start))
        }
        if ["any", "some", "inout", "borrowing", "consuming", "__owned", "sending"].contains(
            token.text),
            !token.isQuoted
        {
            index += 1
            _ = parse()
            return .other(text(from: start))
        }
        return parseNamed()
    }

    private mutating func parseNamed() -> TypeSyntax {
        var path: [String] = []
        var arguments: [TypeSyntax] = []
        repeat {
            guard let token = next, token.kind == .word else { break }
            index += 1
            path.append(token.text)
            if skip("<") {
                repeat { arguments.append(parse()) } while skip(",")
                guard skip(">") else { return .other(path.joined(separator: ".")) }
            }
        } while next?.isSymbol(".") == true && followsWord && skip(".")
        return .named(path, arguments: arguments)
    }

    /// Whether another step of a path follows, other than `.Type`.
    private var followsWord: Bool {
        index + 1 < tokens.count && tokens[index + 1].kind == .word
            && !tokens[index + 1].isWord("Type")
    }

    private func text(from start: Int) -> String {
        tokens[start..<min(index, tokens.count)].map(\.text).joined(separator: " ")
    }
}
