import CoreData

/// Suggests a name for a misspelled one.
enum NearestName {
    /// A question for the end of a message, such as " Did you mean title?"; empty if no name is
    /// similar.
    static func question(_ name: String, among names: some Sequence<String>) -> String {
        nearest(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
    }

    /// The most similar name; nil if none is similar.
    static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        let letters = Array(name.lowercased())
        guard letters.count > 1 else { return nil }
        let near = names.compactMap { candidate -> (name: String, distance: Int)? in
            let other = Array(candidate.lowercased())
            let distance = distance(letters, other)
            let isNear =
                distance <= max(2, max(letters.count, other.count) / 3)
                || contains(other, letters)
            return isNear ? (candidate, distance) : nil
        }
        return near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// The edit distance: how many letters must be inserted, removed or replaced to turn one word
    /// into the other.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (position, other) in right.enumerated() {
                let exchanged = diagonal + (letter == other ? 0 : 1)
                diagonal = row[position + 1]
                row[position + 1] = min(exchanged, diagonal + 1, row[position] + 1)
            }
        }
        return row[right.count]
    }

    /// Whether a word is another one with letters left out.
    private static func contains(_ word: [Character], _ rest: [Character]) -> Bool {
        guard rest.count >= 3 else { return false }
        var left = rest[...]
        for letter in word where letter == left.first { left.removeFirst() }
        return left.isEmpty
    }
}
