import ModelMatching
import Testing

/// A version is a list of names, each followed by a slash and its renaming identifier if it has
/// one.
@Suite("The names of two versions of a model") struct VersionMatchesTests {
    private static func names(_ text: String) -> [VersionedName] {
        text.split(separator: " ").map { word in
            let parts = word.split(separator: "/").map(String.init)
            return VersionedName(parts[0], identifier: parts.count > 1 ? parts[1] : nil)
        }
    }

    private static func text(_ matches: VersionMatches) -> String {
        matches.oldNames.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    @Test(
        "are paired by the canonical name, which is the same in all versions",
        arguments: [
            ("a b", "a b", "a=a b=b"), ("a", "b/a", "b=a"),
            // A second renaming, and a third.
            ("b/a", "c/a", "c=b"), ("a", "c/a", "c=a"), ("b/a", "a", "a=b"),
            // The identifier is kept for good.
            ("b/a", "b/a", "b=b"),
            // One identifier is missing, and one names the previous version.
            ("b/a", "b", "b=b"), ("b/a", "c/b", "c=b"),
            // Names are swapped, and the result is renamed.
            ("a b", "b/a a/b", "a=b b=a"), ("b/a a/b", "x/a y/b", "x=b y=a"),
            ("b/a a/b", "b/a a/b", "a=a b=b"), ("b/a a/b", "a b", "a=b b=a"),
            // A new property takes a former name.
            ("b/a", "c/a b", "c=b"), ("b/a c", "c/a", "c=b"), ("b/a", "b/a a", "b=b"),
            ("b/a a", "c/a a", "a=a c=b"), ("c/a b", "d/a e/b", "d=c e=b"),
            ("b/a", "c/a d/b", "c=b"),
            // A new property has taken the name of a removed one.
            ("a", "a/z", ""), ("b/a", "b/z", ""), ("a b/z", "a/z", "a=b"),
            // Additions and removals.
            ("a", "b", ""), ("", "a", ""), ("a", "", ""),
        ])
    func pairs(old: String, new: String, expected: String) {
        for names in [Self.names(new), Self.names(new).reversed()] {
            let matches = VersionMatches(of: Array(names), with: Self.names(old).reversed())
            #expect(Self.text(matches) == expected)
            #expect(matches.rivals.isEmpty)
        }
    }

    @Test(
        "are kept, on request, by an object whose identifier leads nowhere",
        arguments: [
            ("a", "a/z", "a=a"), ("b/a", "b/z", "b=b"), ("a b/z", "a/z", "a=b"), ("a", "b/z", ""),
        ])
    func keepsNames(old: String, new: String, expected: String) {
        let matches = VersionMatches(
            of: Self.names(new), with: Self.names(old), keepsNames: true)
        #expect(Self.text(matches) == expected)
    }

    @Test(
        "that lead to the same one compete",
        arguments: [
            ("a", "a b/a", "a", "b", "a"), ("a", "b/a c/a", "a", "b", "c"),
            ("b/a", "c/a d/a", "b", "c", "d"),
        ])
    func rivals(old: String, new: String, contested: String, successor: String, other: String) {
        let matches = VersionMatches(of: Self.names(new), with: Self.names(old))
        #expect(matches.rivals.map(\.old) == [contested])
        #expect(matches.rivals.map(\.successor) == [successor])
        #expect(matches.rivals.map(\.other) == [other])
    }
}
