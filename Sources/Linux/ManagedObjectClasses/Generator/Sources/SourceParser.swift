/// Finds the types, extensions and managed declarations of a file.
///
/// It follows braces and the few keywords that open a type; everything else is skipped.
struct SourceParser {
    private let file: String
    private let tokens: [SourceToken]
    private var index = 0
    private var scopes: [Scope] = []
    private var declarations = SourceDeclarations()
    private var problems: [Diagnostic] = []

    /// The contents of a pair of braces.
    private struct Scope {
        /// The type or extended type; nil for bodies and other braces.
        var path: [String]?
        /// The default access level of members.
        var access: AccessLevel
        var isGeneric: Bool
        /// The name of the type, if it is declared in a function.
        var localName: String?
    }

    /// The declarations of a source.
    ///
    /// - Throws: ``Diagnostics``, or a ``Diagnostic`` for a source that is not Swift.
    static func declarations(
        of bytes: [UInt8], file: String, flags: Set<String> = []
    ) throws -> SourceDeclarations {
        let all = try SourceLexer.tokens(of: bytes, file: file)
        let tokens = try ConditionalCompilation(flags: flags).compiledTokens(of: all, file: file)
        var parser = SourceParser(file: file, tokens: tokens)
        parser.parse()
        guard parser.problems.isEmpty else { throw Diagnostics(all: parser.problems) }
        return parser.declarations
    }

    private init(file: String, tokens: [SourceToken]) {
        self.file = file
        self.tokens = tokens
    }

    // MARK: - Walking

    private func token(_ offset: Int = 0) -> SourceToken? {
        tokens.indices.contains(index + offset) ? tokens[index + offset] : nil
    }

    /// The type whose members are being read, or nil inside bodies.
    private var typePath: [String]? {
        scopes.isEmpty ? [] : scopes[scopes.count - 1].path
    }

    private mutating func parse() {
        var modifiers = Modifiers()
        while let next = token() {
            if let kind = typeKind {
                parseType(kind, modifiers)
                modifiers = Modifiers()
            } else if next.isWord("extension"), typePath == [], token(1)?.kind == .word {
                parseExtension(modifiers)
                modifiers = Modifiers()
            } else if readModifier(into: &modifiers) {
                continue
            } else if let managed = modifiers.managed {
                parseManaged(managed, modifiers)
                modifiers = Modifiers()
            } else {
                modifiers = Modifiers()
                follow(next)
                index += 1
            }
        }
    }

    private mutating func follow(_ token: SourceToken) {
        if token.isSymbol("{") {
            scopes.append(Scope(path: nil, access: .internal, isGeneric: false))
        } else if token.isSymbol("}") {
            _ = scopes.popLast()
        }
    }

    // MARK: - Modifiers and attributes

    private struct Modifiers {
        var access: AccessLevel?
        /// The `@NSManaged` among them.
        var managed: SourceToken?
    }

    private static let modifierWords: Set = [
        "public", "open", "internal", "package", "private", "fileprivate", "final", "dynamic",
        "override", "nonisolated", "static", "class", "lazy", "weak", "unowned", "indirect",
        "required", "convenience", "mutating", "distributed", "optional",
    ]

    /// Reads one modifier or attribute if one is next.
    private mutating func readModifier(into modifiers: inout Modifiers) -> Bool {
        guard let next = token() else { return false }
        if next.isSymbol("@"), let name = token(1), name.kind == .word {
            if name.isWord("NSManaged") { modifiers.managed = name }
            index += 2
            while token()?.isSymbol(".") == true { index += 2 }
            if let parenthesis = token(), parenthesis.isSymbol("("),
                parenthesis.line == tokens[index - 1].line, !name.isWord("NSManaged")
            {
                skipParentheses()
            }
            return true
        }
        guard next.kind == .word, !next.isQuoted, Self.modifierWords.contains(next.text) else {
            return false
        }
        index += 1
        let hasDetail = token()?.isSymbol("(") == true
        if hasDetail { skipParentheses() }
        // `private(set)` restricts only the setter, and does not change its symbol.
        if !hasDetail, let access = AccessLevel(modifier: next.text) { modifiers.access = access }
        return true
    }

    private mutating func skipParentheses() {
        var depth = 0
        while let next = token() {
            if next.isSymbol("(") { depth += 1 }
            if next.isSymbol(")") { depth -= 1 }
            index += 1
            if depth == 0 { return }
        }
    }

    // MARK: - Types

    /// The kind of type that is declared next, if one is.
    private var typeKind: TypeDeclaration.Kind? {
        guard let keyword = token(), keyword.kind == .word, !keyword.isQuoted,
            let kind = TypeDeclaration.Kind(rawValue: keyword.text),
            let name = token(1), name.kind == .word,
            token(-1)?.isSymbol(".") != true
        else { return nil }
        switch kind {
        case .class:
            let follow = Self.modifierWords.union(["func", "var", "let", "subscript", "init"])
            return follow.contains(name.text) && !name.isQuoted ? nil : kind
        case .actor:
            return token(2).map { "{:<".contains($0.text) && $0.kind == .symbol } == true
                ? kind : nil
        default:
            return kind
        }
    }

