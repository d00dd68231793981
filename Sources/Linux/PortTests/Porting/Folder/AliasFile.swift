/// The file that declares, for the code of one target, what Linux lacks or has twice.
struct AliasFile {
    /// Its name in the folder.
    static let name = "LinuxAliases.swift"

    /// A name that can be declared in the target.
    private struct Alias {
        var name: String
        /// The module that the declaration needs.
        var module: String?
        var declaration: String
        /// Whether Foundation has it, too, so that it is ambiguous next to an import of Foundation.
        var isInFoundation = false
        /// Other names that the declaration contains.
        var others: [String] = []
        /// Whether the name at an index is a use that needs the declaration; by default each is that does not
        /// follow a dot.
        var isUse: @Sendable ([SourceToken], Int) -> Bool = { tokens, index in
            !tokens.token(at: index - 1).isSymbol(".")
        }

        func isUsed(in tokens: [SourceToken]) -> Bool {
            tokens.indices.contains { index in
                ([name] + others).contains(where: tokens[index].isWord) && isUse(tokens, index)
            }
        }

        /// A constant of Apple's Dispatch.
        static func number(_ name: String, _ value: UInt64) -> Alias {
            Alias(name: name, declaration: "let \(name): UInt64 = \(value)")
        }

        /// The type of a module, where Foundation has one of the same name.
        static func type(_ name: String, of module: String, isPublic: Bool = true) -> Alias {
            Alias(
                name: name, module: module,
                declaration: "\(isPublic ? "public " : "")typealias \(name) = \(module).\(name)",
                isInFoundation: true)
        }
    }

    private static let all = [
        Alias(
            name: "AutoreleasingUnsafeMutablePointer",
            declaration: "public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer"
        ),
        Alias(
            name: "CFAbsoluteTimeGetCurrent", module: "Foundation",
            declaration: """
                func CFAbsoluteTimeGetCurrent() -> Double { Date().timeIntervalSinceReferenceDate }
                """),
        .number("NSEC_PER_MSEC", 1_000_000),
        .number("NSEC_PER_SEC", 1_000_000_000),
        .number("NSEC_PER_USEC", 1000),
        .number("USEC_PER_SEC", 1_000_000),
        Alias(
            name: "NSClassFromString", module: "CoreData",
            declaration: AppleDeclarations.classFromString),
        .type("NSComparisonPredicate", of: "CoreData"),
        .type("NSExpression", of: "CoreData"),
        Alias(
            name: "Logger", module: "Foundation", declaration: AppleDeclarations.logging,
            others: ["OSLog", "OSLogType", "os_log"]),
        Alias(
            name: "OSAllocatedUnfairLock", module: "Foundation",
            declaration: AppleDeclarations.unfairLock),
        Alias(
            name: "autoreleasepool",
            declaration: """
                func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
                    try body()
                }
                """),
        Alias(
            name: "wait", module: "XCTest", declaration: AppleDeclarations.wait,
            isUse: { tokens, index in
                guard tokens.token(at: index + 1).isSymbol("("),
                    tokens.token(at: index + 2).isWord("for"),
                    let end = tokens.indexOfClosingParenthesis(from: index + 1)
                else { return false }
                return !tokens[index..<end].contains { $0.isWord("timeout") }
            }),
    ]

    /// Types of Linux's Foundation whose names other modules use, too. On Apple's systems a type of an
    /// imported module takes precedence over those that XCTest exports.
    private static let foundationTypes: Set = [
        "Bundle", "Expression", "Formatter", "Host", "Measurement", "Notification", "Operation",
        "Port", "Predicate", "Process", "Progress", "Scanner", "SortDescriptor", "SortOrder",
        "Stream", "Thread", "Timer", "Unit",
    ]

    private let modules: [String: DeclaredNames]
    private var used: [String: Alias] = [:]
    private var declared = DeclaredNames()

    /// - Parameter modules: What the targets of the package declare.
    init(modules: [String: DeclaredNames]) {
        self.modules = modules
    }

    /// Adds a source of the target.
    ///
    /// - Parameter tokens: Those that are compiled on Linux.
    mutating func add(_ tokens: [SourceToken]) {
        declared.add(tokens)
        let imports = tokens.indices.filter { tokens[$0].isWord("import") }
            .map { tokens.token(at: $0 + 1).text }
        let types = imports.flatMap { module in
            let names = modules[module] ?? DeclaredNames()
            return names.types.intersection(Self.foundationTypes).map {
                Alias.type($0, of: module, isPublic: names.publicTypes.contains($0))
            }
        }
        // XCTest exports Foundation.
        let hasFoundation = imports.contains("Foundation") || imports.contains("XCTest")
        let imported = imports.compactMap { modules[$0] }
        for alias in Self.all + types where !alias.isInFoundation || hasFoundation {
            // Another module of the package, or swift-log, has the type.
            let isElsewhere =
                imports.contains("Logging") && alias.name == "Logger"
                || !alias.isInFoundation && imported.contains { $0.types.contains(alias.name) }
            if !isElsewhere, alias.isUsed(in: tokens) { used[alias.name] = alias }
        }
    }

    /// The names that the file declares.
    var names: [String] { needed.map(\.name) }

    private var needed: [Alias] {
        used.values.filter {
            !declared.types.contains($0.name) && !declared.functions.contains($0.name)
                && !declared.properties.contains($0.name)
        }.sorted { $0.name < $1.name }
    }

    var text: String {
        let modules = Set(needed.compactMap(\.module)).sorted()
        let imports = modules.map { "import \($0)\n" }.joined() + (modules.isEmpty ? "" : "\n")
        let declarations = needed.map { "\($0.declaration)\n" }.joined()
        return """
            // What the code of this target uses, and Linux lacks or has twice. "swift package port-tests"
            // writes this file.

            #if !canImport(ObjectiveC)
            \(imports)\(declarations)#endif

            """
    }
}
