import CoreData

/// Finds what somebody who misspelt a name has probably meant.
enum NearestName {
    /// A question to put at the end of a message, as " Did you mean title?"; empty if no name is near.
    static func question(_ name: String, among names: some Sequence<String>) -> String {
        nearest(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
    }

    /// The name that is nearest to another; nil if none is near.
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

    /// How many letters have to be put in, taken out or exchanged to make one word of another.
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

    /// Whether a word is another one of which letters were left out.
    private static func contains(_ word: [Character], _ rest: [Character]) -> Bool {
        guard rest.count >= 3 else { return false }
        var left = rest[...]
        for letter in word where letter == left.first { left.removeFirst() }
        return left.isEmpty
    }
}