    private mutating func parseType(_ kind: TypeDeclaration.Kind, _ modifiers: Modifiers) {
        guard let name = token(1) else { return }
        index += 2
        let isGeneric = skipGenericParameters()
        let path = typePath.map { $0 + [name.text] }
        let isFilePrivate = (modifiers.access ?? scopes.last?.access) == .filePrivate
        var declaration = TypeDeclaration(
            kind: kind, path: path ?? [name.text], inherited: [], aliased: nil,
            isGeneric: isGeneric || (scopes.last?.isGeneric ?? false),
            isFilePrivate: isFilePrivate, file: file, line: name.line)
        if kind == .typealias {
            if token()?.isSymbol("=") == true {
                index += 1
                declaration.aliased = parseTypeSyntax()
            }
        } else {
            declaration.inherited = parseInheritance()
        }
        // A type inside a function cannot be named by others.
        if path != nil { declarations.types.append(declaration) }
        guard kind != .typealias else { return }
        openBraces(
            Scope(
                path: path, access: isFilePrivate ? .filePrivate : .internal,
                isGeneric: declaration.isGeneric, localName: path == nil ? name.text : nil))
    }

    private mutating func parseExtension(_ modifiers: Modifiers) {
        index += 1
        guard case .named(let path, _) = parseTypeSyntax() else { return }
        let inherited = parseInheritance()
        declarations.extensions.append(ExtensionDeclaration(path: path, inherited: inherited))
        openBraces(
            Scope(path: path, access: modifiers.access ?? .internal, isGeneric: false))
    }

    private mutating func openBraces(_ scope: Scope) {
        while let next = token(), !next.isSymbol("{") { index += 1 }
        index += 1
        scopes.append(scope)
    }

    private mutating func skipGenericParameters() -> Bool {
        guard token()?.isSymbol("<") == true else { return false }
        var depth = 0
        while let next = token() {
            if next.isSymbol("<") { depth += 1 }
            if next.isSymbol(">") { depth -= 1 }
            index += 1
            if depth == 0 { break }
        }
        return true
    }

    private mutating func parseInheritance() -> [TypeSyntax] {
        guard token()?.isSymbol(":") == true else { return [] }
        var inherited: [TypeSyntax] = []
        repeat {
            index += 1
            // Skips attributes such as `@unchecked` in `@unchecked Sendable`.
            while token()?.isSymbol("@") == true { index += 2 }
            inherited.append(parseTypeSyntax())
        } while token()?.isSymbol(",") == true
        return inherited
    }

    private mutating func parseTypeSyntax() -> TypeSyntax {
        var parser = TypeSyntaxParser(tokens, at: index)
        let type = parser.parse()
        index = parser.index
        return type
    }

    // MARK: - Managed declarations

    private mutating func parseManaged(_ attribute: SourceToken, _ modifiers: Modifiers) {
        guard let keyword = token(), keyword.isWord("var") || keyword.isWord("func"),
            let name = token(1), name.kind == .word
        else {
            return report("'@NSManaged' stands before neither a property nor a method", attribute)
        }
        let written = "\(keyword.text) \(name.text)"
        if let local = scopes.last?.localName {
            return report(
                "'@NSManaged \(written)' is a member of the local class '\(local)', which generated "
                    + "accessors cannot name; move the class out of the function", name)
        }
        guard let owner = typePath, !owner.isEmpty else {
            return report("'@NSManaged \(written)' is not a member of a class", name)
        }
        if attribute.isUncertain || name.isUncertain {
            report(
                "'@NSManaged \(written)' stands under an '#if' that the build tool cannot decide; "
                    + "move it out of the '#if', or decide by 'canImport(ObjectiveC)'", name)
        }
        if scopes.last?.isGeneric == true {
            report("'@NSManaged \(written)' is a member of a generic class", name)
        }
        let access = modifiers.access ?? scopes.last?.access ?? .internal
        index += 1
        if keyword.text == "var" {
            parseProperties(of: owner, access: access)
        } else {
            parseMethod(of: owner, access: access)
        }
    }

    /// Reads `name: Type`, and further properties after commas.
    private mutating func parseProperties(of owner: [String], access: AccessLevel) {
        while let name = token(), name.kind == .word {
            guard token(1)?.isSymbol(":") == true else {
                return report("'@NSManaged var \(name.text)' has no type", name)
            }
            index += 2
            let type = parseTypeSyntax()
            declarations.properties.append(
                ManagedProperty(
                    owner: owner, name: name.text, type: type, access: access,
                    file: file, line: name.line))
            guard token()?.isSymbol(",") == true else { return }
            index += 1
        }
    }

    private mutating func parseMethod(of owner: [String], access: AccessLevel) {
        guard let name = token() else { return }
        index += 1
        guard token()?.isSymbol("(") == true else {
            return report("'@NSManaged func \(name.text)' is generic", name)
        }
        index += 1
        var parameters: [ManagedMethod.Parameter] = []
        while let label = token(), label.kind == .word {
            index += token(1)?.kind == .word ? 2 : 1
            guard token()?.isSymbol(":") == true else { break }
            index += 1
            let type = parseTypeSyntax()
            parameters.append(.init(label: label.text == "_" ? nil : label.text, type: type))
            if token()?.isSymbol(",") == true { index += 1 }
        }
        guard token()?.isSymbol(")") == true else {
            return report("the parameters of '@NSManaged func \(name.text)' cannot be read", name)
        }
        index += 1
        let hasArrow = token()?.isSymbol("-") == true && token(1)?.isSymbol(">") == true
        let hasEffect = ["async", "throws", "rethrows"].contains { token()?.isWord($0) == true }
        declarations.methods.append(
            ManagedMethod(
                owner: owner, name: name.text, parameters: parameters,
                hasEffectsOrResult: hasArrow || hasEffect, access: access,
                file: file, line: name.line))
    }

    private mutating func report(_ message: String, _ token: SourceToken) {
        problems.append(Diagnostic(file: file, line: token.line, message: message))
    }
}
