/// Adds `import CoreData` to a file that sees Core Data through another import, as Apple's compiler
/// lets it, imports whole modules instead of their submodules, which only headers have, and hides the
/// import of `os`.
struct ImportRewriter {
    private(set) var edits: [SourceEdit] = []

    /// The beginnings of the names of Core Data's types and attributes.
    private static let prefixes = [
        "NSAsynchronousFetch", "NSAtomicStore", "NSAttributeDescription", "NSBatchDelete",
        "NSBatchInsert", "NSBatchUpdate", "NSConstraintConflict", "NSEntity",
        "NSExpressionDescription", "NSFetch", "NSIncrementalStore", "NSManaged", "NSMappingModel",
        "NSMerge", "NSMigrationManager", "NSPersistent", "NSPropertyDescription",
        "NSQueryGenerationToken", "NSRelationshipDescription",
    ]

    /// Types of Apple's Foundation that Linux has in CoreData, entirely or in part.
    private static let foundationTypes: Set = [
        "NSComparisonPredicate", "NSCompoundPredicate", "NSExpression", "NSPredicate",
        "NSSortDescriptor", "Selector", "UndoManager", "ValueTransformer",
    ]

    /// - Parameters:
    ///   - tokens: Those that are compiled on Linux.
    ///   - usesCoreData: Whether other files of the target import CoreData.
    init(_ source: SourceText, tokens: [SourceToken], usesCoreData: Bool) {
        let imports = tokens.indices.filter { tokens[$0].isWord("import") }
        for index in imports { removeSubmodule(tokens, at: index + 1) }
        for index in imports { hideLogging(source, tokens, at: index) }
        // Also `import class CoreData.NSManagedObject`.
        let modules = imports.flatMap { [tokens.token(at: $0 + 1), tokens.token(at: $0 + 2)] }
        if modules.contains(where: { $0.isWord("CoreData") }) { return }
        let isNeeded = tokens.contains { token in
            guard token.kind == .word else { return false }
            if Self.prefixes.contains(where: token.text.hasPrefix) { return true }
            return usesCoreData && Self.foundationTypes.contains(token.text)
        }
        guard isNeeded, let first = imports.first.map({ tokens[$0] }) else { return }
        let line = source.line(at: first.range.lowerBound)
        let start = source.range(ofLines: line...line).lowerBound
        edits.append(
            SourceEdit(range: start..<start, replacement: "import CoreData" + source.lineBreak))
    }

    /// Puts the import of `os` between `#if` and `#endif`. What is used of it gets an alias.
    private mutating func hideLogging(_ source: SourceText, _ tokens: [SourceToken], at index: Int)
    {
        let name = tokens.token(at: index + 1)
        guard ["os", "OSLog"].contains(where: name.isWord),
            source.startsLine(tokens[index].range.lowerBound)
        else { return }
        let start = tokens[index].range.lowerBound
        let end = source.endOfLine(at: start)
        let condition = "#if canImport(\(name.text))" + source.lineBreak
        edits.append(SourceEdit(range: start..<start, replacement: condition))
        edits.append(SourceEdit(range: end..<end, replacement: source.lineBreak + "#endif"))
    }

    private mutating func removeSubmodule(_ tokens: [SourceToken], at index: Int) {
        let module = tokens.token(at: index)
        guard ["CloudKit", "CoreData", "Foundation"].contains(where: module.isWord) else { return }
        var end = index
        while tokens.token(at: end + 1).isSymbol("."), tokens.token(at: end + 2).kind == .word {
            end += 2
        }
        let range = module.range.upperBound..<tokens[end].range.upperBound
        if !range.isEmpty { edits.append(SourceEdit(range: range, replacement: "")) }
    }
}
