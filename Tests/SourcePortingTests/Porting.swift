import Testing

@testable import SourcePorting

/// A source and what becomes of it.
struct Porting: CustomTestStringConvertible {
    var source: String
    var result: String

    init(_ source: String, _ result: String) {
        self.source = source
        self.result = result
    }

    var testDescription: String { source }

    /// The file that a source becomes.
    static func file(_ source: String) -> PortedFile {
        let original = OriginalFile(path: "Test.swift", bytes: Array(source.utf8))
        var names = DeclaredNames()
        names.add(original.tokensWithAttributes)
        return original.ported(names: names)
    }

    static func port(_ source: String) -> String {
        String(decoding: file(source).bytes, as: UTF8.self)
    }

    /// The lines with something to do, and the beginnings of the sentences.
    static func handWork(_ source: String) -> [HandWork] { file(source).handWork }
}
