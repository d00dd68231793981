extension String {
    /// The string in the form in which predicates with these options compare it: precomposed, with
    /// case and diacritics removed. Without options it is the string itself.
    ///
    /// The result is the same as on Apple's systems, because it is based on
    /// `folding(options:locale:)` and `precomposedStringWithCanonicalMapping`.
    ///
    /// - Parameter options: The comparison's options. `.normalized` states that the string needs no
    ///   folding.
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

    /// Whether two strings consist of the same code points. Unlike predicates and SQL, `==` also
    /// considers different encodings of one character equal.
    func isLiterallyEqual(to other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// The order of two strings by their code points, which is that of their UTF-8 bytes and of
    /// SQL; `<` does not distinguish different encodings of one character.
    func literalOrder(to other: String) -> ComparisonResult {
        var left = self
        var right = other
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let common = min(left.count, right.count)
                var order = 0
                if common > 0, let first = left.baseAddress, let second = right.baseAddress {
                    order = Int(memcmp(first, second, common))
                }
                if order == 0 { order = left.count - right.count }
                return order < 0
                    ? .orderedAscending : order == 0 ? .orderedSame : .orderedDescending
            }
        }
    }
}

/// Searches strings by code units, as predicates do after folding case and diacritics. An empty
/// string is found nowhere.
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
