extension String {
    /// The text in the form in which predicates with these options compare it: with case and
    /// diacritics folded away and precomposed. Without options it is the text itself.
    ///
    /// The same on Apple's systems and here, since it is built on `folding(options:locale:)` and
    /// `precomposedStringWithCanonicalMapping`.
    ///
    /// - Parameter options: The comparison's options. `.normalized` promises that the text needs
    ///   no folding.
    public func _folded(for options: NSComparisonPredicate.Options) -> String {
        if options.isEmpty || options.contains(.normalized) { return self }
        if utf8.allSatisfy({ $0 < 0x80 }) {
            return options.contains(.caseInsensitive) ? lowercased() : self
        }
        var foldings: CompareOptions = []
        if options.contains(.caseInsensitive) { foldings.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { foldings.insert(.diacriticInsensitive) }
        let locale = options.contains(._localeSensitive) ? Locale.current : nil
        return folding(options: foldings, locale: locale).precomposedStringWithCanonicalMapping
    }

    /// Whether two texts consist of the same code points: `==` also takes different encodings of
    /// one character for equal, which predicates and SQL do not.
    func isLiterallyEqual(to other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}

/// Searching in text by code units, as predicates do once case and diacritics are folded. An empty
/// text is found nowhere.
enum LiteralSearch {
    static func text(_ text: String, hasPrefix part: String) -> Bool {
        !part.isEmpty && text.utf8.starts(with: part.utf8)
    }

    static func text(_ text: String, hasSuffix part: String) -> Bool {
        !part.isEmpty && text.utf8.reversed().starts(with: part.utf8.reversed())
    }

    static func text(_ text: String, contains part: String) -> Bool {
        var text = text
        var part = part
        return text.withUTF8 { text in part.withUTF8 { part in contains(text, part) } }
    }

    private static func contains(
        _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let first = part.first, text.count >= part.count else { return false }
        for start in 0...(text.count - part.count) where text[start] == first {
            if text[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }
}
