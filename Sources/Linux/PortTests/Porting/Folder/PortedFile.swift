/// A Swift file that was rewritten for Linux.
public struct PortedFile: Sendable {
    /// Its path, as the folder was given.
    public var path: String
    /// What it contains now.
    public var bytes: [UInt8]
    /// The lines that changed.
    public var changes: [LineChange]
    /// What is left to do in it.
    public var handWork: [HandWork]
}

/// A Swift file before it is rewritten.
struct OriginalFile {
    let path: String
    let source: SourceText
    /// What Linux compiles.
    let tokens: [SourceToken]
    /// The same with the attributes that are hidden from it.
    let tokensWithAttributes: [SourceToken]
    /// What its conditions leave to do.
    let conditions: [HandWork]
    /// Why the file cannot be read.
    let problem: HandWork?

    init(path: String, bytes: [UInt8]) {
        self.path = path
        source = SourceText(bytes)
        var all: [SourceToken] = []
        do {
            all = try SourceLexer.tokens(of: bytes)
            problem = nil
        } catch {
            problem = HandWork(
                line: (error as? SourceLexer.Unterminated)?.line ?? 1,
                message: "The file was not read: \(Self.text(error)).")
        }
        tokens = LinuxCode.tokens(of: all)
        conditions = LinuxCode.handWork(in: all)
        tokensWithAttributes = LinuxCode.tokens(of: all, withAttributes: true)
    }

    private static func text(_ error: any Error) -> String {
        guard let error = error as? SourceLexer.Unterminated else { return "\(error)" }
        return "a \(error.what) has no end"
    }

    /// - Parameter names: What the sources of all targets declare.
    func ported(names: DeclaredNames) -> PortedFile {
        let attributes = AttributeRewriter(source, tokens: tokens)
        let expressions = ExpressionRewriter(tokens: tokens, names: names)
        let imports = ImportRewriter(source, tokens: tokens, usesCoreData: names.usesCoreData)
        let edited = EditedSource(
            source, edits: imports.edits + attributes.edits + expressions.edits)
        let handWork =
            AttributeUses(tokens: tokensWithAttributes).handWork
            + RuntimeUses(tokens: tokens).handWork + expressions.handWork + conditions
        return PortedFile(
            path: path, bytes: edited.bytes, changes: edited.changes,
            handWork: problem.map { [$0] } ?? handWork.sorted { $0.line < $1.line })
    }
}
